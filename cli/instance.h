/* cli/instance: the graph and the problems that the options name, with messages on stderr. */
#ifndef CLI_INSTANCE_H
#define CLI_INSTANCE_H

#include "library/problem.h"

/* The graph of --model and --platform, or of --graph. NULL after a message. */
graph *cli_graph_open(const cli_options *options);

/* cli_budgets_read. 0, or -1 after a message. */
int cli_budgets_open(const cli_options *options, bool lists, bool least, cli_budgets *budgets);

/* cli_budgets_problem. 0, or -1 after a message. */
int cli_problem_make(const cli_options *options, const graph *g, const cli_budgets *budgets, int r,
                     int f, problem *p);

/* Reads the features and the problem of options with one budget and one deadline. least: NULL, or
 * gets whether the budget is "min", which is not allowed otherwise. Returns the graph of p, which
 * the caller frees; NULL after a message. */
graph *cli_problem_open(const cli_options *options, bool *least, unsigned *features, problem *p);

/* The features of the tight formulation after --without and --with. 0, or -1 after a message
 * that lists the names. */
int cli_features_read(const cli_options *options, unsigned *features);

#endif
