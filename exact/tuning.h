/* exact/tuning: the parameters of the exact solver (base/params.h), with those of the rooms that it
 * drives. */
#ifndef EXACT_TUNING_H
#define EXACT_TUNING_H

#include "bnb/tuning.h"
#include "heuristics/tuning.h"
#include "lp/tuning.h"

#define EXACT_PARAMETERS(X)                                                                        \
    X(INTEGER, repair_every, 10, 1, 1000000,                                                       \
      "nodes of a tree from one schedule made of the LP's solution to the next", "by hand")        \
    X(INTEGER, repair_tries, 2, 0, 1000, "random roundings for it, beside three others", "by hand")

typedef struct exact_tuning {
    lp_tuning lp;
    bnb_tuning bnb;
    heuristic_tuning heuristics;
    EXACT_PARAMETERS(PARAMS_FIELD)
} exact_tuning;

exact_tuning exact_tuning_default(void);

extern const params_table exact_parameters;

#endif
