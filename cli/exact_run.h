/* cli/exact_run: one run of the exact solver, for solve, compare and sweep. */
#ifndef CLI_EXACT_RUN_H
#define CLI_EXACT_RUN_H

#include "cli/options.h"
#include "cli/starts.h"
#include "exact/exact.h"

/* Parameters from the options. starts is kept by reference. log: where the solver's log
 * goes, NULL: nowhere. */
exact_params cli_exact_params(const cli_options *options, const base_limits *limits,
                              unsigned features, const baseline_starts *starts, FILE *log);

/* Searches for the smallest budget of p within the limits. The budget in p is ignored. */
exact_least cli_exact_least(const cli_options *options, const base_limits *limits,
                            unsigned features, const problem *p);

/* Exit status that belongs to the result. */
int cli_exact_exit(const exact_result *result);

/* Prints the work of each part of the search as a table; nothing if there was none. */
void cli_exact_print_profile(FILE *stream, const exact_result *result);
/* The answer in sentences with units. */
void cli_exact_print(FILE *stream, const problem *p, const exact_result *result, double seconds);

#endif
