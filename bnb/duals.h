/* bnb/duals: the multipliers of a node's LP, the bound they prove, and their reduced costs. */
#ifndef BNB_DUALS_H
#define BNB_DUALS_H

#include "bnb/bnb.h"

/* Sets c->y to the multipliers y (extent the LP's rows), or to nearby multipliers that prove more
 * (lp_safe_bound_mend). Sets c->dual_bound and c->d to the bound they prove within the domain and
 * to their reduced costs. Returns the bound. */
double bnb_store_duals(bnb_context *c, const double *y);
/* Takes zero multipliers, for example where no LP has left any. */
void bnb_store_zero_duals(bnb_context *c);
/* Sets c->y to y (extent the LP's rows), a candidate for a proof that the LP is infeasible; c->d
 * and c->dual_bound become void. */
void bnb_keep_farkas(bnb_context *c, const double *y);
/* True if the bound prunes the node. With a proof listener, the multipliers c->y must prove it. */
bool bnb_bound_prunes(const bnb_context *c);
/* Save and restore c->y around a trial. The first returns a copy for the LP's present rows. The
 * second gives rows added since then zero duals, and frees the copy. */
double *bnb_duals_save(bnb_context *c);
void bnb_duals_restore(bnb_context *c, double *y, int rows);

#endif
