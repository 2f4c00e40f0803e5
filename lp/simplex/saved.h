/* lp/simplex/saved: a stored basis with its factors, to return to. */
#ifndef LP_SAVED_H
#define LP_SAVED_H

#include "lp/simplex/engine.h"

/* Stores a copy of factors, iterate and weights. Requires that all are valid and nothing is
 * perturbed. */
void lp_saved_store(lp_solver *s);
/* True if there is a copy with the basic variables of status (extent vars). */
bool lp_saved_matches(const lp_solver *s, const unsigned char *status);
/* Restores the copy. Bounds may have changed since then: sets bounds_stale. O(copied bytes) */
void lp_saved_restore(lp_solver *s);
void lp_saved_free(lp_solver *s);

#endif
