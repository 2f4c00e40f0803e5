/* library/problem: from options to a problem and to the parameters of its search, for the command
 * line and for poetbnb_solve. Errors begin with the name of the option. */
#ifndef LIBRARY_PROBLEM_H
#define LIBRARY_PROBLEM_H

#include "base/number.h"
#include "baselines/starts.h"
#include "exact/exact.h"
#include "library/options.h"

/* A word of --ram-budget, or a step of a range. */
typedef struct cli_ram {
    base_amount amount;
    bool least;       /* "min", regardless of the amount */
    bool above_least; /* counts only if it is larger */
} cli_ram;

/* The budgets of --ram-budget and --runtime-budget. */
typedef struct cli_budgets {
    int ram_count, factor_count; /* >= 1 */
    cli_ram *ram;                /* extent ram_count */
    double *factor;              /* of the base time, INFINITY: no deadline; extent factor_count */
} cli_budgets;

/* Reads both options. lists: lists of values are allowed; least: "min" is allowed. Returns 0, or -1
 * with an error; then there is nothing to clear. */
int cli_budgets_read(const cli_options *options, bool lists, bool least, cli_budgets *budgets,
                     base_error *error);
void cli_budgets_clear(cli_budgets *budgets);

/* Makes the problem with ram budget number r and deadline factor number f of the lists, and the
 * rules of the options. For "min" the budget is the memory that keeping everything takes. The graph
 * is borrowed. 0, or -1 with an error (a budget beyond 63 bits). */
int cli_budgets_problem(const cli_options *options, const graph *g, const cli_budgets *budgets,
                        int r, int f, problem *p, base_error *error);

/* Threads of a search: --solve-threads, else base_threads(), shared by --jobs. */
int cli_threads(const cli_options *options);

/* Parameters of the exact solver. starts is kept by reference. log: where the solver's log goes,
 * NULL: nowhere. */
exact_params cli_exact_params(const cli_options *options, const base_limits *limits,
                              unsigned features, const baseline_starts *starts, FILE *log);

/* Searches for the smallest budget of p within the limits. The budget in p is ignored. */
exact_least cli_exact_least(const cli_options *options, const base_limits *limits,
                            unsigned features, const problem *p);

/* With --order=search: returns the graph of p in an order of the nodes with cheaper schedules; the
 * caller frees it. NULL: keep the given order, as asked for, or since no better one was found
 * within the limits. */
graph *cli_graph_reordered(const cli_options *options, const base_limits *limits, const problem *p);

/* The methods' options. limits is kept by reference. */
baseline_options cli_baseline_options(const cli_options *options, const base_limits *limits);

/* baseline_starts_make with the words of --warm-start. 0, or -1 with an error. */
int cli_starts_make(const cli_options *options, const problem *p, const base_limits *limits,
                    FILE *log, baseline_starts *starts, base_error *error);

/* The last word belongs to the validator: a schedule that breaks a rule is dropped, and the result
 * becomes EXACT_FAILED. 0, or -1 with an error. */
int cli_result_check(const problem *p, exact_result *result, base_error *error);

#endif
