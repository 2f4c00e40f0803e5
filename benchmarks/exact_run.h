/* benchmarks/exact_run: one run of `poetbnb solve' on a case, kept as JSON; and the figures in it.
 */
#ifndef BENCHMARKS_EXACT_RUN_H
#define BENCHMARKS_EXACT_RUN_H

#include "benchmarks/exact_case.h"
#include "benchmarks/store.h"

/* Figures of a run; NAN and -1 where there are none. Overheads and bounds in base/10000. */
typedef struct exact_figures {
    char status[24];
    bool proven; /* optimal or infeasible */
    double limit, seconds, cpu_seconds;
    double overhead, bound, gap, root_bound, root_bound_cuts;
    double work; /* 10^9 steps */
    long nodes, lp_iterations, cuts;
    double peak_bytes; /* of the solver's process */
} exact_figures;

/* Runs the program on the case with one thread, the time limit and further options ("" for none),
 * then `poetbnb check' on the schedule. name is for its files in the store. Returns
 *   {"limit", "exit", "cpu_seconds", "peak_kilobytes", "checked", "output", "errors"}
 * or NULL: interrupted, or with an error text. */
json_t *exact_run(const bench_store *store, const exact_case *c, const char *name, double limit,
                  const char *options, const base_flag *interrupt, base_error *error);

/* status is "failed" when the program crashed or its schedule was refused. */
exact_figures exact_run_figures(const json_t *result);

/* The part of the way from zero to the overhead that the root's bound covers, 0 to 1: that of the
 * LP over the windows, or where the run did without, of the run. */
double exact_run_covered(const exact_figures *f, double overhead);

#endif
