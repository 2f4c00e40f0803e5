/* bnb/saved: what a trial at a node (strong branching, a heuristic) must leave as it found it. */
#ifndef BNB_SAVED_H
#define BNB_SAVED_H

#include "bnb/bnb.h"

typedef struct bnb_saved {
    unsigned char *basis; /* of the LP: columns, then rows */
    double *x, *d, *y;    /* of the context; y: extent rows */
    double bound, dual_bound, objective;
    int rows;
} bnb_saved;

/* The context's LP solution, bounds and basis, but for the domain. O(columns + rows). */
bnb_saved bnb_save(bnb_context *c);
/* The basis again, for the LP with the domain's bounds. */
void bnb_restore_basis(bnb_context *c, const bnb_saved *s);
/* All but the basis, and frees s. */
void bnb_restore(bnb_context *c, bnb_saved *s);

#endif
