/* lp/tuning: the parameters of the simplex (base/params.h). Tolerances are in
 * lp_params. */
#ifndef LP_TUNING_H
#define LP_TUNING_H

#include "base/params.h"

#define LP_PARAMETERS(X)                                                                           \
    /* factors */                                                                                  \
    X(INTEGER, refactor_least, 50, 1, 10000, "updates before wear of the factors is looked at",    \
      "by hand")                                                                                   \
    X(INTEGER, refactor_most, 500, 1, 10000, "updates after which the basis is factorised anew",   \
      "by hand")                                                                                   \
    X(INTEGER, refactor_rows, 250, 1, 1000000, "... or one for so many rows, if that is more",     \
      "by hand")                                                                                   \
    X(REAL, refactor_cost, 2, 0, 1000,                                                             \
      "work of the updates' solves that makes the factors worn, in builds", "by hand")             \
    /* pricing */                                                                                  \
    X(REAL, weight_trust, 0.25, 0, 1,                                                              \
      "a row or column is chosen again whose weight was less than this part of the exact one",     \
      "Forrest, Goldfarb 1992")                                                                    \
    X(REAL, top_merit, 0.1, 0, 1, "part of the best row's merit that makes a row one of the top",  \
      "by hand")                                                                                   \
    X(INTEGER, top_candidates, 50, 0, 1000000000, "candidates of which all are looked at",         \
      "by hand")                                                                                   \
    X(REAL, dense_row, 0.1, 0, 1, "density of a row of the inverse from which columns are priced", \
      "by hand")                                                                                   \
    /* degeneracy */                                                                               \
    X(REAL, perturbation, 5e-7, 0, 1e-5, "costs' perturbation where a solve starts from a basis",  \
      "Koberstein 2005")                                                                           \
    X(REAL, perturbation_cold, 2e-8, 0, 1e-5, "... and where from the slack basis", "measured")    \
    X(REAL, perturbation_stalled, 8e-6, 0, 1e-4,                                                   \
      "... and where steps are still zero, in the mean of the costs", "by hand")                   \
    X(INTEGER, stalled, 100, 0, 1000000000, "degenerate dual pivots before costs are perturbed",   \
      "by hand")                                                                                   \
    X(INTEGER, stall_window, 1000, 1, 1000000000, "dual pivots after that, of which", "by hand")   \
    X(INTEGER, stalled_again, 30, 0, 1000000000, "so many degenerate ones perturb more",           \
      "by hand")                                                                                   \
    X(INTEGER, primal_stalled, 200, 0, 1000000000,                                                 \
      "degenerate primal pivots before bounds are perturbed", "by hand")                           \
    X(REAL, primal_perturbation, 1e-7, 0, 1e-6, "relative size of that", "by hand")                \
    X(INTEGER, confirm_after, 100, 0, 10000,                                                       \
      "dual pivots after which an optimum is computed anew to be believed", "by hand")             \
    /* before the simplex */                                                                       \
    X(INTEGER, scale_passes, 8, 0, 1000, "passes of geometric scaling", "textbook")                \
    /* picked duals */                                                                             \
    X(INTEGER, pick_pivots, 2, 1, 1000, "iterations for each column that duals are to fix",        \
      "by hand")

typedef struct lp_tuning {
    LP_PARAMETERS(PARAMS_FIELD)
} lp_tuning;

lp_tuning lp_tuning_default(void);

extern const params_table lp_parameters;

#endif
