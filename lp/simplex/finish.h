/* lp/simplex/finish: what double precision cannot decide. */
#ifndef LP_FINISH_H
#define LP_FINISH_H

#include "lp/simplex/engine.h"

/* The status that counts of a solve that ended with this one. Where a small model is in trouble, or
 * an optimum in doubt (lp_rational_is_wanted), the simplex goes on from the basis in rational
 * arithmetic and its answer becomes the results, if it has one within a limited amount of work.
 * O(entries) where there is no doubt. */
lp_status lp_engine_finish(lp_solver *s, lp_status status);

#endif
