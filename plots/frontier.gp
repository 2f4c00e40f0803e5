# Overhead against memory, a line for each network, platform, method and deadline. Comes after style.gp, with
#   lines, names[]  of the lines
#   absent          how many more names there are: of lines without any schedule, which the legend names
#   compared        1: the lines are of methods; 0: of networks
#   bounded[]       1: the line's method gives bounds. Its marks are full where a schedule is proven, and hollow
#                   elsewhere. In a comparison it is drawn in ink with circles, other methods without circles
#   title           above everything; '': none
#   $points         line, ram_percent, overhead_percent, bound_percent, state, an index of STATES, and beside, the
#                   place of its mark among those that it would hide, in widths of marks; by line and ram_percent
#   points          how many
#   peak            bytes of 100 %; 0: they differ
# A schedule is good for all larger budgets, too: steps lead to the next better one.
array STATES[4] = ['proven optimal', 'best known', 'gap above 50 %', 'lower bound of these']
array shapes[17] = [7, 5, 9, 11, 13, 15, 5, 8, 11, 12, 15, 4, 9, 10, 13, 14, 1] # of networks, and of methods
array dashes[6] = ['solid', '(9,3)', '(4,3)', '(9,3,2,3)', '(2,2)', '(12,3,2,3,2,3)']
array colours[6] = [blue, red, green, pink, orange, sky]
ours(k) = compared && bounded[k]
shape(k) = ours(k) ? 7 : compared ? shapes[7 + (k - 1) % 11] : shapes[(k - 1) % 6 + 1]
dash(k) = ours(k) ? k - first_ours : k - 1 + 2 * ((k - 1) / (compared ? 11 : 6))
colour(k) = ours(k) ? ink : sprintf('#%06x', colours[(k - 1) % 6 + 1])
first_ours = 0
do for [k=lines:1:-1] { if (ours(k)) { first_ours = k } }
do for [k=1:lines] {
    eval sprintf("set style line %d linecolor rgb '%s' pointtype %d pointsize 0.6 dashtype %s linewidth %g", \
        k, colour(k), shape(k), dashes[dash(k) % 6 + 1], ours(k) ? 1.8 : 1)
}
# The mark of state s on line k; hollow marks follow upon the full ones.
mark(s, k) = s == 0 ? shape(k) : s == 3 ? 3 : s == 4 ? 2 : shape(k) - (s == 2)
do for [s=1:4] { eval sprintf('set style line %d linecolor rgb ink pointtype %d pointsize 0.6', \
    lines + s, first_ours ? mark(s, first_ours) : s == 1 ? 7 : s == 2 ? 6 : mark(s, 1)) }

# The range; far apart overheads are drawn on a logarithmic axis that is linear below `foot`.
most = 0; least = 1e300; low = 1e300; high = 0; seen = ' '; pairs = ' '; zero = 0
crowd = 0; close = 1e300; before = -1; line_before = 0
do for [k=1:absent] { seen = add(seen, lines + 4 + k) }
note(k, s, x, y, aside) = (seen = add(seen, k), seen = s ? add(seen, lines + s) : seen, \
    pairs = add(pairs, 10 * k + s), \
    seen = s > 1 ? add(seen, lines + 4) : seen, pairs = s > 1 ? add(pairs, 10 * k + 4) : pairs, \
    most = y > most ? y : most, least = y > 0 && y < least ? y : least, \
    zero = y == 0 ? 1 : zero, low = x < low ? x : low, high = x > high ? x : high, \
    close = k == line_before && x - before < close ? x - before : close, before = x, line_before = k, \
    crowd = aside > crowd ? aside : crowd, 1)
if (points) { stats $points using (note(int(column('line')), int(column('state')), column('ram_percent'), \
    column('overhead_percent'), column('beside'))) nooutput }
curved = most > 30 * least
foot = curved ? 10 ** floor(log10(least)) : 1
up(v) = !curved ? v : v < foot ? 0.5 * v / foot : 0.5 + log10(v / foot)

LINED = lines
kinds = lines + 4 + absent; bare = lines + 4
name_of(k) = k <= lines ? names[k] : k <= lines + 4 ? STATES[k - lines] : names[k - 4].': no schedule'
legend_from = title eq '' ? 0.12 : 0.35
if (title ne '') { set label 904 title at screen 0.5, screen below(0.12) center textcolor rgb ink }
eval legend
set lmargin at screen across(0.7)
set rmargin at screen across(width - 0.2)
set bmargin at screen below(height - 0.42)
set tmargin at screen below(top + (peak > 0 ? 0.45 : 0.1))
room = high > low ? 0.04 * (high - low) : 1
if (points) { set xrange [low - room : high + room] } else { set xrange [0 : 100] }
set yrange [(curved && !zero ? 0.4 : 0) : (most > 0 ? up(1.1 * most) : 1)]
words = 'RAM budget [% of keeping everything]'.(crowd > 0 ? '; marks side by side are of one budget' : ''); eval name_below
words = 'overhead [% of computing every node once]'; eval name_beside
if (curved) {
    set ytics ('0' 0)
    do for [k=0:ceil(log10(most / foot))] { set ytics add (sprintf('%g', foot * 10 ** k) up(foot * 10 ** k)) }
}
if (peak > 0 && points) {
    scale = peak < 4096 ? 0 : peak < 4096 * 1024. ? 1 : peak < 4096 * 1024. ** 2 ? 2 : 3
    unit = 100 * 1024. ** scale / peak # percent
    set x2range [(low - room) / unit : (high + room) / unit]
    set x2tics offset 0, -0.4
    set label 903 'RAM budget ['.word('bytes KiB MiB GiB', scale + 1).']' at graph 0.5, screen below(top + 0.12) \
        center textcolor rgb ink
    set border 7
}

# Marks that would hide each other stand side by side.
step = 0.012 * (high - low + 2 * room)
step = (crowd + 0.5) * step > 0.45 * close ? 0.45 * close / (crowd + 0.5) : step
is(k) = column('line') == k ? column('ram_percent') : NaN
has(k, s) = column('line') == k && (s == 4 ? column('state') > 1 : column('state') == s) ? \
    column('ram_percent') + column('beside') * step : NaN
height_of(s) = up(column(s == 4 ? 'bound_percent' : 'overhead_percent'))
picture = ''
do for [of_ours=1:0:-1] { do for [k=1:lines] { # wide lines below narrow ones
    if (ours(k) == of_ours && strstrt(seen, sprintf(' %d ', k))) {
        picture = picture.sprintf(", $points using (is(%d)):(height_of(1)) notitle with steps linestyle %d", k, k)
    }
} }
do for [s=0:4] {
    do for [k=1:lines] {
        if (strstrt(pairs, sprintf(' %d ', 10 * k + s))) {
            picture = picture.sprintf(", $points using (has(%d, %d)):(height_of(%d)) notitle with points ", k, s, s). \
                sprintf("pointtype %d pointsize 0.6 linecolor rgb '%s'", mark(s, k), colour(k))
        }
    }
}
if (points) { eval 'plot '.substr(picture, 3, -1) } else { plot NaN }
