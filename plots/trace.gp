# Beyond the paper: best schedule and lower bound over time.
eval begin('trace', 10, 4.2)
set multiplot
names = 'vgg16_cifar resnet18_cifar'
events(n, kind) = sprintf("< awk -F, '$1==\"%s\" && $2==\"%s\"' trace_events.csv; echo NaN,NaN,NaN,NaN", n, kind)
set logscale x
set xrange [0.01:*]
do for [k = 1:2] {
    n = word(names, k)
    set lmargin at screen 0.09 + 0.49 * (k - 1)
    set rmargin at screen 0.09 + 0.49 * (k - 1) + 0.39
    set tmargin at screen 0.88
    set bmargin at screen 0.15
    set title title_of(n).' on A72, half the memory' offset 0,-0.5
    set xlabel 'seconds'
    set ylabel 'overhead, J'
    set yrange [*:*]
    set key top right samplen 2.5
    stats events(n, 'incumbent') u 4 nooutput
    set yrange [STATS_min * 0.85:STATS_min * 1.6]
    plot events(n, 'incumbent') u 3:4 w steps ls 3 t 'best schedule', \
         events(n, 'incumbent') u 3:4 w p ls 3 notitle, \
         events(n, 'bound') u 3:4 w steps ls 4 t 'LP bound', \
         events(n, 'proof') u 3:4 w p ls 1 ps 1.4 t 'proven'
}
unset multiplot
