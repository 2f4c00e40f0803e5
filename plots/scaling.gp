# Beyond the paper: time against the number of nodes.
eval begin('scaling', 7, 4.4)
set logscale xy
set xrange [14:600]
set xtics (20, 50, 100, 200, 400)
set xlabel 'nodes n'
set ylabel 'seconds, one thread'
set title 'Time to the proof on A72 (open: stopped at the limit)'
set key top left
set offsets 0, 0, 0, 0
unset grid
set grid lc rgb '#e4e4e4' lt 1 lw 0.5
set yrange [0.001:1000]
plot rows('scaling', '', '', '', '$9==1') u 3:24 w p ls 1 ps 1 t 'proven', \
     rows('scaling', '', '', '', '$9==0') u 3:24 w p ls 2 ps 1.1 t 'limit', \
     "< awk -F, 'NR>1 && $1!=p {p=$1; print $1 \",\" $3}' scaling.csv" u 2:(0.0015):1 \
         w labels rotate by 55 left font ',8' notitle
