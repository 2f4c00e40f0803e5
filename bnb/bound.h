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

/* Refines x and multipliers of the last LP, which was optimal, in at most `rounds` rounds
 * (lp/refine.h). Returns true once the bound prunes the node or the LP is proven infeasible.
 * Offers each x as a solution from `source`; NULL: offers none. No rounds if `accept` decides on
 * solutions or a proof is recorded. If nothing else helps, their unproven bound counts where the
 * model allows it. */
bool bnb_refine(bnb_context *c, int rounds, const char *source);

#endif
