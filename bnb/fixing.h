/* bnb/fixing: reduced-cost fixing. */
#ifndef BNB_FIXING_H
#define BNB_FIXING_H

#include "bnb/bnb.h"

/* Reduced-cost fixing with c->d and c->dual_bound; true if a bound changed. */
bool bnb_fix_by_reduced_cost(bnb_context *c);
/* The first keeps the root's reduced costs if they belong to its best bound. The second tightens
 * the bounds of the whole tree (extent cols) by them and the present cutoff. */
void bnb_remember_root_costs(bnb_context *c);
void bnb_fix_by_root_costs(const bnb_context *c, double *lower, double *upper);

/* True if picked duals may fix columns: the LP is solved to optimality, and a gap is left. */
bool bnb_picked_duals_pay(const bnb_context *c);
/* Reduced-cost fixing by duals of the last LP that are picked to fix many columns. Solves another
 * LP from the present basis. Leaves c->y, c->d and c->x unchanged. True if a bound changed. */
bool bnb_fix_by_picked_duals(bnb_context *c);

#endif
