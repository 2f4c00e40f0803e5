/* lp/answer: an answer of the simplex on its own, without a solver behind it. */
#ifndef LP_ANSWER_H
#define LP_ANSWER_H

#include "lp/simplex.h"

/* What the reductions of lp/presolve.h left. */
typedef struct lp_presolve_size {
    int rows, cols, entries; /* of the reduced model */
    int reductions;          /* records */
} lp_presolve_size;

/* An answer on its own, without a solver behind it. */
typedef struct lp_answer {
    lp_status status;
    double objective;      /* LP_OPTIMAL: c'x + offset; LP_UNBOUNDED: of the point x; else NAN */
    double dual_objective; /* as lp_dual_objective */
    double *x, *d;         /* extent cols; after LP_OPTIMAL, x also after LP_UNBOUNDED; else NULL */
    double *activity, *y;  /* extent rows; as x and d */
    unsigned char *basis;  /* extent cols + rows, lp_basis_status: the last one; NULL where presolve
                              ended otherwise than with LP_OPTIMAL */
    double *farkas;        /* extent rows; LP_INFEASIBLE; else NULL */
    double *ray;           /* extent cols; LP_UNBOUNDED; else NULL */
    char *exact_objective; /* of lp_rational_solve after LP_OPTIMAL: a fraction; else NULL */
    struct lp_exact_proof *exact_proof; /* of rational arithmetic after LP_OPTIMAL, LP_INFEASIBLE
                                           and LP_UNBOUNDED: see lp/exact_proof.h; else NULL */
    long iterations;                    /* of all simplex runs */
    long exact_iterations;              /* of these in lp_rational_solve */
    long clean_up_iterations;           /* of these on the model itself */
    bool cleaned_up;                    /* the simplex ran on the model itself */
    lp_presolve_size reduced;           /* zeros without presolve */
} lp_answer;

/* One without solution: objectives unknown, every array NULL. */
lp_answer *lp_answer_create(lp_status status);
/* The answer of a solver after lp_solve, copied. */
lp_answer *lp_answer_of(const lp_solver *s);
void lp_answer_free(lp_answer *a); /* NULL allowed */

#endif
