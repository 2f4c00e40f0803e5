/* lp/safe/safe_repair: what makes safe bounds finite although columns have infinite
 * bounds: bounds implied by the rows, and small shifts of the multipliers. Used by
 * lp/safe/safe_duals.c, which takes bounds for true, and multipliers for proposals. */
#ifndef LP_SAFE_REPAIR_H
#define LP_SAFE_REPAIR_H

#include "lp/model.h"

/* Range of each row's activity over the column bounds, outward of all rounding. */
typedef struct lp_activity_bounds lp_activity_bounds;

/* lower, upper: extent cols. An infinite bound for which a row implies a finite one is replaced by
 * it, over and over as long as there is such a row. O(entries + the rows' lengths, each so many
 * times as it has infinite bounds; far less as a rule) */
lp_activity_bounds *lp_activity_bounds_create(const lp_model *m, const double *lower,
                                              const double *upper);
void lp_activity_bounds_free(lp_activity_bounds *a); /* NULL allowed */
/* The bounds, given or implied: extent cols, the struct's own. */
const double *lp_activity_lower(const lp_activity_bounds *a);
const double *lp_activity_upper(const lp_activity_bounds *a);
/* Tightens *lower and *upper, on entry bounds of column j, by what each row implies
 * while the other columns stay within their bounds, given or implied. Holds in spite of rounding:
 * no point of the relaxation is lost. O(entries of the column). */
void lp_activity_imply(const lp_activity_bounds *a, int j, double *lower, double *upper);

/* Shifts y (extent rows, every y_r pointing at a finite row side or 0) so that the
 * reduced costs of the columns bad[0..count-1] move past zero on the side that their
 * finite bound wants. cost NULL: zeros. round = 0, 1, ... chooses among the rows of a
 * column. Only a proposal: nothing about the result is guaranteed but the signs of y.
 * False, and y not to be used, when a column is free or off by more than rounding.
 * O(entries of the bad columns). */
bool lp_dual_shift(const lp_model *m, const double *lower, const double *upper, const double *cost,
                   double *y, const int *bad, int count, int round);

#endif
