/* exact/tuning: the parameters of the exact solver (base/params.h), including the parameters of
 * the rooms that it drives. */
#ifndef EXACT_TUNING_H
#define EXACT_TUNING_H

#include "bnb/tuning.h"
#include "heuristics/tuning.h"
#include "lp/tuning.h"

#define EXACT_PARAMETERS(X)                                                                        \
    X(SWITCH, windows, true, 0, 1, "start from cells near uses; off: from all of them",            \
      "measured")                                                                                  \
    X(SWITCH, coarse, true, 0, 1,                                                                  \
      "bounds and schedules from a coarse timeline, first and where models grow for long",         \
      "measured")                                                                                  \
    X(SWITCH, coarse_fixing, true, 0, 1,                                                           \
      "cells that are too dear on the first coarse timelines are in no model", "measured")         \
    X(REAL, coarse_quick, 2e5, 0, 1e9, "steps of work on them before all models, for each node",   \
      "measured")                                                                                  \
    X(SWITCH, totals, true, 0, 1, "integer totals over tensors of equal cost, in the last trees",  \
      "measured")                                                                                  \
    X(SWITCH, unit_totals, true, 0, 1,                                                             \
      "... over costs that are multiples of a unit, where the gap is less than that", "measured")  \
    X(INTEGER, first_nodes, 400, 0, 1000000000,                                                    \
      "nodes up to which the LP over the windows comes first", "by hand")                          \
    X(INTEGER, first_cells, 40000, 0, 1000000000,                                                  \
      "cells of the windows up to which their LP comes first", "by hand")                          \
    X(REAL, first_wait, 1e9, 1e6, 1e15, "steps of work on that LP before others have a turn",      \
      "by hand")                                                                                   \
    X(INTEGER, first_effort, 250, 0, 1000, "... and then, per mille of all", "by hand")            \
    X(INTEGER, anneal_effort, 200, 0, 900, "work on annealing, per mille of all", "measured")      \
    X(REAL, anneal_quick, 5e4, 0, 1e6,                                                             \
      "steps of work of annealing before all else, for each node; up to ten times that without a " \
      "schedule",                                                                                  \
      "by hand")                                                                                   \
    X(INTEGER, grow_effort, 500, 0, 1000,                                                          \
      "work on growth, per mille of all, before others have their turn", "by hand")                \
    X(REAL, grow_freely, 5e9, 0, 1e15, "steps of work on growth before it has to share",           \
      "by hand")                                                                                   \
    X(INTEGER, growth_rounds, 50, 0, 1000, "models that grow, in all", "by hand")                  \
    X(INTEGER, coarse_effort, 300, 0, 1000,                                                        \
      "work on the coarse timeline, per mille of all, once growth has failed", "by hand")          \
    X(INTEGER, coarse_look_effort, 200, 0, 1000, "... and before that, until growth proves more",  \
      "by hand")                                                                                   \
    X(INTEGER, coarse_tries, 24, 1, 100000,                                                        \
      "stages that are tried as the next point of the coarse timeline, before those around the "   \
      "best",                                                                                      \
      "by hand")                                                                                   \
    X(REAL, coarse_try_work, 5e7, 1e6, 1e15, "... steps of work on each", "by hand")               \
    X(INTEGER, coarse_models, 40, 1, 100000, "coarse timelines in all", "by hand")                 \
    X(REAL, coarse_least_slice, 2e8, 1e6, 1e15,                                                    \
      "steps of work on one coarse timeline, and on the choice of the next one's point",           \
      "by hand")                                                                                   \
    X(SWITCH, cases, true, 0, 1, "cases of which dear tensors are ever away", "measured")          \
    X(REAL, cases_begin, 6e9, 0, 1e15, "steps of work before they begin", "by hand")               \
    X(INTEGER, cases_effort, 400, 0, 1000, "work on them, per mille of all", "by hand")            \
    X(REAL, cases_dear, 0.02, 0, 1,                                                                \
      "part of the best overhead from which on what a tensor pays for being away makes it dear",   \
      "by hand")                                                                                   \
    X(INTEGER, window_before, 2, 0, 1000, "stages before a use that are in its window",            \
      "measured")                                                                                  \
    X(INTEGER, window_depth, 3, 0, 1000, "recomputations in a row that lead into a window",        \
      "measured")                                                                                  \
    X(REAL, look_work, 1, 0, 1000,                                                                 \
      "work of the first look at the tree over the windows, of that of their LP", "measured")      \
    X(INTEGER, look_nodes, 10, 1, 1000000, "nodes of that look", "by hand")                        \
    X(INTEGER, windows_effort, 400, 0, 1000,                                                       \
      "work on the tree over the windows, per mille of all, before the rest has its turn",         \
      "by hand")                                                                                   \
    X(INTEGER, window_nodes, 500, 1, 1000000000, "... or these nodes, if that is more", "by hand") \
    X(REAL, least_slice, 1e8, 1e6, 1e15, "steps of work of one turn of a tree", "by hand")         \
    X(REAL, slice, 0.2, 0, 1000, "... or this part of all so far, if that is more", "by hand")     \
    X(REAL, near_gap, 0.02, 0, 1, "gap up to which the tree over the rest is likely to close",     \
      "by hand")                                                                                   \
    X(INTEGER, cut_rounds, 60, 0, 100000, "rounds of cuts on a working model", "by hand")          \
    X(REAL, long_work, 1e9, 0, 1e15,                                                               \
      "steps of work after which schedules are looked for again, though the bound is near",        \
      "measured")

typedef struct exact_tuning {
    lp_tuning lp;
    bnb_tuning bnb;
    heuristic_tuning heuristics;
    EXACT_PARAMETERS(PARAMS_FIELD)
} exact_tuning;

exact_tuning exact_tuning_default(void);

extern const params_table exact_parameters;

#endif
