/* lp/safe: bounds from dual multipliers that hold whatever the rounding errors
 * (Neumaier and Shcherbina 2004), and checks of rays and optimality conditions.
 * Works on the model alone: no solver is trusted. */
#ifndef LP_SAFE_H
#define LP_SAFE_H

#include "lp/model.h"

/* A lower bound on offset + c'x over the model's relaxation within the given column bounds
 * (lower, upper: extent cols; NULL: the model's own), from any multipliers y, extent rows:
 *     offset + sum_r (y_r > 0 ? y_r row_lower_r : y_r row_upper_r) + sum_j min over [l_j,u_j] of
 * d_j x_j with d = c - A'y. A y_r that points at an infinite row side counts as 0. Computed in long
 * double with a running error bound that is subtracted, then rounded down. Where a d_j (a d_j
 * within its own error bound too) meets an infinite bound, the bound that the rows imply for x_j is
 * taken (lp/safe/safe_repair.h); failing that, or where implied bounds are far, y is moved by as
 * little as rounding may have spoilt it: for each such column by one multiplier, for all of them
 * together, into the interior of the dual by a linear programme of its own, or in rational
 * arithmetic (lp/safe/safe_rational.h for few columns, lp/safe/safe_free.c for free ones); failing
 * that the result is -INFINITY. The best bound found counts. d (may be NULL, extent cols) gets the
 * reduced costs of y, or of the doubles next to it that prove most. O(nnz) but for these repairs,
 * which cost up to some factorisations of a basis, and the interior a solve. */
double lp_safe_bound(const lp_model *m, const double *lower, const double *upper, const double *y,
                     double *d);

/* The same bound, for who goes on with the multipliers: y is changed into the doubles that are
 * tried last, unusable multipliers into 0, and d (may be NULL) is theirs. *own gets what they prove
 * by themselves: the bound, or less (-INFINITY too) where only rational multipliers prove that. */
double lp_safe_bound_mend(const lp_model *m, const double *lower, const double *upper, double *y,
                          double *d, double *own);

/* True when y proves that no x within the column bounds meets the rows: the same bound with
 * c = 0 and offset = 0 is > 0; or, whatever y, when a column's or a row's own bounds cross.
 * Safe in floating point. */
bool lp_farkas_is_proof(const lp_model *m, const double *lower, const double *upper,
                        const double *y);

/* True when direction (extent cols) is a recession direction of the model within a relative
 * tolerance of 1e-9 per row, and c'direction < 0. */
bool lp_ray_is_proof(const lp_model *m, const double *direction);

/* Largest violations of the optimality conditions. */
typedef struct lp_kkt {
    double primal_row, primal_bound; /* absolute, rows and column bounds */
    double dual;                     /* sign of d and y against where x and Ax lie */
    double complementarity;          /* |primal objective - dual objective| / (1 + |primal|) */
} lp_kkt;

lp_kkt lp_kkt_check(const lp_model *m, const double *x, const double *y);

#endif
