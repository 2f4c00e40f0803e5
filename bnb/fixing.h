/* bnb/fixing: reduced-cost fixing. */
#ifndef BNB_FIXING_H
#define BNB_FIXING_H

#include "bnb/bnb.h"

/* Reduced-cost fixing with c->d and c->dual_bound; true if a bound changed. */
bool bnb_fix_by_reduced_cost(bnb_context *c);
/* The first stores the root's reduced costs if they belong to its best bound. The second uses
 * them to tighten bounds of the whole tree if the cutoff has improved. */
void bnb_fix_remember_root(bnb_context *c);
void bnb_fix_globally(bnb_context *c);

#endif
