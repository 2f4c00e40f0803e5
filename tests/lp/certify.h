/* Independent checks of what the simplex says, on the model alone. */
#ifndef TESTS_LP_CERTIFY_H
#define TESTS_LP_CERTIFY_H

#include "lp/simplex.h"

/* Empty text when the status of the last solve is certified by the solution, the multipliers or
 * the ray that go with it; else what is wrong. m is the model the solver should have. */
const char *certify(const lp_model *m, lp_solver *s, lp_status status, double tolerance);

#endif
