/* bnb/separate: rounds of cuts. */
#ifndef BNB_SEPARATE_H
#define BNB_SEPARATE_H

#include "bnb/bnb.h"

/* One round of cuts on c->x, the solution of the LP just solved; returns how many went into
 * the LP. Cuts whose slack was basic for more than max_age rounds leave it then. */
int bnb_separate(bnb_context *c, int limit, int max_age);

#endif
