/* bnb/lazy: rows that are kept out of the LP until they matter. */
#ifndef BNB_LAZY_H
#define BNB_LAZY_H

#include "bnb/bnb.h"

/* Adds the lazy rows that x violates, all that are as bad as the given part of the worst, and with
 * `tight` those that it meets exactly with a column that is not zero; how many. None if none is
 * violated. */
int bnb_lazy_add_violated(bnb_context *c, double part, bool tight);
/* Adds those that x meets exactly (or violates): at the same bound they may have multipliers, too.
 * How many; the LP is to be solved again then. */
int bnb_lazy_add_tight(bnb_context *c);

#endif
