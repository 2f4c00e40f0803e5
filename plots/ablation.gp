# Beyond the paper: the features of the formulation, one left out at a time: time to the
# proof, and the LP bound at the root.
eval begin('ablation', 10, 4.4)
set multiplot
set style fill solid 0.9 border lc rgb '#000000'
set boxwidth 0.6
set xtics rotate by 40 right
all = "< awk -F, 'NR>1 {v=$7; if (v==\"both\") v=\"all features\"; sub(\"without_\",\"no \",v); if (v==\"no all\") v=\"no features\"; if (v==\"cold\") v=\"no start\"; print v \",\" $24 \",\" $9 \",\" $21 \",\" $22 \",\" $10}' ablation.csv"
set tmargin at screen 0.88
set bmargin at screen 0.26
set lmargin at screen 0.08
set rmargin at screen 0.48
set title 'VGG16 on A72, 60 % of the memory: time' offset 0,-0.5
set ylabel 'seconds (hatched: limit, no proof)'
set yrange [0:*]
plot all u 0:($3 == 1 ? $2 : NaN):xtic(1) w boxes fc rgb '#b0b0b0' notitle, \
     all u 0:($3 == 0 ? $2 : NaN) w boxes fs pattern 4 fc rgb '#d55e00' notitle
set lmargin at screen 0.58
set rmargin at screen 0.98
set title 'LP bound at the root, % of the best overhead' offset 0,-0.5
set ylabel '%'
stats all u 6 nooutput
best = STATS_min
set yrange [0:105]
set key bottom right opaque
set xrange [-0.6:*]
plot all u 0:(100 * $5 / best):xtic(1) w p ls 1 ps 0.8 t 'after cuts', \
     all u 0:(100 * $4 / best) w p ls 8 ps 1.6 t 'before cuts'
unset multiplot
