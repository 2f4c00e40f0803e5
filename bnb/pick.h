/* bnb/pick: reduced-cost fixing by duals that are chosen for it. */
#ifndef BNB_PICK_H
#define BNB_PICK_H

#include "bnb/bnb.h"

/* True if picked duals may fix columns: the LP is solved to optimality, and a gap is left. */
bool bnb_picked_duals_pay(const bnb_context *c);
/* Reduced-cost fixing by duals of the last LP that are picked to fix many columns. Solves another
 * LP from the present basis. Leaves c->y, c->d and c->x unchanged. True if a bound changed. */
bool bnb_fix_by_picked_duals(bnb_context *c);

#endif
