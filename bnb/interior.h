/* bnb/interior: multipliers inside the dual. */
#ifndef BNB_INTERIOR_H
#define BNB_INTERIOR_H

#include "bnb/bnb.h"

/* Changes c->y, c->d and c->dual_bound, which rounding errors have left without a bound, into those
 * of multipliers further inside; returns what is proven, -INFINITY if nothing is. The first call
 * solves an LP with a row for each column of the model without two finite bounds. */
double bnb_interior_bound(bnb_context *c);

#endif
