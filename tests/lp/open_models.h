/* Models like those of practice, most of whose columns have an infinite bound: where the dual
 * simplex needs a phase 1, and rounding errors in reduced costs spoil bounds and rays. */
#ifndef TESTS_LP_OPEN_MODELS_H
#define TESTS_LP_OPEN_MODELS_H

#include "lp/model.h"

typedef enum open_family {
    OPEN_STAIRCASE,  /* stages with stocks, free transfers, and costs of both signs */
    OPEN_TRANSPORT,  /* costs of few values: many optimal multipliers, and many zero steps */
    OPEN_REGRESSION, /* least absolute deviations: free columns */
    OPEN_SCALED,     /* the first with rows and columns in odd units */
    OPEN_FAMILIES
} open_family;

/* A feasible and bounded model of O(size) rows, the same for the same seed. */
lp_model *open_model(open_family family, int size, uint64_t seed);

/* The same with a row that the costs be less than their optimum, by `excess`, relative: a model
 * that is infeasible by that much. */
lp_model *open_infeasible(open_family family, int size, double excess, uint64_t seed);

#endif
