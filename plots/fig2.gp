# Figure 2, a schedule: gnuplot -c plots/fig2.gp build/bench
here = ARG0[1:strlen(ARG0) - strlen('fig2.gp')]
call here.'begin.gp' ARG1 'fig2' 'fig2.csv'
cells = file
memory = folder.'/fig2_memory.csv'
nodes = folder.'/fig2_nodes.csv'
over = ''; under = ''
n = 0; longest = 0; budget = 0
stats nodes using (n = n + 1, longest = strlen(strcol('name')) > longest ? strlen(strcol('name')) : longest, \
    budget = column('budget_bytes')) nooutput
height = 2.9 + LETTER * longest
do for [kind in 'pdf png svg dark'] {
    load here.'style.gp'
    load here.'schedule.gp'
    unset output
}
