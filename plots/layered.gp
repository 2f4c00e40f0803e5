# The gap of random layered graphs over time, and time by size: gnuplot -c plots/layered.gp build/bench
name = 'layered'; here = ARG0[1:strlen(ARG0) - strlen('layered.gp')]
height = 2.8
call here.'begin.gp' ARG1 'layered_drawn.csv'
course_of = folder.'/layered_course.csv'

panels = 0; most = 0
array label_of[9]
array nodes_of[9]
array seen_in[9]
do for [p=1:9] { seen_in[p] = ' ' }
SIZE = number('size 1') - 1 # series SIZE + k is of size k, WAYS + 1 and so on of panel 1, 2
WAYS = number('first 1') - 1
way(p, close) = WAYS + 2 * (p - 1) + 1 + close
note(p, k) = (most = k > most ? k : most, label_of[p] = strcol('run'), nodes_of[k] = strcol('nodes'), panels = p > panels ? p : panels, \
    seen_in[p] = add(seen_in[p], SIZE + k), seen = add(seen, SIZE + k), seen = add(seen, way(p, 0)), \
    seen = strcol('close_seconds') eq '' ? seen : add(seen, way(p, 1)), column('nodes'))
stats file using (note(int(column('panel')), int(column('size')))) nooutput name 'NODES'
if (panels > 2 || most > WAYS - SIZE) {
    printerr 'at most two runs and six sizes have styles'
    exit status 1
}
is_size(k) = k > SIZE && k <= WAYS
panel_of(k) = (k - WAYS + 1) / 2
name_here(k) = is_size(k) ? nodes_of[k - SIZE].' nodes' : \
    ((k - WAYS) % 2 ? 'first schedule ' : 'gap of 5 % ').label_of[panel_of(k)]
course(p, k) = column('panel') == p && column('size') == k - SIZE ? column('seconds') : NaN
taken(k) = column('panel') == panel_of(k) ? column((k - WAYS) % 2 ? 'first_seconds' : 'close_seconds') : NaN
gap = ", course_of using (course(%d, %d)):'gap_percent' notitle with steps linestyle %d"
time = ", file using 'nodes':(taken(%d)):xtic(strcol('nodes')) notitle with linespoints linestyle %d"

do for [kind in 'pdf png svg dark'] {
    load here.'style.gp'
    name_of(k) = name_here(k)
    eval legend
    set multiplot
    set logscale x
    set format x '%g'
    titled = 1
    eval margins
    do for [p=1:panels + 1] {
        set lmargin at screen across(edge(p - 1, panels + 1, 0.7, 0.2, 0.7))
        set rmargin at screen across(edge(p, panels + 1, 0.7, 0.2, 0.7) - 0.7)
        last = p > panels
        if (last) {
            set logscale y
            set format y '%g'
            set yrange [*:*]
            set ytics 1e-8, 100
            set xrange [0.8 * NODES_min : 1.25 * NODES_max]
            set title 'time by size'
            left = edge(p - 1, panels + 1, 0.7, 0.2, 0.7) + 0.05
            words = 'seconds'; eval name_beside
            words = 'nodes'; eval name_below
            set xtics ()
        } else {
            set yrange [-3:103]
            set xrange [*:*]
            set title label_of[p]
            words = 'seconds'; eval name_below
            if (p == 1) { words = 'gap [%]'; eval name_beside } else { unset label 902 }
            set xtics 1e-8, 100
        }
        drawn = ''
        do for [word in last ? seen : seen_in[p]] {
            k = int(word)
            if (!last && is_size(k)) { drawn = drawn.sprintf(gap, p, k, k) }
            if (last && !is_size(k)) { drawn = drawn.sprintf(time, k, k) }
        }
        eval 'plot '.substr(drawn, 3, -1)
        eval no_legend
    }
    unset multiplot
    unset output
}
