# Processor time of every seed, a line an instance: gnuplot -c plots/seeds.gp build/bench
name = 'seeds'; here = ARG0[1:strlen(ARG0) - strlen('seeds.gp')]
call here.'begin.gp' ARG1 'seeds_drawn.csv'
longest = 0
stats file using (seen = add(seen, number(strcol('series'))), \
    longest = strlen(strcol('name')) > longest ? strlen(strcol('name')) : longest, column('place')) \
    nooutput name 'PLACES'
height = 0.75 + 0.2 * (PLACES_max + 1)
seconds(k) = number(strcol('series')) == k ? column('seconds') : NaN

do for [kind in 'pdf png svg dark'] {
    load here.'style.gp'
    eval legend
    eval margins
    set lmargin at screen across(0.2 + LETTER * longest)
    set grid xtics ytics
    set logscale x
    set format x '%g'
    set yrange [PLACES_max + 0.6 : -0.6]
    set ytics ()
    words = 'processor seconds to the proof or limit'; eval name_below
    plot for [k in seen] file using (seconds(k + 0)):'place':ytic(strcol('name')) \
        notitle with points linestyle k + 0
    unset output
}
