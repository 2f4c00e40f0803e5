# Figure 4: gnuplot -c plots/fig4.gp build/bench
name = 'fig4'; here = ARG0[1:strlen(ARG0) - strlen('fig4.gp')]
panel = 1.6
call here.'begin.gp' ARG1 name.'_drawn.csv'
load here.'energy.gp'
