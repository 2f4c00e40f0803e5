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

#endif
