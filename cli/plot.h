/* cli/plot: a picture of a schedule: nodes x stages, and beside it the memory of every stage
 * against the budget. Drawn by gnuplot. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "problem/schedule.h"

/* 0 when the file's name ends in .pdf, .png, .svg, or .gp (the gnuplot script itself), gnuplot
 * can be found where it is needed and the file can be written; else -1 with an error. */
int cli_plot_check(const char *path, base_error *error);

/* Writes the picture of s, a valid schedule of p. method (may be NULL) is for the title. The
 * file appears whole or not at all. 0, or -1 with an error. */
int cli_plot_write(const char *path, const problem *p, const schedule *s, const char *method,
                   base_error *error);

#endif
