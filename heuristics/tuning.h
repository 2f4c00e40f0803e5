/* heuristics/tuning: the parameters of the local search (base/params.h). Work is in units of
 * stage_dp_work. */
#ifndef HEURISTICS_TUNING_H
#define HEURISTICS_TUNING_H

#include "base/params.h"

enum { HEURISTIC_MOST_RUNNERS = 256 };

#define HEURISTIC_PARAMETERS(X)                                                                    \
    /* descent */                                                                                  \
    X(INTEGER, stall, 30, 1, 1000000, "steps without success before room is made", "by hand")      \
    X(INTEGER, large_every, 24, 1, 1000000, "steps of which one is large", "by hand")              \
    X(INTEGER, small_work, 3000, 1, 100000000, "work that a small step aims at", "by hand")        \
    X(INTEGER, large_work, 40000, 1, 100000000, "... and a large one", "by hand")                  \
    X(INTEGER, step_strata, 4, 1, 256, "classes of resident bytes in a step's programme",          \
      "by hand")                                                                                   \
    X(INTEGER, step_width, 256, 1, 4096, "states kept in each of them", "by hand")                 \
    X(INTEGER, step_leaves, 1000, 1, 1000000, "ways to serve a stage that are tried in a step",    \
      "by hand")                                                                                   \
    /* making room */                                                                              \
    X(INTEGER, price_rounds, 5, 0, 1000, "rounds of rising prices of memory", "by hand")           \
    X(INTEGER, price_stall, 5, 1, 1000000, "steps without success that end a round", "by hand")    \
    X(INTEGER, price_steps, 60, 0, 1000000, "most steps of a round", "by hand")                    \
    /* race */                                                                                     \
    X(INTEGER, race_runners, 24, 1, HEURISTIC_MOST_RUNNERS, "most starts of a race", "by hand")    \
    /* improvement of one schedule */                                                              \
    X(INTEGER, improve_work, 20000, 1, 100000000, "most work for a tensor and its neighbours",     \
      "by hand")                                                                                   \
    X(INTEGER, improve_neighbours, 12, 1, 100000, "most tensors planned anew together", "by hand") \
    X(INTEGER, improve_depth, 5, 0, 100000,                                                        \
      "edges within which tensors may be shed, in the bound on memory", "by hand")                 \
    /* annealing */                                                                                \
    X(REAL, anneal_hot, 0.6, 1e-9, 1e9,                                                            \
      "temperature of annealing at first, in average costs of what a move adds,", "by hand")       \
    X(REAL, anneal_cold, 0.004, 1e-9, 1e9, "... and at the end of a cycle", "by hand")             \
    X(INTEGER, anneal_epochs, 24, 2, 1000000, "temperatures of the first cycle", "by hand")        \
    X(INTEGER, anneal_moves, 4, 0, 10000, "moves at each of them, per node,", "by hand")           \
    /* order of the nodes */                                                                       \
    X(REAL, order_work, 3e9, 1e6, 1e15, "steps of work of the search for an order", "by hand")     \
    X(INTEGER, order_walks, 3, 0, 1000, "walks of it", "by hand")                                  \
    /* schedules from a linear programme */                                                        \
    X(INTEGER, repair_work, 200000, 1, 100000000, "most work of one construction", "by hand")      \
    X(INTEGER, repair_strata, 16, 1, 256, "classes of resident bytes in it", "by hand")            \
    X(INTEGER, repair_width, 4, 1, 256, "states kept in each of them", "by hand")                  \
    X(INTEGER, repair_merge_depth, 4, 0, 100000, "edges within which tensors tell states apart",   \
      "by hand")

typedef struct heuristic_tuning {
    HEURISTIC_PARAMETERS(PARAMS_FIELD)
} heuristic_tuning;

heuristic_tuning heuristic_tuning_default(void);

extern const params_table heuristic_parameters;

#endif
