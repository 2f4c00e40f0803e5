/* lp/tuning: the parameters of the simplex (base/params.h). */
#ifndef LP_TUNING_H
#define LP_TUNING_H

#include "base/params.h"

#define LP_PARAMETERS(X)                                                                           \
    /* degeneracy */                                                                               \
    X(REAL, perturbation, 5e-7, 0, 1e-5,                                                           \
      "relative cost perturbation of a solve that starts from a given basis", "Koberstein 2005")   \
    X(REAL, perturbation_cold, 2e-8, 0, 1e-5,                                                      \
      "relative cost perturbation of a solve from the slack basis", "measured")

typedef struct lp_tuning {
    LP_PARAMETERS(PARAMS_FIELD)
} lp_tuning;

lp_tuning lp_tuning_default(void);

extern const params_table lp_parameters;

#endif
