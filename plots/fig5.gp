# Figure 5: gnuplot -c plots/fig5.gp build/bench
name = 'fig5'; here = ARG0[1:strlen(ARG0) - strlen('fig5.gp')]
panel = 2.0
call here.'begin.gp' ARG1 name.'_drawn.csv'
load here.'energy.gp'
