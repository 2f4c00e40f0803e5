/* lp/simplex/results: what is shown of the iterate. */
#ifndef LP_RESULTS_H
#define LP_RESULTS_H

#include "lp/simplex/engine.h"

/* Results, made from the iterate when they are asked for. */
typedef struct lp_results {
    bool farkas_proves; /* free of rounding */
    bool have_primal, have_dual, have_farkas, have_ray, have_objective;
    double *x, *d, *activity, *y, *farkas, *ray; /* extents cols, cols, rows, rows, rows, cols */
    double objective;
} lp_results;

void lp_results_reset(lp_solver *s);
void lp_results_free(lp_solver *s);
/* Lower bound on the objective from the present d, offset included. */
double lp_results_dual_bound(lp_solver *s);
/* Multipliers from rho with the given sign; true when they prove infeasibility, strictly or
 * else within rounding. */
bool lp_results_take_farkas(lp_solver *s, double sign, bool within_rounding);
/* Multipliers that prove infeasibility, extent rows; unscaled. */
void lp_results_keep_farkas(lp_solver *s, const double *y);

#endif
