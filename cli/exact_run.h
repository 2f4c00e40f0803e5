/* cli/exact_run: one run of the exact solver, for solve, compare and sweep. */
#ifndef CLI_EXACT_RUN_H
#define CLI_EXACT_RUN_H

#include "exact/exact.h"

/* Exit status that belongs to the result. */
int cli_exact_exit(const exact_result *result);

/* Prints the work of each part of the search as a table; nothing if there was none. */
void cli_exact_print_profile(FILE *stream, const exact_result *result);
/* The answer in sentences with units. */
void cli_exact_print(FILE *stream, const problem *p, const exact_result *result, double seconds);

#endif
