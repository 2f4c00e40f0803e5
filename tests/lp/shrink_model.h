/* The smallest model found that fails as a model does. */
#ifndef TESTS_LP_SHRINK_MODEL_H
#define TESTS_LP_SHRINK_MODEL_H

#include "lp/model.h"

enum { SHRINK_TEXT = 256 };

/* Stores what is wrong with m for a fuzzer's options, "kind: text"; empty: nothing. */
typedef void shrink_failure(const void *options, const lp_model *m, uint64_t seed,
                            char text[SHRINK_TEXT]);

/* Rows, columns and digits are left out as long as a failure of the same kind remains. Takes m
 * over; at most 1500 checks. */
lp_model *shrink_model(lp_model *m, uint64_t seed, shrink_failure *failure, const void *options);

/* Writes m to FOLDER/NAME-SEED.mps, with the failure in a first comment, and says so. name: of the
 * fuzzer, NAME_fuzz. */
void shrink_save(const lp_model *m, const char *name, uint64_t seed, const char *family,
                 const char *failure, const char *folder);

#endif
