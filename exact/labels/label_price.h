/* exact/labels/label_price: prices of RAM in each stage, and the bound that they give for the
 * stages before a label (exact/labels/label_set.h). Not for others.
 *
 * Between two uses a tensor stays, and takes its bytes in each stage between them, or is brought
 * back. Let a byte have a price in each stage. Then a schedule costs at least the sum over these
 * gaps of the lesser of both, less the price of the RAM that the stages' own nodes leave. */
#ifndef EXACT_LABEL_PRICE_H
#define EXACT_LABEL_PRICE_H

#include "problem/graph.h"

typedef struct label_price {
    const problem *p;
    double *price; /* joules per byte and stage, extent n */
    double *sum;   /* of the prices of earlier stages, extent n + 1 */
    double *back;  /* least joules to bring a tensor back, extent n; INFINITY: it stays */
    int *gaps;     /* number of gaps of a tensor, at least 1, extent n */
    double *room;  /* bytes that a stage's own node leaves, extent n */
    double target; /* joules that no bound need exceed */
    /* Of the stages before one, see label_price_before: */
    double base;    /* bound if nothing is wanted */
    double *wanted; /* added for a wanted tensor, extent n */
    double *stored; /* taken off for a tensor with a paid page-out, extent n */
} label_price;

/* Chooses the prices by subgradient steps towards the bound `target`, joules. */
label_price label_price_open(const problem *p, double target);
void label_price_close(label_price *l);
/* Raises the bound of the stages before t by other prices. share[i]: the part of the labels there
 * with tensor i wanted (extent n). At most `steps` subgradient steps. O(steps (n + edges)) */
void label_price_aim(label_price *l, int t, const double *share, double target, int steps);
/* Sets base, wanted and stored for the stages before t. Rounding errors are subtracted, for
 * up to 2n additions of `wanted` and `stored`. O(n + edges) */
void label_price_before(label_price *l, int t);

#endif
