/* lp/refine: iterative refinement of an optimum (Gleixner, Steffy and Wolter, INFORMS J.
 * Computing 28 (2016)). The magnified violations of a point and of its multipliers define a
 * linear programme over the same matrix. Its solution corrects both. */
#ifndef LP_REFINE_H
#define LP_REFINE_H

#include "lp/simplex.h"

/* Largest useful number of rounds: each one gains some digits, up to the precision of a double. */
enum { LP_REFINEMENTS = 4 };

/* Runs one round for the present model of s. On entry basis (extent cols + rows), x (extent cols)
 * and the multipliers y + low (extent rows) describe an optimum within tolerances; low is 0, or
 * the part of the multipliers below the last place of y. Creates a solver and solves from the
 * basis; s is unchanged. LP_OPTIMAL: all of them are corrected. LP_INFEASIBLE: y are multipliers
 * for which lp_farkas_is_proof holds. LP_UNSOLVED: nothing changed. */
lp_status lp_refine(const lp_solver *s, unsigned char *basis, double *x, double *y, double *low);

#endif
