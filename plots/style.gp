# What all figures share. Every script is started in the folder of the results with
#     gnuplot -e "format='pdf'" .../plots/style.gp .../plots/fig3.gp
# (format: pdf, png, svg), reads NAME.csv there and writes NAME.format. No path is part of
# a script or of the shell commands in it.
#
# The same method has the same mark, dash and colour everywhere; marks and dashes alone
# tell the methods apart in grey. Ours: a filled circle where the optimum is proven, an
# open one where only the best known schedule is drawn.

begin(name, w, h) = sprintf("%s size %s; set output '%s.%s'", \
    format eq 'pdf' ? 'set terminal pdfcairo noenhanced font "Helvetica,10"' : \
    format eq 'svg' ? 'set terminal svg noenhanced dynamic background rgb "white" font "Helvetica,13"' : \
    'set terminal pngcairo noenhanced font "Helvetica,13"', \
    format eq 'pdf' ? sprintf('%gin,%gin', w, h) : sprintf('%d,%d', 120 * w, 120 * h), \
    name, format)

set datafile separator ','
set datafile missing NaN
set border 3
set tics out nomirror
set grid ytics lc rgb '#e4e4e4' lt 1 lw 0.5

# Rows of NAME.csv with that network, platform and method (empty: any), sorted by the
# budget so that lines do not jump; `more' is a further condition of awk.
rows(name, network, platform, method, more) = sprintf( \
    "< awk -F, '(\"%s\"==\"\" || $1==\"%s\") && (\"%s\"==\"\" || $2==\"%s\") && (\"%s\"==\"\" || $6==\"%s\") && $11!=\"NaN\" && (%s)' %s.csv | sort -t, -k4,4n; echo NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN,NaN", \
    network, network, platform, platform, method, method, more, name)

# method: style number; poetbnb 1
set style line 1 lc rgb '#000000' lw 2.2 pt 7 ps 0.8 dt 1
set style line 2 lc rgb '#000000' lw 2.2 pt 6 ps 0.9 dt 1
set style line 3 lc rgb '#d55e00' lw 1.3 pt 9 ps 0.8 dt 1
set style line 4 lc rgb '#0072b2' lw 1.3 pt 5 ps 0.7 dt 2
set style line 5 lc rgb '#009e73' lw 1.3 pt 11 ps 0.8 dt 3
set style line 6 lc rgb '#cc79a7' lw 1.3 pt 13 ps 0.8 dt 4
set style line 7 lc rgb '#e69f00' lw 1.3 pt 8 ps 0.9 dt 5
set style line 8 lc rgb '#56b4e9' lw 1.3 pt 4 ps 0.8 dt 6
set style line 9 lc rgb '#808080' lw 1.3 pt 2 ps 0.8 dt 1
set style line 10 lc rgb '#808080' lw 1.3 pt 1 ps 0.8 dt 2
methods = 'checkmate dtr capuchin pofo_ap chen_greedy chen_sqrtn revolve checkpoint_all'
method_style(m) = m eq 'checkmate' ? 3 : m eq 'dtr' ? 4 : m eq 'capuchin' ? 5 : \
    m eq 'pofo_ap' ? 6 : m eq 'chen_greedy' ? 7 : m eq 'chen_sqrtn' ? 8 : \
    m eq 'revolve' ? 9 : 10
title_of(m) = m eq 'vgg16_cifar' ? 'VGG16 (CIFAR-10)' : m eq 'resnet18_cifar' ? 'ResNet-18 (CIFAR-10)' : \
    m eq 'bert' ? 'BERT' : m eq 'm0' ? 'M0 (MKR1000)' : m eq 'm4' ? 'M4 (nRF52840)' : \
    m eq 'a72' ? 'A72 (RPi 4B)' : m eq 'jetsontx2' ? 'TX2 (Jetson)' : m eq 'poetbnb' ? 'poetbnb' : m

# Overheads of nothing have no place on a logarithmic axis: they are drawn at its foot.
foot = 1e-3
lifted(x) = x < foot ? foot : x
