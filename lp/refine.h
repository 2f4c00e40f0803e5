/* lp/refine: iterative refinement of an optimum (Gleixner, Steffy and Wolter, INFORMS J. Computing
 * 28 (2016)): the violations of a point and of its multipliers, magnified, are a linear programme
 * over the same matrix, whose solution corrects both. */
#ifndef LP_REFINE_H
#define LP_REFINE_H

#include "lp/simplex.h"

/* Rounds of refinement that are worth the while: each one gains some digits, up to those of a
 * double. */
enum { LP_REFINEMENTS = 4 };

/* One round for the model of s as it stands. basis (extent cols + rows), x (extent cols) and the
 * multipliers y + low (extent rows; low is 0, or what the last place of y leaves out) enter as
 * those of an optimum within tolerances. Costs a solver of its own, with a solve from the basis; s
 * stays as it is. LP_OPTIMAL: all of them are corrected. LP_INFEASIBLE: y are multipliers for which
 * lp_farkas_is_proof holds. LP_UNSOLVED: nothing changed. */
lp_status lp_refine(const lp_solver *s, unsigned char *basis, double *x, double *y, double *low);

#endif
