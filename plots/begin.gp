# What a figure's script begins with, which has said `here`, the folder of the scripts:
#   call here.'begin.gp' FOLDER NAME DATA
# folder and name are then the first two, file is FOLDER/DATA, and no series has been seen.
folder = ARG1
name = ARG2
file = folder.'/'.ARG3
set terminal unknown
load here.'style.gp'
lines = 0
stats file using (lines = lines + 1, 1) nooutput
if (!lines) {
    printerr 'expected: a folder where make bench has written '.ARG3.', got '.folder
    exit status 2
}
seen = ' '
