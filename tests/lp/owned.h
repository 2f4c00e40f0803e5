/* Models and solvers that are freed at the end of their block: OWNED(lp_model) *m = ...; */
#ifndef TESTS_LP_OWNED_H
#define TESTS_LP_OWNED_H

#include "lp/simplex.h"
#include "tests/owned.h"

OWNED_POINTER(lp_model, lp_model_free)
OWNED_POINTER(lp_solver, lp_solver_free)

#endif
