/* bnb/duals: the multipliers of a node's LP, what they prove, and their reduced costs. */
#ifndef BNB_DUALS_H
#define BNB_DUALS_H

#include "bnb/bnb.h"

/* Sets c->y, c->d and c->dual_bound to the multipliers y (extent the LP's rows), or to those next
 * to y that prove more (lp_safe_bound_mend), and what they prove within the domain: the bound and
 * the reduced costs are always those of c->y. Returns what is proven. */
double bnb_take_duals(bnb_context *c, const double *y);
/* The same with zeros: where no LP has left any. */
void bnb_take_no_duals(bnb_context *c);
/* Makes y (extent the LP's rows), which may prove that the LP has no solution, c->y: c->d and
 * c->dual_bound are void. */
void bnb_keep_farkas(bnb_context *c, const double *y);
/* Does a bound prune by now? For a certificate it must be that of the multipliers at hand. */
bool bnb_bound_prunes(const bnb_context *c);
/* A copy of c->y for the LP's present rows / back again after a trial that may have added
 * rows (zero duals); frees the copy. */
double *bnb_duals_save(bnb_context *c);
void bnb_duals_restore(bnb_context *c, double *y, int rows);

#endif
