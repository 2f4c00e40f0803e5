# Energy over full memory against RAM, Figures 3 to 5: gnuplot -c plots/energy.gp build/bench fig3
# A panel for each row and column of FOLDER/NAME_drawn.csv, which has a line for each mark. The energy's axis is
# logarithmic down to `foot` percent and linear from there to 0; below, at "none", are budgets proven to have no schedule.
here = ARG0[1:strlen(ARG0) - strlen('energy.gp')]
folder = ARG1; name = ARG2
file = folder.'/'.name.'_drawn.csv'
set terminal unknown
load here.'style.gp'
lines = 0
stats file using (lines = lines + 1, 1) nooutput
if (!lines) {
    printerr 'expected: a folder where make bench has written '.name.'_drawn.csv, got '.folder
    exit status 2
}
seen = ' '
foot = 1e-3
up(v) = v < foot ? strip * v / foot : strip + log10(v / foot) # strip: height of the linear part
level(word) = word eq '' ? -strip : up(real(word))
tick(word) = c == 1 ? word : ''

# What there is: of each panel its title, the numbers of its series and its range.
rows = 0; columns = 0
stats file using (rows = column('row') > rows ? column('row') : rows, \
    columns = column('column') > columns ? column('column') : columns) nooutput
array above[rows * columns]; array beside[rows]; array seen_in[rows * columns]
array high[rows * columns]; array low[rows * columns]; array most[rows]; array least[rows]
do for [k=1:rows * columns] { above[k] = ''; seen_in[k] = ' '; high[k] = 0.0; low[k] = 100.0 }
do for [k=1:rows] { beside[k] = ''; most[k] = foot; least[k] = foot }
at(r, c) = int((r - 1) * columns + c)
note(r, p, k, x, y) = (beside[r] = strcol('beside'), above[p] = strcol('above'), seen_in[p] = add(seen_in[p], k), \
    seen = add(seen, k), y != y ? (least[r] = -1) : \
    (high[p] = x > high[p] ? x : high[p], low[p] = x < low[p] ? x : low[p], \
    most[r] = y > most[r] ? y : most[r], least[r] = y < least[r] ? y : least[r]), 1)
stats file using (note(int(column('row')), at(column('row'), column('column')), number(strcol('series')), \
    column('ram_percent'), strcol('overhead_percent') eq '' ? NaN : column('overhead_percent'))) nooutput

height = 0.75 + 1.8 * rows
first = 0.7; last = 0.08; gap = 0.12
x(p, k) = at(column('row'), column('column')) == p && number(strcol('series')) == k ? column('ram_percent') : NaN

is_ours(k) = k == OURS || k == OURS + 1
ours(p) = at(column('row'), column('column')) == p && is_ours(number(strcol('series'))) ? column('ram_percent') : NaN
step(p) = high[p] - low[p] > 60 ? 20 : high[p] - low[p] > 20 ? 10 : 5

mark = ", file using (x(p, %d)):(level(strcol('overhead_percent'))) notitle with "
our = ", file using (ours(p)):(level(strcol('overhead_percent'))) notitle with "
line_of_ours = our.'lines linecolor rgb ink'.our.'points pointtype 7 pointsize 0.5 linecolor rgb paper'
bar = ", file using (x(p, %d)):(up(column('bound_percent'))):(0):(up(column('overhead_percent')) ". \
    "- up(column('bound_percent'))) notitle with vectors nohead linewidth 2.5 linecolor rgb shade"

do for [kind in 'pdf png svg dark'] {
    load here.'style.gp'
    eval legend
    set multiplot
    space = (height - top - 0.16) / rows
    do for [r=1:rows] {
        strip = 0.17 * log10(2.5 * most[r] / foot)
        set yrange [least[r] < 0 ? -1.5 * strip : least[r] < foot ? 0 : 0.8 * strip : up(2.5 * most[r])]
        set tmargin at screen below(top + (r - 1) * space + 0.21)
        set bmargin at screen below(top + r * space - 0.24)
        do for [c=1:columns] {
            p = at(r, c)
            set lmargin at screen across(edge(c - 1, columns, first, last, gap))
            set rmargin at screen across(edge(c, columns, first, last, gap) - gap)
            set title above[p]
            set ytics (tick('none') -strip, tick('0') 0, tick('0.001') up(0.001), tick('0.1') up(0.1), \
                tick('10') up(10), tick('1000') up(1000))
            if (r == rows) { words = 'RAM [% of peak]'; eval name_below }
            if (c == 1) { words = beside[r]; eval name_beside } else { unset label 902 }
            room = high[p] - low[p] > 25 ? 0.06 * (high[p] - low[p]) : 1.5
            set xrange [high[p] + room : low[p] - room]
            set xtics step(p) offset 0, 0.4
            bars = ''; lines = ''; own = ''; marks = ''
            do for [word in seen_in[p]] {
                k = int(word)
                if (k == OURS + 1 || k == OURS + 2) { bars = bars.sprintf(bar, k) }
                if (k <= LINED) { lines = lines.sprintf(mark.'lines linestyle %d', k, k) }
                if (is_ours(k)) { own = line_of_ours }
                marks = marks.sprintf(mark.'points linestyle %d', k, k)
            }
            if (strlen(marks)) { eval 'plot '.substr(bars.lines.own.marks, 3, -1); eval no_legend }
        }
    }
    unset multiplot
    unset output
}
