/* exact/tuning: the parameters of the exact solver (base/params.h), including the parameters of the
 * rooms that it drives. */
#ifndef EXACT_TUNING_H
#define EXACT_TUNING_H

#include "bnb/tuning.h"
#include "heuristics/tuning.h"
#include "lp/tuning.h"

#define EXACT_PARAMETERS(X)                                                                        \
    X(SWITCH, windows, true, 0, 1, "start from cells near uses; off: from all cells", "measured")  \
    X(SWITCH, coarse, true, 0, 1,                                                                  \
      "bounds and schedules from coarse timelines, at first and when models grow for long",        \
      "measured")                                                                                  \
    X(SWITCH, coarse_fixing, true, 0, 1,                                                           \
      "cells that are too dear on the first coarse timelines enter no model", "measured")          \
    X(REAL, coarse_quick, 2e5, 0, 1e9,                                                             \
      "steps of work on coarse timelines before all models, per node", "measured")                 \
    X(SWITCH, totals, true, 0, 1, "integer totals over tensors of equal cost, in the last trees",  \
      "measured")                                                                                  \
    X(SWITCH, unit_totals, true, 0, 1,                                                             \
      "integer totals over multiples of a unit of cost, if the gap is below the unit", "measured") \
    X(REAL, first_wait, 1e9, 1e6, 1e15,                                                            \
      "steps of work on the LP over the windows before other efforts get turns", "by hand")        \
    X(INTEGER, first_effort, 250, 0, 1000,                                                         \
      "work on the LP over the windows after that, per mille of all", "by hand")                   \
    X(INTEGER, anneal_effort, 200, 0, 900, "work on annealing, per mille of all", "measured")      \
    X(REAL, anneal_quick, 5e4, 0, 1e6,                                                             \
      "steps of annealing before all else, per node; ten times that without a schedule",           \
      "by hand")                                                                                   \
    X(INTEGER, coarse_effort, 300, 0, 1000, "work on coarse timelines, per mille of all",          \
      "measured")                                                                                  \
    X(INTEGER, coarse_tries, 24, 1, 100000,                                                        \
      "stages tried as the next point of a timeline, before stages around the best", "by hand")    \
    X(REAL, coarse_try_work, 5e7, 1e6, 1e15, "steps of work on each stage that is tried",          \
      "by hand")                                                                                   \
    X(INTEGER, coarse_models, 40, 1, 100000, "most coarse timelines in all", "by hand")            \
    X(REAL, coarse_least_slice, 2e8, 1e6, 1e15,                                                    \
      "least steps of work on a coarse timeline, and on the choice of its next point", "by hand")  \
    X(SWITCH, cases, true, 0, 1, "cases by which dear tensors are ever away from RAM", "measured") \
    X(REAL, cases_begin, 6e9, 0, 1e15, "steps of work before the cases begin", "by hand")          \
    X(INTEGER, cases_effort, 1000, 0, 1000, "work on the cases, per mille of all", "measured")     \
    X(REAL, cases_dear, 0.02, 0, 1,                                                                \
      "a tensor is dear if being away costs at least this part of the best overhead", "by hand")   \
    X(SWITCH, labels, true, 0, 1, "label searches, from the last stage to the first", "measured")  \
    X(REAL, labels_begin, 5e9, 0, 1e15,                                                            \
      "steps of work before label searches, polish and walks around kept tensors begin",           \
      "by hand")                                                                                   \
    X(REAL, labels_gap, 0.15, 0, 1,                                                                \
      "gap above which label searches begin after the first timelines, before models of cells",    \
      "by hand")                                                                                   \
    X(INTEGER, labels_effort, 600, 0, 1000, "work on label searches, per mille of all", "by hand") \
    X(INTEGER, polish_effort, 300, 0, 1000,                                                        \
      "work on schedules near the best one, per mille of all", "measured")                         \
    X(REAL, serial_work, 5e7, 0, 1e15, "steps of work before several threads share the search",    \
      "measured")                                                                                  \
    X(INTEGER, window_before, 2, 0, 1000, "stages before a use that belong to its window",         \
      "measured")                                                                                  \
    X(INTEGER, window_depth, 3, 0, 1000, "recomputations in a row that lead into a window",        \
      "measured")                                                                                  \
    X(REAL, look_work, 1, 0, 1000,                                                                 \
      "work of the first turn of the tree over the windows, relative to their LP", "measured")     \
    X(INTEGER, look_nodes, 10, 1, 1000000,                                                         \
      "most nodes of the first turn of the tree over the windows", "by hand")                      \
    X(REAL, least_slice, 1e8, 1e6, 1e15, "least steps of work of one turn of a tree", "by hand")   \
    X(REAL, slice, 0.2, 0, 1000,                                                                   \
      "work of one turn of a tree, as a part of all work so far, if that is more", "by hand")      \
    X(REAL, near_gap, 0.02, 0, 1, "gap up to which the tree over the rest is likely to close",     \
      "by hand")                                                                                   \
    X(INTEGER, cut_rounds, 60, 0, 100000, "most rounds of cuts on a working model", "by hand")     \
    X(REAL, long_work, 1e9, 0, 1e15,                                                               \
      "steps of work after which a search is long: heuristics and timelines then continue",        \
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
