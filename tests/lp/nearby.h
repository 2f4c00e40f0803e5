/* True if a point is the optimum of a model next to a model: in exact arithmetic, so that it is a
 * proof that the tolerances, and nothing else, set an answer apart from the exact one. */
#ifndef TESTS_LP_NEARBY_H
#define TESTS_LP_NEARBY_H

#include "lp/model.h"

/* True when x (extent cols) is an optimum, with the multipliers y (extent rows; those with the
 * wrong sign count as 0), of the model with costs that differ from m's by at most the tolerance,
 * and sides and bounds that differ by at most the tolerance times 1 + their size. */
bool is_optimum_nearby(const lp_model *m, const double *x, const double *y, double tolerance);

#endif
