# What a figure's script begins with, which has said `name` and `here`, the folder of the scripts:
#   call here.'begin.gp' FOLDER DATA
# folder is then FOLDER, file is DATA in it, and no series has been seen.
folder = ARG1
file = folder.'/'.ARG2
set terminal unknown
load here.'style.gp'
lines = 0
stats file using (lines = lines + 1, 1) nooutput
if (!lines) {
    printerr 'expected: gnuplot -c '.here.name.'.gp FOLDER, where make bench has written FOLDER/'.ARG2
    exit status 2
}
seen = ' '
