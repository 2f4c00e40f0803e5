/* bnb/fixing: reduced-cost fixing. */
#ifndef BNB_FIXING_H
#define BNB_FIXING_H

#include "bnb/bnb.h"

/* Reduced-cost fixing with c->d, c->dual_bound; true when a bound moved. */
bool bnb_fix_by_reduced_cost(bnb_context *c);
/* Remembers the root's reduced costs if they are of its best bound / uses them against the
 * present cutoff for all the tree. */
void bnb_fix_remember_root(bnb_context *c);
void bnb_fix_globally(bnb_context *c);

#endif
