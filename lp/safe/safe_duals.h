/* lp/safe/safe_duals: what multipliers prove, and those next to them. Private to lp/. */
#ifndef LP_SAFE_DUALS_H
#define LP_SAFE_DUALS_H

#include "lp/model.h"

/* Fills w (extent rows) with a direction for multipliers y in which no column's reduced cost is in
 * the way of a finite bound; false where it finds none. */
typedef bool lp_inward(const lp_model *m, const double *lower, const double *upper,
                       const double *cost, const double *y, double *w);

/* The best lower bound on offset + cost'x (cost NULL: zeros) from y, extent rows. Where only
 * rounding noise in columns with an infinite bound spoils it, nearby multipliers without that flaw
 * are tried, with the help of inward where nothing cheaper does (NULL: without); y gets the doubles
 * among them that prove most, d (extent cols) their reduced costs, and *own that bound.
 * lp_safe_bound says more. */
double lp_duals_prove(const lp_model *m, const double *lower, const double *upper, double *y,
                      const double *cost, double offset, lp_inward *inward, double *d, double *own);

#endif
