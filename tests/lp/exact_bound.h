/* The statements of lp/safe.h checked in exact arithmetic (GMP). All doubles are taken at their
 * exact values, nothing is rounded, and nothing of lp/safe.c is used: no multipliers are shifted
 * and no bounds implied. */
#ifndef TESTS_LP_EXACT_BOUND_H
#define TESTS_LP_EXACT_BOUND_H

#include <gmp.h>

#include "lp/model.h"

/* sum += a b */
void exact_add_product(mpq_t sum, double a, double b);

/* True when the multipliers y (extent rows) prove that offset + c'x >= bound for every x of
 * the model's relaxation within the column bounds (lower, upper: extent cols; NULL: the
 * model's own): when
 *     offset + sum_r (y_r > 0 ? y_r row_lower_r : y_r row_upper_r) + sum_j min over [l_j,u_j] of
 * d_j x_j with d = c - A'y is at least bound. A y_r that points at an infinite row side, or is not
 * finite, counts as 0. O(nnz) operations on numbers of a few hundred bits (a few thousand
 * where the model's numbers span the range of double). */
bool exact_bound_at_least(const lp_model *m, const double *lower, const double *upper,
                          const double *y, double bound);

/* That sum, for cost (extent cols; NULL: zeros) and offset, into total; false when it is
 * -infinity. */
bool exact_bound(const lp_model *m, const double *lower, const double *upper, const double *y,
                 const double *cost, double offset, mpq_t total);

/* True when y proves that no x within the column bounds meets the rows: the sum above, with
 * c = 0 and offset = 0, is > 0; or when a column's or a row's own bounds cross. */
bool exact_farkas(const lp_model *m, const double *lower, const double *upper, const double *y);

#endif
