# Figure 3: gnuplot -c plots/fig3.gp build/bench
name = 'fig3'; here = ARG0[1:strlen(ARG0) - strlen('fig3.gp')]
panel = 1.85
call here.'begin.gp' ARG1 name.'_drawn.csv'
load here.'energy.gp'
