# Figure 3: energy over full memory against RAM; networks by rows, platforms by columns.
eval begin('fig3', 13, 9)
set multiplot
# The key has a plot of its own: inside a panel it would have to be as narrow as that.
set lmargin at screen 0.03; set rmargin at screen 0.97
set tmargin at screen 0.995; set bmargin at screen 0.955
unset border; unset tics; unset grid
set key center center horizontal maxrows 1 samplen 2.5 width 1
plot [0:1][0:1] for [m in methods] NaN w lp ls method_style(m) t m, \
     NaN w lp ls 1 t 'poetbnb, proven', NaN w lp ls 2 t 'poetbnb, best known'
unset key
set border 3
set tics out nomirror
set grid ytics lc rgb '#e4e4e4' lt 1 lw 0.5
set xtics 20 nomirror
set ytics nomirror
set logscale y
set yrange [foot * 0.7:2000]
set format y '%g'
set xrange [97:13]
networks = 'vgg16_cifar resnet18_cifar bert'
platforms = 'm0 m4 a72 jetsontx2'
do for [r = 1:3] { do for [c = 1:4] {
    network = word(networks, r); platform = word(platforms, c)
    set lmargin at screen 0.075 + 0.235 * (c - 1)
    set rmargin at screen 0.075 + 0.235 * (c - 1) + 0.19
    set tmargin at screen 0.915 - 0.295 * (r - 1)
    set bmargin at screen 0.915 - 0.295 * (r - 1) - 0.235
    set title title_of(network).' on '.title_of(platform) offset 0,-0.7
    if (c == 1) { set ylabel 'energy over full memory, %' offset 1 } else { unset ylabel }
    if (r == 3) { set xlabel 'RAM, % of keeping everything' offset 0,0.3 } else { unset xlabel }
    plot for [m in methods] rows('fig3', network, platform, m, '1') u 4:(lifted($11)) \
             w lp ls method_style(m), \
         rows('fig3', network, platform, 'poetbnb', '1') u 4:(lifted($11)) w l ls 1, \
         rows('fig3', network, platform, 'poetbnb', '$9==1') u 4:(lifted($11)) w p ls 1, \
         rows('fig3', network, platform, 'poetbnb', '$9==0') u 4:(lifted($11)) w p ls 2
} }
unset multiplot
