/* benchmarks/arguments: what the programs' command lines have in common. */
#ifndef BENCHMARKS_ARGUMENTS_H
#define BENCHMARKS_ARGUMENTS_H

#include <argp.h>

/* The number that an option's text stands for, from 0 to 1e7; anything else ends the program
 * with an error that shows the text. */
double bench_parse_number(struct argp_state *state, const char *text);

#endif
