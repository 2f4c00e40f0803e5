# Overhead against memory, a line for each network, platform, method and deadline. Comes after style.gp, with
#   lines, names[]  of the lines
#   compared        1: the lines are of methods, each with a mark of its own; 0: of networks, with full marks
#                   where a schedule is proven and hollow ones elsewhere
#   $points         line, ram_percent, overhead_percent, bound_percent and state, an index of STATES; by
#                   line and ram_percent
#   points          how many
#   peak            bytes of 100 %; 0: they differ
# A schedule is good for all larger budgets, too: steps lead to the next better one.
array STATES[4] = ['proven optimal', 'best known', 'gap above 50 %', 'lower bound of these']
array shapes[14] = [7, 5, 9, 11, 13, 15, 4, 8, 10, 12, 14, 1, 2, 3] # full ones, and others
array dashes[6] = ['solid', '(9,3)', '(4,3)', '(9,3,2,3)', '(2,2)', '(12,3,2,3,2,3)']
array colours[6] = [blue, red, green, pink, orange, sky]
shape(k) = shapes[(k - 1) % (compared ? 14 : 6) + 1]
do for [k=1:lines] {
    eval sprintf('set style line %d linecolor rgb %d pointtype %d pointsize 0.6 dashtype %s', \
        k, colours[(k - 1) % 6 + 1], shape(k), dashes[(k - 1 + (k - 1) / 6) % 6 + 1])
}
# The mark of state s on line k, hollow ones beside the full ones; in a comparison a circle around a proven point.
mark(s, k) = s == 3 ? 3 : s == 4 ? 2 : compared ? 6 : shape(k) - (s == 2)
size(s) = compared && s == 1 ? 1.3 : 0.6
do for [s=1:4] { eval sprintf('set style line %d linecolor rgb ink pointtype %d pointsize %g', lines + s, \
    mark(s, 1), size(s)) }

# The range; far apart overheads are drawn on a logarithmic axis that is linear below `foot`.
most = 0; least = 1e300; low = 1e300; high = 0; seen = ' '; pairs = ' '; zero = 0
shown(s) = s == 1 || s == 3 || (s == 2 && !compared)
note(k, s, x, y) = (seen = add(seen, k), seen = shown(s) ? add(seen, lines + s) : seen, \
    pairs = shown(s) ? add(pairs, 10 * k + s) : pairs, \
    seen = s > 1 ? add(seen, lines + 4) : seen, pairs = s > 1 ? add(pairs, 10 * k + 4) : pairs, \
    most = y > most ? y : most, least = y > 0 && y < least ? y : least, \
    zero = y == 0 ? 1 : zero, low = x < low ? x : low, high = x > high ? x : high, 1)
if (points) { stats $points using (note(int(column('line')), int(column('state')), column('ram_percent'), \
    column('overhead_percent'))) nooutput }
curved = most > 30 * least
foot = curved ? 10 ** floor(log10(least)) : 1
up(v) = !curved ? v : v < foot ? 0.5 * v / foot : 0.5 + log10(v / foot)

LINED = lines
kinds = lines + 4
name_of(k) = k <= lines ? names[k] : STATES[k - lines]
eval legend
eval margins
set tmargin at screen below(top + (peak > 0 ? 0.45 : 0.1))
room = high > low ? 0.04 * (high - low) : 1
if (points) { set xrange [low - room : high + room] } else { set xrange [0 : 100] }
set yrange [(curved && !zero ? 0.4 : 0) : (most > 0 ? up(1.1 * most) : 1)]
words = 'RAM budget [% of keeping everything]'; eval name_below
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

is(k) = column('line') == k ? column('ram_percent') : NaN
has(k, s) = column('line') == k && (s == 4 ? column('state') > 1 : column('state') == s) ? column('ram_percent') : NaN
height_of(s) = up(column(s == 4 ? 'bound_percent' : 'overhead_percent'))
picture = ''
do for [k=1:lines] {
    if (strstrt(seen, sprintf(' %d ', k))) {
        picture = picture.sprintf(", $points using (is(%d)):(height_of(1)) notitle with steps linestyle %d", k, k)
        if (compared) {
            picture = picture.sprintf(", $points using (is(%d)):(height_of(1)) notitle with points linestyle %d", k, k)
        }
    }
}
do for [s=1:4] {
    do for [k=1:lines] {
        if (strstrt(pairs, sprintf(' %d ', 10 * k + s))) {
            picture = picture.sprintf(", $points using (has(%d, %d)):(height_of(%d)) notitle with points ", k, s, s). \
                sprintf("pointtype %d pointsize %g linecolor rgb %d", mark(s, k), size(s), colours[(k - 1) % 6 + 1])
        }
    }
}
if (points) { eval 'plot '.substr(picture, 3, -1) } else { plot NaN }
