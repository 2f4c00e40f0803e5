/* cli/instance: the graph and the problems that the options name. */
#ifndef CLI_INSTANCE_H
#define CLI_INSTANCE_H

#include "base/number.h"
#include "cli/options.h"
#include "problem/graph.h"

/* The graph of --model and --platform, or of --graph. NULL after a message on stderr. */
graph *cli_graph_open(const cli_options *options);

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
 * after a message; then there is nothing to clear. */
int cli_budgets_read(const cli_options *options, bool lists, bool least, cli_budgets *budgets);
void cli_budgets_clear(cli_budgets *budgets);

/* Makes the problem with ram budget number r and deadline factor number f of the lists, and the
 * rules of the options. For "min" the budget is the memory that keeping everything takes. The graph
 * is borrowed. 0, or -1 after a message (a budget beyond 63 bits). */
int cli_problem_make(const cli_options *options, const graph *g, const cli_budgets *budgets, int r,
                     int f, problem *p);

/* Reads the features and the problem of options with one budget and one deadline. Returns the graph
 * of p, which the caller frees; NULL after a message. */
graph *cli_problem_open(const cli_options *options, unsigned *features, problem *p);

/* The features of the tight formulation after --without and --with. 0, or -1 after a message
 * that lists the names. */
int cli_features_read(const cli_options *options, unsigned *features);

/* For --order=search: returns the graph of p in an order of the nodes with cheaper schedules; the
 * caller frees it. NULL: keep the given order, since no better one was found within the limits. */
graph *cli_graph_reordered(const cli_options *options, const base_limits *limits, const problem *p);

#endif
