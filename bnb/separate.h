/* bnb/separate: rounds of cuts. */
#ifndef BNB_SEPARATE_H
#define BNB_SEPARATE_H

#include "bnb/bnb.h"

/* One round of cuts on c->x, the solution of the last LP. Returns the number of cuts added to the
 * LP. Cuts that did not bind in more than max_age rounds leave the LP first. */
int bnb_separate(bnb_context *c, int limit, int max_age);

#endif
