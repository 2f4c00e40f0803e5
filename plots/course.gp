# Searches over time, a panel beside another: gnuplot -c plots/course.gp build/bench trace
# FOLDER/NAME_drawn.csv has a line for each step or mark: of each panel its title, the name of its axis and where that
# ends, of each series its style and what the legend calls it.
here = ARG0[1:strlen(ARG0) - strlen('course.gp')]
height = 2.6
call here.'begin.gp' ARG1 ARG2 ARG2.'_drawn.csv'
panels = 0
stats file using (panels = column('panel') > panels ? column('panel') : panels) nooutput
array above[panels]; array seen_in[panels]; array top_of[panels]; array least[panels]; array called[|series|]
do for [p=1:panels] { seen_in[p] = ' '; least[p] = 1e300 }
note(p, k, s) = (above[p] = strcol('above'), beside = strcol('beside'), top_of[p] = column('top'), called[k] = strcol('called'), \
    seen = add(seen, k), seen_in[p] = add(seen_in[p], k), least[p] = s > 0 && s < least[p] ? s : least[p], 1)
stats file using (note(int(column('panel')), number(strcol('series')), column('seconds'))) nooutput
at(p, k) = column('panel') == p && number(strcol('series')) == k ? column('seconds') : NaN
step = ", file using (at(p, %d)):'value' notitle with %s linestyle %d"

do for [kind in 'pdf png svg dark'] {
    load here.'style.gp'
    name_of(k) = called[k]
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
        set yrange [-0.02 * top_of[p] : top_of[p]]
        set title above[p]
        words = 'seconds'; eval name_below
        if (p == 1) { words = beside; eval name_beside } else { unset label 902 }
        steps = ''
        do for [word in seen_in[p]] {
            k = int(word)
            steps = steps.sprintf(step, k, k <= LINED ? 'steps' : 'points', k)
        }
        eval 'plot '.substr(steps, 3, -1)
        eval no_legend
    }
    unset multiplot
    unset output
}
