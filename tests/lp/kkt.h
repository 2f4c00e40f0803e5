/* The optimality conditions of linear programmes, measured. */
#ifndef TESTS_LP_KKT_H
#define TESTS_LP_KKT_H

#include "lp/model.h"

/* Largest violations of the optimality conditions. */
typedef struct kkt_misses {
    double primal_row, primal_bound; /* absolute, of rows and of column bounds */
    double dual;                     /* wrong signs of d and y at the position of x and Ax */
    double complementarity; /* |primal - dual objective|, relative to the largest cost plus the
                               terms of both */
} kkt_misses;

kkt_misses kkt_check(const lp_model *m, const double *x, const double *y);

#endif
