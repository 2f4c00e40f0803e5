/* lp/safe/safe_repair: makes safe bounds finite although columns have infinite bounds, by bounds
 * that the rows imply and by small shifts of the multipliers. Used by lp/safe/safe_duals.c, which
 * trusts the implied bounds and checks the multipliers. */
#ifndef LP_SAFE_REPAIR_H
#define LP_SAFE_REPAIR_H

#include "lp/model.h"

/* Activity of a row from below (or, negated, from above): the sum of the finite terms, the sum of
 * their magnitudes, and the numbers of finite and infinite terms. */
typedef struct lp_activity_sum {
    long double sum, magnitude;
    int terms, infinite;
} lp_activity_sum;

/* Range of the activity of each row over the column bounds, rounded outward. */
typedef struct lp_activity_bounds {
    const lp_model *m;
    double *lower, *upper;         /* bounds of the columns, given or implied */
    lp_activity_sum *least, *most; /* extent rows; most: of the negated activity */
    /* propagation */
    lp_by_rows rows;
    int *queue, queued; /* rows that may imply a missing bound */
    bool *is_queued;    /* extent rows */
} lp_activity_bounds;

/* Creates the ranges for the bounds lower, upper (extent cols). Replaces infinite bounds by
 * finite ones that a row implies, until no row implies another one. O(entries + sum over the rows
 * of length times number of infinite bounds); far less as a rule. */
lp_activity_bounds *lp_activity_bounds_create(const lp_model *m, const double *lower,
                                              const double *upper);
void lp_activity_bounds_free(lp_activity_bounds *a); /* NULL allowed */
/* Tightens *lower and *upper, bounds of column j on entry. Uses the bound that each row implies
 * while the other columns stay within their bounds, given or implied. Safe under rounding: no
 * point of the relaxation is lost. O(entries of the column). */
void lp_activity_imply(const lp_activity_bounds *a, int j, double *lower, double *upper);

/* Shifts y (extent rows; each y_r points at a finite row side or is 0). Moves the reduced costs
 * of the columns bad[0..count-1] past zero, to the side of their finite bound. cost NULL: zeros.
 * round = 0, 1, ... varies the choice among the rows of a column. The result is a proposal: only
 * the signs of y are guaranteed. False if a column is free or off by more than rounding; y is
 * then unusable. O(entries of the bad columns). */
bool lp_dual_shift(const lp_model *m, const double *lower, const double *upper, const double *cost,
                   double *y, const int *bad, int count, int round);

#endif
