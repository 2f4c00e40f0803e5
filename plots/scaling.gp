# Processor time against the size of the network: gnuplot -c plots/scaling.gp build/bench
name = 'scaling'; here = ARG0[1:strlen(ARG0) - strlen('scaling.gp')]
height = 2.6
call here.'begin.gp' ARG1 'scaling_drawn.csv'
stats file using (seen = add(seen, number(strcol('series'))), column('nodes')) nooutput name 'NODES'
seconds(k) = number(strcol('series')) == k ? column('seconds') : NaN

do for [kind in 'pdf png svg dark'] {
    load here.'style.gp'
    eval legend
    eval margins
    set logscale xy
    set xrange [NODES_min / 1.25 : NODES_max * 1.25]
    set xtics () scale 0.5, 0
    set format y '%g'
    words = 'network, nodes'; eval name_below
    words = 'processor seconds or limit'; eval name_beside
    set bmargin at screen below(height - 0.58)
    plot for [k in seen] file using 'nodes':(seconds(k + 0)):xtic(strcol('name')."\n".strcol('nodes')) \
        notitle with points linestyle k + 0
    unset output
}
