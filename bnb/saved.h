/* bnb/saved: saves and restores the state of a node around a trial (strong branching, a
 * heuristic). */
#ifndef BNB_SAVED_H
#define BNB_SAVED_H

#include "bnb/bnb.h"

typedef struct bnb_saved {
    unsigned char *basis; /* of the LP: columns, then rows */
    double *x, *d, *y;    /* of the context; y: extent rows */
    double bound, dual_bound, objective;
    int rows;
} bnb_saved;

/* Copies the context's LP solution, bounds and basis, but not the domain. O(columns + rows). */
bnb_saved bnb_save(bnb_context *c);
/* Restores the basis, and passes the domain's bounds to the LP. */
void bnb_restore_basis(bnb_context *c, const bnb_saved *s);
/* Restores everything but the basis, and frees s. */
void bnb_restore(bnb_context *c, bnb_saved *s);

#endif
