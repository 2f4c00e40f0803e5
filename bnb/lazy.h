/* bnb/lazy: model rows that enter the LP only when its solution violates them. */
#ifndef BNB_LAZY_H
#define BNB_LAZY_H

#include "bnb/bnb.h"

/* Adds lazy rows that x violates by at least `part` of the largest violation. With `tight`, also
 * adds rows that hold with equality and have a nonzero column. Returns the number of rows added;
 * 0 if x violates none. */
int bnb_lazy_add_violated(bnb_context *c, double part, bool tight);
/* Adds lazy rows that x violates or that hold with equality: with the same bound, they may have
 * nonzero multipliers. Returns the number of rows added; if it is positive, the LP must be solved
 * again. */
int bnb_lazy_add_tight(bnb_context *c);

#endif
