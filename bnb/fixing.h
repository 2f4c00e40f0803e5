/* bnb/fixing: reduced-cost fixing. */
#ifndef BNB_FIXING_H
#define BNB_FIXING_H

#include "bnb/bnb.h"

/* Reduced-cost fixing with c->d and c->dual_bound; true if a bound changed. */
bool bnb_fix_by_reduced_cost(bnb_context *c);

#endif
