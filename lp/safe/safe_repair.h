/* lp/safe/safe_repair: what makes safe bounds finite although columns have infinite
 * bounds: bounds implied by the rows, and small shifts of the multipliers. Used by
 * lp/safe/safe_duals.c, which takes bounds and reaches for true, and multipliers for proposals. Of
 * safe_repair.c: */
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

/* Whether the multiplier of row r may be y: it points at a finite side, or is 0. */
bool lp_dual_is_allowed(const lp_model *m, int r, double y);

/* ---- safe_shift.c ----------------------------------------------------------------------- */
/* The same for all columns that have an infinite bound, at once: solves for the shift of y that
 * takes the reduced costs that are next to zero past it by `margin` times the sizes of their terms,
 * those of free columns to zero as near as rounding allows. Every y_r keeps pointing at a finite
 * side; where that, or rows that depend on one another, leave no such shift, some columns stay as
 * they are. False: nothing to shift. As costly as a factorisation of a basis. */
bool lp_dual_shift_all(const lp_model *m, const double *lower, const double *upper,
                       const double *cost, double *y, double margin);

/* Factors of a regular matrix of the columns and logicals (cols + r) head[0..count-1] (extent
 * rows), without those that depend on others, and logicals of the rows left; head is filled and
 * permuted so that each has its pivot in its row. The caller frees them with lp_factor_free. */
struct lp_factor *lp_dual_factors(const lp_model *m, int *head, int count);

/* ---- safe_free.c ------------------------------------------------------------------------ */
/* Proves, in rational arithmetic, that there are multipliers at most reach[r] (extent rows, filled)
 * from each y_r for which the reduced costs of the free columns with zero[j] (extent cols, filled)
 * are exactly 0. Rows whose y_r is 0 stay where that is possible. False: nothing shown, as there
 * are no free columns, or it would take more than about a second. */
bool lp_dual_free_columns(const lp_model *m, const double *lower, const double *upper,
                          const double *cost, const double *y, double *reach, bool *zero);

#endif
