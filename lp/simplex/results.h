/* lp/simplex/results: unscaled results of the iterate. */
#ifndef LP_RESULTS_H
#define LP_RESULTS_H

#include "lp/simplex/engine.h"

/* Results, computed from the iterate on request. */
typedef struct lp_results {
    bool farkas_proves; /* farkas proves infeasibility free of rounding */
    bool have_primal, have_dual, have_farkas, have_ray, have_objective;
    double *x, *d, *activity, *y, *farkas, *ray; /* extents cols, cols, rows, rows, rows, cols */
    double objective;
} lp_results;

void lp_results_reset(lp_solver *s);
void lp_results_free(lp_solver *s);
/* Returns a lower bound on the objective from the present d, with the offset. */
double lp_results_dual_bound(lp_solver *s);
/* Takes multipliers from rho with the given sign. True if they prove infeasibility strictly, or
 * with within_rounding up to rounding errors. */
bool lp_results_compute_farkas(lp_solver *s, double sign, bool within_rounding);
/* Stores multipliers that prove infeasibility, extent rows, unscaled. */
void lp_results_store_farkas(lp_solver *s, const double *y);

#endif
