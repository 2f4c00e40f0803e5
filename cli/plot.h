/* cli/plot: pictures, drawn by gnuplot: of a schedule, nodes x stages, and beside it the memory of
 * every stage against the budget; and of a sweep or a comparison, overhead against memory. */
#ifndef CLI_PLOT_H
#define CLI_PLOT_H

#include "cli/outcome.h"
#include "problem/schedule.h"

/* 0 when the file's name ends in .pdf, .png, .svg, or .gp (the gnuplot script itself), gnuplot
 * can be found where it is needed and the file can be written; else -1 with an error. */
int cli_plot_check(const char *path, base_error *error);

/* Writes the picture of s, a valid schedule of p. method (may be NULL) is for the title. The
 * file appears whole or not at all. 0, or -1 with an error. */
int cli_plot_write(const char *path, const problem *p, const schedule *s, const char *method,
                   base_error *error);

/* Writes the picture of rows: the overhead at each budget, one line for each graph, method and
 * deadline. Other conditions as for cli_plot_write. */
int cli_frontier_write(const char *path, const cli_outcomes *rows, base_error *error);

/* Draws a picture of `inches` in height. print writes the script for gnuplot, which comes after
 * plots/style.gp. */
typedef void (*cli_plot_print)(const void *data, FILE *out);
int cli_plot_draw(const char *path, double inches, cli_plot_print print, const void *data,
                  base_error *error);
/* Prints a text for gnuplot, cleaned and in quotes. */
void cli_plot_quoted(const char *text, FILE *out);

/* The scripts of plots/, which the Makefile makes into texts. */
extern const char cli_plot_style[], cli_plot_schedule[], cli_plot_frontier[];

#endif
