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
/* Returns a copy of c->y for the LP's present rows, to be freed. */
double *bnb_duals_save(bnb_context *c);

/* State of a node around a trial: strong branching, a heuristic. */
typedef struct bnb_saved {
    unsigned char *basis; /* of the LP: columns, then rows */
    double *x, *d, *y;    /* of the context; y: extent rows */
    double bound, dual_bound, objective;
    int rows;
} bnb_saved;

/* Copies the context's LP solution, bounds and basis, but not the domain. O(columns + rows). */
bnb_saved bnb_save(bnb_context *c);
/* Passes the domain's bounds to the LP and restores the basis. Slacks of rows added since then
 * become basic. */
void bnb_restore_basis(bnb_context *c, const bnb_saved *s);
/* Restores everything but the basis, and frees s. */
void bnb_restore(bnb_context *c, bnb_saved *s);

#endif
