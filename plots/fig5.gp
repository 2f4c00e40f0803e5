# Figure 5: ResNet-18 on the A72, ours and Capuchin.
eval begin('fig5', 7, 4.4)
set logscale y
set format y '%g'
set yrange [foot * 0.7:100]
set xrange [97:12]
set xlabel 'RAM, % of keeping everything'
set ylabel 'energy over full memory, %'
set title 'ResNet-18 (CIFAR-10) on A72 (RPi 4B)'
set key top left reverse Left samplen 2.5
plot rows('fig5', '', '', 'capuchin_sync', '1') u 4:(lifted($11)) w lp ls 9 \
         t 'Capuchin, transfers block', \
     rows('fig5', '', '', 'capuchin', '1') u 4:(lifted($11)) w lp ls 5 \
         t 'Capuchin, transfers overlap', \
     rows('fig5', '', '', 'poetbnb', '1') u 4:(lifted($11)) w l ls 1 notitle, \
     rows('fig5', '', '', 'poetbnb', '$9==1') u 4:(lifted($11)) w p ls 1 t 'poetbnb, proven', \
     rows('fig5', '', '', 'poetbnb', '$9==0') u 4:(lifted($11)) w p ls 2 t 'poetbnb, best known'
