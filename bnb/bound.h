/* bnb/bound: bounds a node by its LP. */
#ifndef BNB_BOUND_H
#define BNB_BOUND_H

#include "bnb/bnb.h"

/* Outcome of an LP of a node. */
typedef enum bnb_outcome {
    BNB_LP_SOLVED = 0, /* optimal: x, d, y, objective and bound are set */
    BNB_LP_PRUNED,     /* proven: no solution below the cutoff in this node */
    BNB_LP_ITERATIONS, /* iteration limit: bound is set */
    BNB_LP_UNPROVEN,   /* the LP claims infeasibility or failed: nothing proven */
    BNB_LP_UNBOUNDED,
    BNB_LP_STOPPED /* a limit of the run was reached */
} bnb_outcome;

/* Solves the LP within the domain, adds violated lazy rows, and evaluates the result. The limit
 * counts simplex iterations. */
bnb_outcome bnb_relaxation_solve(bnb_context *c, long limit);

/* Improves c->bound by the unproven bound of the multipliers c->y, if the model allows that it
 * counts. Returns true if the bound prunes the node. */
bool bnb_use_unproven_bound(bnb_context *c);

#endif
