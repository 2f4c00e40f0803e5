# Figure 4: VGG16 with paging only, rematerialisation only and both, over RAM, a panel a
# deadline.
eval begin('fig4', 10, 4.2)
set multiplot
set style line 21 lc rgb '#0072b2' lw 1.5 pt 5 ps 0.8 dt 2
set style line 22 lc rgb '#d55e00' lw 1.5 pt 8 ps 1.7 dt 4
set lmargin at screen 0.03; set rmargin at screen 0.97
set tmargin at screen 0.99; set bmargin at screen 0.91
unset border; unset tics; unset grid
set key center center horizontal maxrows 1 samplen 2.5 width 1
plot [0:1][0:1] NaN w lp ls 21 t 'paging only', NaN w lp ls 22 t 'rematerialisation only', \
     NaN w lp ls 1 t 'both, proven', NaN w lp ls 2 t 'both, best known'
unset key
set border 3
set tics out nomirror
set grid ytics lc rgb '#e4e4e4' lt 1 lw 0.5
set xtics 10 nomirror
set ytics nomirror
set logscale y
set yrange [foot * 0.7:200]
set format y '%g'
set xrange [95:42]
runtimes = system("awk -F, 'NR>1 && $5!=\"none\" {print $5}' fig4.csv | sort -u | sort -g | tr '\n' ' '").' none'
shown = words(runtimes) <= 4 ? runtimes : '1 1.0005 1.002 none'
count = words(shown)
variant(v, r, more) = rows('fig4', 'vgg16_cifar', '', '', \
    sprintf('$7=="%s" && $5=="%s" && %s', v, r, more))
do for [k = 1:count] {
    runtime = word(shown, k)
    width = 0.90 / count
    set lmargin at screen 0.09 + width * (k - 1)
    set rmargin at screen 0.09 + width * k - 0.04
    set tmargin at screen 0.83
    set bmargin at screen 0.15
    set title runtime eq 'none' ? 'no deadline' : 'deadline '.runtime.' x base time' offset 0,-0.6
    if (k == 1) { set ylabel 'energy over full memory, %' } else { unset ylabel }
    set xlabel 'RAM, % of keeping everything'
    plot variant('paging', runtime, '1') u 4:(lifted($11)) w lp ls 21, \
         variant('both', runtime, '1') u 4:(lifted($11)) w l ls 1, \
         variant('both', runtime, '$9==1') u 4:(lifted($11)) w p ls 1, \
         variant('both', runtime, '$9==0') u 4:(lifted($11)) w p ls 2, \
         variant('remat', runtime, '1') u 4:(lifted($11)) w p ls 22
}
unset multiplot
