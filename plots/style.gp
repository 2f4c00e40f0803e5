# The style of every figure: 6.75 inches wide with texts of 8 points on paper, the same for screens in
# light and dark. Marks and dashes tell series apart without colour. Every page begins with it:
#   kind    pdf, svg, dark (an SVG), png; without it no terminal is set
#   height  of the page, inches
#   folder  where NAME.pdf, NAME.svg, NAME-dark.svg and NAME.png go; without it to standard output
reset
if (!exists('height')) { height = 3.0 }
width = 6.75
dark = exists('kind') ? kind eq 'dark' : 0
ink = dark ? '#eeeeee' : '#000000'
paper = dark ? '#16181c' : '#ffffff'
faint = dark ? '#3a3d44' : '#dddddd'
shade = dark ? '#5c626d' : '#d0d0d0'
blue = dark ? 0x4ba3e3 : 0x0072b2
sky = 0x56b4e9
green = 0x009e73
orange = 0xe69f00
red = dark ? 0xf0722a : 0xd55e00
pink = 0xcc79a7
grey = dark ? 0xa8a8a8 : 0x777777

# The cairo terminals take a point of a font for 4/3 of one.
terminal(kind) = \
    kind eq 'pdf' ? sprintf("pdfcairo noenhanced size %.4gin,%.4gin font 'Helvetica,8' ". \
        "fontscale 0.75 linewidth 1.5", width, height) : \
    kind eq 'png' ? sprintf("pngcairo noenhanced size %d,%d background rgb '%s' font 'Helvetica,8' ". \
        "fontscale %.4g linewidth 2 pointscale 1.6", 200 * width, 200 * height, paper, 200 / 96.) : \
    sprintf("svg noenhanced size %d,%d dynamic background rgb '%s' font 'sans-serif,10.67'", \
        96 * width, 96 * height, paper)
if (exists('kind')) { eval 'set terminal '.terminal(kind) }
if (exists('kind') && exists('folder')) { set output folder.'/'.name.(dark ? '-dark.svg' : '.'.kind) }

set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
set border 3 linewidth 0.6 linecolor rgb ink
set tics scale 0.5, 0.25 nomirror textcolor rgb ink out
set xtics offset 0, 0.4
set grid ytics linewidth 0.5 linetype 1 linecolor rgb faint
set title textcolor rgb ink offset 0, -0.6
unset key

# A text of at most that many letters: of a longer one its ends.
short(t, most) = strlen(t) > most ? t[1:most / 2].'…'.t[strlen(t) - (most - 1) / 2 + 1:*] : t
# The label of tic number k: its name, without one its number. A % begins a format there.
tic_name(t, k) = (t_ = strlen(t) ? short(t, 32) : sprintf('%d', k), l_ = '', \
    sum [i_=1:strlen(t_)] (l_ = l_.(t_[i_:i_] eq '%' ? '%%' : t_[i_:i_]), 0), l_)

# ---- series ---------------------------------------------------------------------------------------

# The names of series, which are those of tables.py and of the experiments' families, and their line styles.
array series[21]
series[1] = 'checkpoint all'; set style line 1 linecolor rgb grey pointtype 1 pointsize 0.7 dashtype (2,4)
series[2] = 'Chen et al. √n'; set style line 2 linecolor rgb sky pointtype 11 pointsize 0.7 dashtype (3,3)
series[3] = 'Chen et al. greedy'; set style line 3 linecolor rgb orange pointtype 9 pointsize 0.7 dashtype (9,3)
series[4] = 'Griewank & Walther'; set style line 4 linecolor rgb grey pointtype 15 pointsize 0.6 dashtype (9,3,2,3)
series[5] = 'DTR'; set style line 5 linecolor rgb blue pointtype 13 pointsize 0.7 dashtype (6,3)
series[6] = 'Capuchin'; set style line 6 linecolor rgb green pointtype 14 pointsize 0.7 dashtype (5,2)
series[7] = 'POFO'; set style line 7 linecolor rgb pink pointtype 10 pointsize 0.7 dashtype (12,3,2,3)
series[8] = 'Checkmate rounded LP'; set style line 8 linecolor rgb red pointtype 12 pointsize 0.7 dashtype (2,2)
series[9] = 'Checkmate'; set style line 9 linecolor rgb red pointtype 4 pointsize 1 dashtype (12,2)
series[10] = 'paging only'; set style line 10 linecolor rgb blue pointtype 4 pointsize 0.9 dashtype (4,3)
series[11] = 'rematerialisation only'; set style line 11 linecolor rgb red pointtype 8 pointsize 1 dashtype (10,3)
series[12] = 'Capuchin transfers block'; set style line 12 linecolor rgb red pointtype 9 pointsize 0.7 dashtype (9,3)
series[13] = 'Capuchin transfers overlap'; set style line 13 linecolor rgb green pointtype 5 pointsize 0.6 dashtype (4,3)
series[14] = 'cut off'; set style line 14 linecolor rgb red pointtype 2 pointsize 1.2
series[15] = 'paging only infeasible'; set style line 15 linecolor rgb blue pointtype 1 pointsize 0.8
series[16] = 'rematerialisation only infeasible'; set style line 16 linecolor rgb red pointtype 10 pointsize 0.8
series[17] = 'poetbnb proven'; set style line 17 linecolor rgb ink pointtype 7 pointsize 0.5
series[18] = 'poetbnb best known'; set style line 18 linecolor rgb ink pointtype 6 pointsize 0.5 linewidth 1.3
series[19] = 'poetbnb gap above 50 %'; set style line 19 linecolor rgb ink pointtype 3 pointsize 0.9
series[20] = 'poetbnb infeasible'; set style line 20 linecolor rgb ink pointtype 2 pointsize 0.6
series[21] = 'another'; set style line 21 linecolor rgb grey pointtype 6 pointsize 0.7 dashtype (2,2)
LINED = 13 # the first of them have lines, the others marks alone
OURS = 17  # our states: proven, best known, gap above 50 %, infeasible
number(name) = (k_ = sum [k=1:|series|] (series[k] eq name ? k : 0), k_ ? k_ : |series|)

# A list of numbers between blanks, with another one.
add(list, k) = strstrt(list, sprintf(' %d ', k)) ? list : list.sprintf('%d ', k)

# ---- places: positions are in inches from the left and from the top ---------------------------------

across(x) = x / width
below(y) = 1 - y / height
LETTER = 0.066 # of a word of 8 points, on the average at most
LINE = 0.15    # from one line of text to the next
SAMPLE = 0.3   # of a line in a legend

# The legend: the series of the list `seen`, in the order of their numbers, from `legend_from` below the top of the
# page; `top` is then where it ends. There are `kinds` numbers, and name_of(k) is what the legend calls series k. Numbers
# above `bare` are names alone, without a mark.
kinds = |series|
name_of(k) = series[k]
legend_from = 0.12; bare = kinds
legend = "legend_x = 0.1; top = legend_from; tag = 0; ". \
    "do for [k=1:kinds] { if (strstrt(seen, sprintf(' %d ', k))) { ". \
    "    sample = k <= LINED ? SAMPLE : k <= bare ? 0.1 : 0; ". \
    "    wide = sample + 0.06 + LETTER * strlen(name_of(k)); ". \
    "    if (legend_x > 0.1 && legend_x + wide > width) { legend_x = 0.1; top = top + LINE }; ". \
    "    tag = tag + 2; ". \
    "    if (k <= LINED) { set arrow from screen across(legend_x), screen below(top) ". \
    "        to screen across(legend_x + sample), screen below(top) nohead linestyle k }; ". \
    "    if (k <= bare) { set label tag - 1 '' at screen across(legend_x + sample / 2), screen below(top) ". \
    "        point linestyle k }; ". \
    "    set label tag name_of(k) at screen across(legend_x + sample + 0.06), screen below(top) left ". \
    "        textcolor rgb ink; ". \
    "    legend_x = legend_x + wide + 0.12 } }; ". \
    "top = top + LINE"
no_legend = "do for [k=1:tag] { unset label k }; unset arrow; tag = 0"

# The names `words` of a panel's axes; terminals differ in where they would put them. `left` is the panel's
# left edge in inches.
left = 0.7
name_below = "set label 901 words at graph 0.5, screen below(height - 0.09) center textcolor rgb ink"
name_beside = "set label 902 words at screen across(left - 0.6), graph 0.5 center rotate by 90 textcolor rgb ink"

# Panel k of `count` side by side between these margins, and its gap to the next, all in inches.
edge(k, count, left, right, gap) = left + k * (width - left - right + gap) / count
