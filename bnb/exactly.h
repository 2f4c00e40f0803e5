/* bnb/exactly: LPs in rational arithmetic. */
#ifndef BNB_EXACTLY_H
#define BNB_EXACTLY_H

#include "bnb/bnb.h"

/* What an LP of a node ends with. */
typedef enum bnb_outcome {
    BNB_LP_SOLVED = 0, /* optimal: x, d, y, objective and bound are set */
    BNB_LP_PRUNED,     /* proven: nothing below the cutoff here */
    BNB_LP_ITERATIONS, /* iteration limit: bound is set */
    BNB_LP_UNPROVEN,   /* the LP claims infeasibility or failed: nothing proven */
    BNB_LP_UNBOUNDED,
    BNB_LP_STOPPED /* a limit of the run */
} bnb_outcome;

/* Models of at most so many rows are too small for tolerances to decide anything. */
#define BNB_MOST_EXACT_ROWS 100
/* Solves the LP within the domain in rational arithmetic, from the solver's basis: BNB_LP_SOLVED
 * and BNB_LP_PRUNED as bnb_relaxation_solve, BNB_LP_UNBOUNDED, or BNB_LP_UNPROVEN where that would
 * take too much work. */
bnb_outcome bnb_relaxation_solve_exactly(bnb_context *c);
/* The same for an LP that is solved, but whose duals prove less than its objective; BNB_LP_SOLVED
 * also where nothing more is proven. */
bnb_outcome bnb_bound_exactly(bnb_context *c);
/* Gives the continuous columns of a solution (the caller's columns) their best values in rational
 * arithmetic, and *objective what it is then; false, and both as they were, where it takes too much
 * work or these integers have no exact solution. */
bool bnb_complete_exactly(bnb_context *c, double *full, double *objective);

#endif
