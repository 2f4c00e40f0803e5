# A schedule: nodes across, stages down, what happens to a node in which stages; on the right the memory
# in use against the budget. Comes after style.gp, with
#   cells          data of event, node, first and last stage
#   memory         data of bytes and stage, the corners of a line
#   n, budget      nodes, bytes
#   longest        letters of the longest name at a tic; 0 for numbers
#   over, under    two lines of text above, or ''
scale = budget < 4096 ? 0 : budget < 4096 * 1024. ? 1 : budget < 4096 * 1024. ** 2 ? 2 : 3
bytes(v) = v / 1024. ** scale
decade = 10. ** floor(log10(bytes(budget)))
step = decade * (bytes(budget) < 2 * decade ? 0.5 : bytes(budget) < 5 * decade ? 1 : 2)
at(word) = strcol('event') eq word ? column('node') : NaN
middle = '(0.5 * (column("first") + column("last")))'
half(margin) = 0.5 * (column('last') - column('first') + 1) - margin
size = n <= 24 ? 0.8 : n <= 60 ? 0.6 : n <= 150 ? 0.45 : 0.3
seen = ''
stats cells using (seen = seen.'|'.strcol('event'), 1) nooutput
drawn(word, how) = strstrt(seen, '|'.word) ? sprintf(", cells using (at('%s')):%s%s title '%s'", \
    word, middle, how, word) : ''
picture = drawn('in RAM', ':(0.42):(half(0.08)) with boxxyerror linecolor rgb shade'). \
    drawn('computed', ':(0.42):(half(0.08)) with boxxyerror linecolor rgb ink'). \
    drawn('recomputed', ':(0.42):(half(0.08)) with boxxyerror fillstyle pattern 5 border '. \
        'linecolor rgb red fillcolor rgb red'). \
    drawn('on storage', ':(0.07):(half(0)) with boxxyerror linecolor rgb sky'). \
    drawn('page out', ' with points pointtype 11 pointsize size linecolor rgb blue'). \
    drawn('page in', ' with points pointtype 9 pointsize size linecolor rgb blue')
head = over eq '' ? 0 : 0.32 # inches

set multiplot
set label 1 over at screen 0.5, screen below(0.1) center textcolor rgb ink
set label 2 under at screen 0.5, screen below(0.26) center textcolor rgb ink
set key at screen 0.5, screen below(head + 0.04) center top vertical maxrows 1 samplen 1 width 0 textcolor rgb ink
set tmargin at screen below(head + 0.42)
base = height - 0.4 - (longest ? LETTER * longest - 0.2 : 0) # of the panels, inches from the top
set bmargin at screen below(base)
set lmargin at screen across(0.55)
set rmargin at screen across(0.72 * width)
set xrange [-0.6 : n - 0.4]
set yrange [n - 0.5 : -0.5]
set style fill solid noborder
left = 0.7; words = 'stage (time runs down)'; eval name_beside
unset grid
if (longest) { set xtics rotate by 90 right offset 0, 0 } else { words = 'node'; eval name_below }
eval 'plot '.substr(picture, 3, -1)
unset label
unset key
set lmargin at screen across(0.76 * width)
set rmargin at screen across(width - 0.2)
set ytics format ''
set xrange [0 : 1.08 * bytes(budget)]
set xtics step norotate center offset 0, 0.4
set label 901 'RAM ['.word('bytes KiB MiB GiB', scale + 1).']' at graph 0.5, screen below(base + 0.32) \
    center textcolor rgb ink
set label 1 'budget' at first bytes(budget), graph 1 right offset -0.3, 0.6 textcolor rgb ink
set arrow 1 from first bytes(budget), graph 0 to first bytes(budget), graph 1 nohead linewidth 1.5 \
    dashtype 2 linecolor rgb red
plot memory using (bytes(column('bytes'))):'stage' notitle with lines linewidth 1.2 linecolor rgb ink
unset multiplot
