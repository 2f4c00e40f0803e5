/* Declarations shared by the files of `poetbnb sweep`. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli/instance.h"
#include "cli/outcome.h"

/* A network on a platform within a budget and a deadline. */
typedef struct sweep_point {
    problem problem;
    bool least;        /* the budget is the smallest budget that was found */
    exact_least found; /* result of the search for it; valid if `least` */
} sweep_point;

typedef struct sweep {
    const cli_options *options;
    unsigned features;
    cli_budgets budgets;
    graph **graph; /* extent graph_count, networks or files, for each of them platforms */
    int graph_count;
    sweep_point *point; /* extent count, points of a graph together, the loosest first */
    int count;
    cli_outcomes outcomes; /* of the points, in the same order; after an interrupt of some */
    const base_flag *interrupt;
} sweep;

/* Solves the points, --jobs at once, and prints the lines of the table if there is one. 0, or -1
 * after a message. */
int sweep_run(sweep *s);

/* True if x grants as much memory and time as y, or more. */
bool sweep_grants(const problem *x, const problem *y);

#endif
