# Best schedule and bounds while the search runs: gnuplot -c plots/trace.gp build/bench
name = 'trace'; here = ARG0[1:strlen(ARG0) - strlen('trace.gp')]
height = 2.6
call here.'begin.gp' ARG1 'trace_events.csv'
panels = 0
stats file using (panels = column('panel') > panels ? column('panel') : panels) nooutput
array above[panels]; array events[panels]; array best[panels]; array least[panels]
do for [p=1:panels] { events[p] = ' '; best[p] = 1e300; least[p] = 1e300 }
note(p, k, s, joules) = (above[p] = strcol('above'), seen = add(seen, k), events[p] = add(events[p], k), \
    best[p] = series[k] eq 'best schedule' && joules < best[p] ? joules : best[p], least[p] = s > 0 && s < least[p] ? s : least[p], 1)
stats file using (note(int(column('panel')), number(strcol('event')), column('seconds'), \
    column('overhead_joules'))) nooutput
at(p, k) = column('panel') == p && number(strcol('event')) == k ? column('seconds') : NaN
step = ", file using (at(p, %d)):'overhead_joules' notitle with %s linestyle %d"

do for [kind in 'pdf png svg dark'] {
    load here.'style.gp'
    eval legend
    set multiplot
    do for [p=1:panels] {
        titled = 1
        eval margins
        set lmargin at screen across(edge(p - 1, panels, 0.7, 0.2, 0.7))
        set rmargin at screen across(edge(p, panels, 0.7, 0.2, 0.7) - 0.7)
        set logscale x
        set xrange [0.8 * least[p] : *]
        set format x '%g'
        set yrange [0 : 1.6 * best[p]]
        set title above[p]
        words = 'seconds'; eval name_below
        if (p == 1) { words = 'overhead [J]'; eval name_beside } else { unset label 902 }
        steps = ''
        do for [word in events[p]] {
            k = int(word)
            steps = steps.sprintf(step, k, k <= LINED ? 'steps' : 'points', k)
        }
        eval 'plot '.substr(steps, 3, -1)
        eval no_legend
    }
    unset multiplot
    unset output
}
