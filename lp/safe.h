/* lp/safe: bounds from dual multipliers that hold in spite of rounding errors (Neumaier and
 * Shcherbina 2004), and checks of rays and optimality conditions. Uses the model alone: no solver
 * is trusted. The bounds are finite if every column has finite bounds, its own or implied by the
 * rows. With other columns, rounding errors may leave no finite bound. */
#ifndef LP_SAFE_H
#define LP_SAFE_H

#include "lp/model.h"

/* Returns a lower bound on offset + c'x over the relaxation of the model, from any multipliers y
 * (extent rows). Column bounds: lower, upper (extent cols; NULL: the ones of the model).
 *
 *     offset + sum_r (y_r > 0 ? y_r row_lower_r : y_r row_upper_r)
 *            + sum_j min over [l_j,u_j] of d_j x_j,   d = c - A'y
 *
 * A y_r that points at an infinite row side counts as 0. The sum is computed in long double with
 * a running error bound, which is subtracted; then it is rounded down. If a d_j that may be
 * nonzero within its error meets an infinite bound, the bound that the rows imply for x_j is used
 * (lp/safe/safe_repair.h). If there is none, or a distant one, one multiplier per such column is
 * moved, by no more than rounding errors explain. Returns the best bound found; -INFINITY: none is
 * finite. d (may be NULL, extent cols) gets the reduced costs of the multipliers that prove it.
 * O(nnz) as a rule. */
double lp_safe_bound(const lp_model *m, const double *lower, const double *upper, const double *y,
                     double *d);

/* The same bound. y is replaced by the multipliers that prove it; unusable multipliers become 0. */
double lp_safe_bound_mend(const lp_model *m, const double *lower, const double *upper, double *y,
                          double *d);

/* Returns the bound of the multipliers y + low without moving them; low is smaller than the last
 * place of y (both extent rows). For columns with distant bounds, where the last places of y
 * decide. O(nnz) */
double lp_safe_bound_fine(const lp_model *m, const double *lower, const double *upper,
                          const double *y, const double *low);

/* Returns the first column with an infinite bound for which no row implies a finite one; -1:
 * none. With such a column, rounding errors may spoil every bound from multipliers. */
int lp_open_column(const lp_model *m);

/* True if y proves that no x within the column bounds meets the rows: the bound of lp_safe_bound
 * with c = 0 and offset = 0 is > 0. Also true, for any y, if the bounds of a column or the sides
 * of a row cross. Safe in floating point. */
bool lp_farkas_is_proof(const lp_model *m, const double *lower, const double *upper,
                        const double *y);

/* Returns the bound from y + low (extent rows; low NULL: 0) for a model with slightly different
 * costs. A tiny reduced cost at an infinite bound counts as 0: at most 1e-9 of its terms plus the
 * least cost of a column that makes up for it in a row. Column bounds as above. -INFINITY: no
 * bound. Not safe in floating point. O(nnz) as a rule. */
double lp_unproven_bound(const lp_model *m, const double *lower, const double *upper,
                         const double *y, const double *low);

/* The objective along a direction. */
typedef enum lp_course {
    LP_COURSE_BLOCKED, /* leaves the rows or bounds in the end, or has a non-finite entry */
    LP_COURSE_RISES,
    LP_COURSE_FLAT, /* changes by at most 1e-9 of its terms */
    LP_COURSE_FALLS
} lp_course;

/* Classifies direction (extent cols). It leaves a finite side of a row if the activity changes by
 * more than 1e-9 of its terms. It leaves a finite bound if the entry exceeds 1e-9 of the largest
 * entry. */
lp_course lp_direction_course(const lp_model *m, const double *direction);

/* True if the direction (extent cols) is feasible without end and the objective falls along it. */
bool lp_ray_is_proof(const lp_model *m, const double *direction);

/* Returns the largest violation of a row side or column bound by x (extent cols), as a multiple
 * of lp_side_room(side, tolerance): at most 1 for a solution. *missed (may be NULL) gets the
 * column, or cols + row; 0 if nothing is violated. */
double lp_largest_miss(const lp_model *m, const double *x, double tolerance, int *missed);

#endif
