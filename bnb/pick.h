/* bnb/pick: reduced-cost fixing by duals that were picked for it. */
#ifndef BNB_PICK_H
#define BNB_PICK_H

#include "bnb/bnb.h"

/* True if picked duals may fix something: the LP is solved, and there is a gap. */
bool bnb_picked_duals_pay(const bnb_context *c);
/* The same, when they may, with duals of the LP just solved that were picked so that many columns
 * are fixed; c->y, c->d and c->x stay those of the LP. Another LP, from the present basis. */
bool bnb_fix_by_picked_duals(bnb_context *c);

#endif
