/* Seeded random models of many kinds for the tests of the simplex. */
#ifndef TESTS_LP_SIMPLEX_MODELS_H
#define TESTS_LP_SIMPLEX_MODELS_H

#include "lp/model.h"

#define SIMPLEX_MODEL_FAMILIES 12

const char *simplex_model_family_name(int family);
/* size scales rows and columns: 1 is a handful, 10 some hundreds. */
lp_model *simplex_model(int family, int size, uint64_t seed);

#endif
