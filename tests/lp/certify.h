/* Independent checks of what the simplex says, on the model alone. */
#ifndef TESTS_LP_CERTIFY_H
#define TESTS_LP_CERTIFY_H

#include "lp/simplex.h"

/* Empty text when the status of a solver's last solve is certified by the solution, the multipliers
 * or the ray that go with it; else what is wrong. m is the model that was solved. */
const char *certify(const lp_model *m, lp_solver *s, lp_status status, double tolerance);

/* Solves, certifies within 1e-8 (what is wrong, else empty), and fixes a random column at 0 or 1 in
 * the model and in the solver. */
const char *certify_and_fix(lp_model *m, lp_solver *s, base_rng *rng);

/* Largest violations of the optimality conditions. */
typedef struct lp_kkt {
    double primal_row, primal_bound; /* absolute, of rows and of column bounds */
    double dual;                     /* wrong signs of d and y at the position of x and Ax */
    double complementarity; /* |primal - dual objective|, relative to the largest cost plus the
                               terms of both */
} lp_kkt;

lp_kkt lp_kkt_check(const lp_model *m, const double *x, const double *y);

#endif
