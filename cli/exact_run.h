/* cli/exact_run: one run of the exact solver, for solve, compare and sweep. */
#ifndef CLI_EXACT_RUN_H
#define CLI_EXACT_RUN_H

#include <jansson.h>

#include "cli/options.h"
#include "cli/starts.h"
#include "exact/exact.h"

/* Parameters from the options. starts is kept by reference. log: where the solver's log
 * goes, NULL: nowhere. */
exact_params cli_exact_params(const cli_options *options, const base_limits *limits,
                              unsigned features, const cli_starts *starts, FILE *log);

/* Exit status that belongs to the result. */
int cli_exact_exit(const exact_result *result);

/* "optimal", "within gap" (of --gap, not optimal), "infeasible", "feasible" (stopped, with a
 * schedule), "unknown" (stopped, without), "failed" (an internal check). */
const char *cli_exact_status(const exact_result *result);

/* (overhead - bound) / overhead; 0 when they meet, NAN without a schedule. */
double cli_exact_gap(const exact_result *result);

/* One object with every figure of the result. */
json_t *cli_exact_json(const problem *p, const exact_result *result, double seconds);

/* The answer in sentences with units. */
void cli_exact_print(FILE *stream, const problem *p, const exact_result *result, double seconds);

/* Writes the schedule as a schedule file. */
void cli_exact_write(FILE *stream, const problem *p, const exact_result *result);

#endif
