/* lp/safe: bounds from dual multipliers that hold whatever the rounding errors
 * (Neumaier and Shcherbina 2004), and checks of rays and optimality conditions.
 * Works on the model alone: no solver is trusted. Proves where every column has finite bounds, its
 * own or such as follow from the rows; elsewhere as far as rounding errors allow. */
#ifndef LP_SAFE_H
#define LP_SAFE_H

#include "lp/model.h"

/* A lower bound on offset + c'x over the model's relaxation within the given column bounds
 * (lower, upper: extent cols; NULL: the model's own), from any multipliers y, extent rows:
 *     offset + sum_r (y_r > 0 ? y_r row_lower_r : y_r row_upper_r) + sum_j min over [l_j,u_j] of
 * d_j x_j with d = c - A'y. A y_r that points at an infinite row side counts as 0. Computed in long
 * double with a running error bound that is subtracted, then rounded down. Where a d_j (a d_j
 * within its own error bound too) meets an infinite bound, the bound that the rows imply for x_j is
 * taken (lp/safe/safe_repair.h); where that is none, or far, y is moved for each such column by one
 * multiplier, by as little as rounding may have spoilt it. The best bound found counts; -INFINITY:
 * none is finite. d (may be NULL, extent cols) gets the reduced costs of the multipliers that prove
 * it. O(nnz) as a rule. */
double lp_safe_bound(const lp_model *m, const double *lower, const double *upper, const double *y,
                     double *d);

/* The same bound, for who goes on with the multipliers: y is changed into those that prove it,
 * unusable ones into 0. */
double lp_safe_bound_mend(const lp_model *m, const double *lower, const double *upper, double *y,
                          double *d);

/* The bound of multipliers y + low, low smaller than the last place of y (both extent rows),
 * without mending: for columns with bounds so far that the last places of y decide. O(nnz) */
double lp_safe_bound_fine(const lp_model *m, const double *lower, const double *upper,
                          const double *y, const double *low);

/* A column with an infinite bound for which no row implies a finite one, the first; -1: none.
 * Rounding errors may spoil all that multipliers prove of a model with such a column. */
int lp_open_column(const lp_model *m);

/* True when y proves that no x within the column bounds meets the rows: the same bound with
 * c = 0 and offset = 0 is > 0; or, whatever y, when a column's or a row's own bounds cross.
 * Safe in floating point. */
bool lp_farkas_is_proof(const lp_model *m, const double *lower, const double *upper,
                        const double *y);

/* The bound that y + low (extent rows; low NULL: 0) proves of a model whose costs differ: a reduced
 * cost counts as 0 where it meets an infinite bound and is at most 1e-9 of its terms and of the
 * least cost of a column that makes up for it in a row. Within the given column bounds, as above.
 * -INFINITY: none. Not safe in floating point. O(nnz) as a rule. */
double lp_believed_bound(const lp_model *m, const double *lower, const double *upper,
                         const double *y, const double *low);

/* The objective along a direction. */
typedef enum lp_course {
    LP_COURSE_BLOCKED, /* it leaves the rows or bounds in the end, or is no vector of numbers */
    LP_COURSE_RISES,
    LP_COURSE_FLAT, /* changes by at most 1e-9 of its terms */
    LP_COURSE_FALLS
} lp_course;

/* direction: extent cols. Sides count as left where a row's activity changes by more than 1e-9 of
 * its terms, bounds where the entry is above 1e-9 of the largest. */
lp_course lp_direction_course(const lp_model *m, const double *direction);

/* True when the objective falls along direction (extent cols). */
bool lp_ray_is_proof(const lp_model *m, const double *direction);

/* The largest miss of a side of a row or a bound of a column by x (extent cols), in parts of
 * lp_side_room(side, tolerance): at most 1 for a solution. *missed (may be NULL) gets the column,
 * or cols + row; 0 where nothing is missed. */
double lp_largest_miss(const lp_model *m, const double *x, double tolerance, int *missed);

/* Largest violations of the optimality conditions. */
typedef struct lp_kkt {
    double primal_row, primal_bound; /* absolute, rows and column bounds */
    double dual;                     /* sign of d and y against where x and Ax lie */
    double complementarity; /* |primal - dual objective|, relative to the largest cost and the terms
                               of both */
} lp_kkt;

lp_kkt lp_kkt_check(const lp_model *m, const double *x, const double *y);

#endif
