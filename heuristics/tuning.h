/* heuristics/tuning: the parameters of annealing (base/params.h). */
#ifndef HEURISTICS_TUNING_H
#define HEURISTICS_TUNING_H

#include "base/params.h"

#define HEURISTIC_PARAMETERS(X)                                                                    \
    /* annealing */                                                                                \
    X(REAL, anneal_hot, 0.6, 1e-9, 1e9,                                                            \
      "first temperature of annealing, in average costs of a copy", "by hand")                     \
    X(REAL, anneal_cold, 0.004, 1e-9, 1e9,                                                         \
      "last temperature of an annealing cycle, in average costs of a copy", "by hand")             \
    X(INTEGER, anneal_epochs, 24, 2, 1000000, "temperatures of the first annealing cycle",         \
      "by hand")                                                                                   \
    X(INTEGER, anneal_moves, 4, 0, 10000, "annealing moves at each temperature, per node",         \
      "by hand")                                                                                   \
    /* order of the nodes */                                                                       \
    X(REAL, order_work, 3e9, 1e6, 1e15, "steps of work of the search for an order of the nodes",   \
      "by hand")

typedef struct heuristic_tuning {
    HEURISTIC_PARAMETERS(PARAMS_FIELD)
} heuristic_tuning;

heuristic_tuning heuristic_tuning_default(void);

extern const params_table heuristic_parameters;

#endif
