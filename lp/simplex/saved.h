/* lp/simplex/saved: a basis to go back to, with its factors. */
#ifndef LP_SAVED_H
#define LP_SAVED_H

#include "lp/simplex/engine.h"

/* Keeps a copy of factors, iterate and weights (all valid, nothing perturbed). */
void lp_saved_take(lp_solver *s);
/* True when there is a copy with the basic variables of status (extent vars). */
bool lp_saved_matches(const lp_solver *s, const unsigned char *status);
/* Goes back to the copy; bounds may be others by now (bounds_stale). O(copied bytes) */
void lp_saved_restore(lp_solver *s);
void lp_saved_free(lp_solver *s);

#endif
