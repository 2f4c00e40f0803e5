/* lp/safe/safe_rational: safe bounds where rounding noise in reduced costs meets infinite
 * bounds and nothing cheaper helps (free columns). Used by lp/safe/safe_duals.c alone. */
#ifndef LP_SAFE_RATIONAL_H
#define LP_SAFE_RATIONAL_H

#include "lp/model.h"

/* A lower bound on offset + cost'x as lp_safe_bound's (cost NULL: zeros), from multipliers
 * next to y (extent rows, each pointing at a finite row side or 0): y is corrected, in
 * rational arithmetic, so that the reduced costs of the columns bad[0..count-1] are
 * exactly 0, as those of basic columns should be. Everything else is exact too, so the
 * result holds whatever the correction. -INFINITY when there is no small correction, or it
 * would have to mend more than a few dozen columns. O(count^3) operations on long numbers
 * and O(nnz) on shorter ones: slow, next to lp_safe_bound. */
double lp_rational_bound(const lp_model *m, const double *lower, const double *upper,
                         const double *y, const double *cost, double offset, const int *bad,
                         int count);

#endif
