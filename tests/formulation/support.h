/* What several suites of the room share. */
#ifndef TESTS_FORMULATION_SUPPORT_H
#define TESTS_FORMULATION_SUPPORT_H

#include "bnb/bnb.h"
#include "formulation/formulation.h"
#include "tests/oracle/special_instance.h"

OWNED_POINTER(formulation, formulation_free)

/* Instance number seed of a mixture of random_instance_make and all special families. */
random_instance mixed_instance(uint64_t seed, int max_nodes);

/* The optimum of a model by bnb alone, INFINITY when it is infeasible; x (may be NULL) gets the
 * solution, to be freed with base_free, NULL without one. Any other end fails the test. */
double model_optimum(const lp_model *m, double **x);

/* The optimal overhead in joules of the tight model over the mask. */
double mask_optimum(const problem *p, unsigned features, const uint8_t *mask);

/* An integral point of f for random costs, as formulation_vector writes it from the extracted
 * schedule, which has passed the validator; NULL when f has none. Free with base_free. */
double *random_point(const formulation *f, base_rng *rng);

/* Shrinks p for the property and saves it; the text for a failure message (static). */
const char *saved_failure(const problem *p, random_instance_fails fails, void *context);

/* Writes s as a point x (extent model->cols) with its totals and releases. False if s uses a cell
 * that is not in the model, or violates a row. With CANONICAL s must be canonical. */
bool formulation_vector(const formulation *f, const schedule *s, double *x);

#endif
