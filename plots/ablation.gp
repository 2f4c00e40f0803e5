# Processor time and proofs with parts left out: gnuplot -c plots/ablation.gp build/bench
name = 'ablation'; here = ARG0[1:strlen(ARG0) - strlen('ablation.gp')]
call here.'begin.gp' ARG1 'ablation_drawn.csv'
longest = 0
whole_seconds = NaN
whole_percent = NaN
is_whole(label) = label eq 'nothing left out'
stats file using (longest = strlen(strcol('label')) > longest ? strlen(strcol('label')) : longest, \
    whole_seconds = is_whole(strcol('label')) ? column('seconds') : whole_seconds, \
    whole_percent = is_whole(strcol('label')) ? column('proven_percent') : whole_percent, column('place')) \
    nooutput name 'PLACES'
height = 0.55 + 0.16 * (PLACES_max + 1)
split = 4.6 # inches from the left, between the panels

do for [kind in 'pdf png svg dark'] {
    load here.'style.gp'
    top = 0
    set multiplot
    set style fill solid noborder
    set grid noytics xtics
    set yrange [PLACES_max + 0.6 : -0.6]
    set ytics () scale 0
    do for [panel in 'seconds proven_percent'] {
        eval margins
        timed = panel eq 'seconds'
        if (timed) {
            set lmargin at screen across(0.2 + LETTER * longest)
            set rmargin at screen across(split - 0.25)
            words = 'processor seconds or limit, shifted geometric mean'
            set xrange [0 : *]
        } else {
            set lmargin at screen across(split)
            words = 'proven [% of the instances]'
            set xrange [0 : 100]
        }
        eval name_below
        whole = timed ? whole_seconds : whole_percent
        set arrow 1 from first whole, graph 0 to first whole, graph 1 nohead front \
            linecolor rgb ink dashtype (4, 3)
        plot file using (0.5 * column(panel)):'place':(0.5 * column(panel)):(0.3): \
            ytic(sprintf(timed ? '%s' : '', strcol('label'))) notitle with boxxyerror linecolor rgb (timed ? blue : green)
    }
    unset multiplot
    unset output
}
