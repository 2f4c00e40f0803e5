/* Linear programmes in rational arithmetic (GMP), as a judge of small models: a dense dictionary
 * with Bland's rule, which shares no code with the simplex of lp/. Doubles count at their exact
 * values; nothing is rounded. */
#ifndef TESTS_LP_EXACT_LP_H
#define TESTS_LP_EXACT_LP_H

#include <gmp.h>

#include "lp/model.h"
#include "lp/simplex.h"

typedef struct exact_lp_answer {
    lp_status status; /* LP_OPTIMAL, LP_INFEASIBLE, LP_UNBOUNDED; LP_UNSOLVED: too much work */
    mpq_t objective;  /* of an optimum, offset included */
    double *x;        /* extent cols: the optimum's point, rounded towards zero */
} exact_lp_answer;

/* Solves the relaxation of m. Gives up after some thousand pivots. O(rows cols) operations on long
 * numbers for each. */
exact_lp_answer exact_lp_solve(const lp_model *m);
void exact_lp_clear(exact_lp_answer *a);

#endif
