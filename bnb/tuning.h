/* bnb/tuning: the parameters of the branch and bound (base/params.h). */
#ifndef BNB_TUNING_H
#define BNB_TUNING_H

#include "base/params.h"

enum { BNB_MOST_MIR_ROWS = 16 };

/* "measured": benchmarks/ABLATION.md compares it with another value; "by hand": no measurement is
 * on record. */
#define BNB_PARAMETERS(X)                                                                          \
    /* components */                                                                               \
    X(SWITCH, presolve, true, 0, 1, "presolve before the root", "textbook")                        \
    X(SWITCH, dual_reductions, true, 0, 1,                                                         \
      "presolve may drop some, not all, optimal solutions; off where a callback judges solutions", \
      "textbook")                                                                                  \
    X(INTEGER, presolve_rounds, 8, 0, 100, "most rounds of one presolve", "by hand")               \
    X(SWITCH, propagation, true, 0, 1, "propagate bounds at nodes", "textbook")                    \
    X(SWITCH, reduced_cost_fixing, true, 0, 1, "tighten bounds by reduced costs", "textbook")      \
    X(INTEGER, picked_duals, 50, 0, 1000000000,                                                    \
      "fix at the root by duals picked for it where so many integer columns are at a bound; "      \
      "0: never",                                                                                  \
      "measured")                                                                                  \
    X(REAL, pick_gain, 0.1, 0, 1,                                                                  \
      "pick duals again when the root's cuts have closed this share of the gap", "by hand")        \
    X(INTEGER, early_picks, 3, 0, 8,                                                               \
      "times that duals are picked before the root LP has all "                                    \
      "lazy rows",                                                                                 \
      "measured")                                                                                  \
    X(INTEGER, early_picks_growth, 4, 1, 10,                                                       \
      "factor on the rounds without progress from one early pick to the next", "by hand")          \
    /* restarts and lazy rows */                                                                   \
    X(SWITCH, restarts, true, 0, 1, "presolve again when the root has fixed many columns",         \
      "Achterberg 2007")                                                                           \
    X(INTEGER, most_restarts, 8, 0, 1000, "restarts in all", "by hand")                            \
    X(INTEGER, restart_cols, 20, 0, 1000000000, "columns that must be left for a restart",         \
      "by hand")                                                                                   \
    X(REAL, restart_share, 0.1, 0, 1, "share of the columns that must be fixed for a restart",     \
      "by hand")                                                                                   \
    X(INTEGER, lazy_rows, 200, 0, 1000000000,                                                      \
      "models with so many rows keep those that the root's basis did not need out of the LPs "     \
      "until violated; 0: never",                                                                  \
      "by hand")                                                                                   \
    X(REAL, lazy_first, 0.1, 0, 0.9, "lazy rows enter whose violation is this part of the worst",  \
      "by hand")                                                                                   \
    X(REAL, lazy_next, 0.5, 0, 1, "factor on lazy_first from one round to the next", "by hand")    \
    X(INTEGER, lazy_violated_rounds, 2, 0, 1000,                                                   \
      "rounds after which rows that are just met come too", "by hand")                             \
    X(REAL, lazy_still, 0.05, 0, 1,                                                                \
      "a round stands still that brings less of the way to the cutoff", "by hand")                 \
    X(REAL, lazy_arrived, 0.01, 0, 1, "... or leaves less of the first round's way", "by hand")    \
    /* cuts */                                                                                     \
    X(SWITCH, cuts_mir, true, 0, 1, "mixed-integer rounding cuts", "Marchand, Wolsey 2001")        \
    X(SWITCH, cuts_gomory, true, 0, 1, "Gomory's mixed-integer cuts", "textbook")                  \
    X(INTEGER, cut_rounds_root, 200, 0, 10000, "most rounds of cuts at the root", "by hand")       \
    X(INTEGER, cut_rounds_node, 1, 0, 1000, "... and at a node that is cut", "by hand")            \
    X(INTEGER, cuts_root, 500, 1, 1000000, "most cuts of a round at the root", "by hand")          \
    X(INTEGER, cuts_node, 50, 1, 1000000, "... and at a node", "by hand")                          \
    X(INTEGER, cut_age_root, 3, 0, 10000,                                                          \
      "rounds for which a cut that does not bind stays in the root's LP", "by hand")               \
    X(INTEGER, cut_age_node, 8, 0, 10000, "... and in a node's", "by hand")                        \
    X(INTEGER, pool_age, 40, 0, 100000, "... and in the pool", "by hand")                          \
    X(REAL, cut_gain, 0.02, 0, 1, "share of the gap that a round must close to count", "by hand")  \
    X(INTEGER, cut_stall_root, 6, 1, 1000, "rounds that close less, until the root's end",         \
      "by hand")                                                                                   \
    X(INTEGER, cut_stall_node, 1, 1, 1000, "... and a node's", "by hand")                          \
    X(INTEGER, cut_wait, 15, 0, 100000,                                                            \
      "most nodes between two that are cut, where cuts close little", "measured")                  \
    X(REAL, cut_efficacy, 1e-4, 1e-6, 1, "least efficacy of a cut", "by hand")                     \
    X(REAL, cut_parallelism, 0.98, 0, 1, "most parallelism of two cuts of a round", "by hand")     \
    X(INTEGER, mir_rows, 6, 1, BNB_MOST_MIR_ROWS, "most rows summed up for a rounding cut",        \
      "Marchand, Wolsey 2001")                                                                     \
    X(INTEGER, mir_flips, 12, 0, 10000, "most columns complemented for one", "by hand")            \
    X(INTEGER, gomory_rows_root, 200, 0, 1000000, "tableau rows tried in a round at the root",     \
      "by hand")                                                                                   \
    X(INTEGER, gomory_rows_node, 40, 0, 1000000, "... and at a node", "by hand")                   \
    /* branching */                                                                                \
    X(SWITCH, strong_branching, true, 0, 1, "strong branching; off: pseudo-costs alone",           \
      "Achterberg, Koch, Martin 2005")                                                             \
    X(INTEGER, reliability, 8, 0, 1000000, "pseudo-cost observations that make a column reliable", \
      "Achterberg, Koch, Martin 2005")                                                             \
    X(INTEGER, strong_candidates, 100, 1, 1000000, "columns that may be tried at a node",          \
      "Achterberg, Koch, Martin 2005")                                                             \
    X(INTEGER, strong_lookahead, 9, 1, 1000000, "trials without a better column that end it",      \
      "Achterberg, Koch, Martin 2005")                                                             \
    X(INTEGER, strong_iterations, 100, 1, 1000000, "simplex iterations of a trial", "by hand")     \
    X(REAL, strong_share, 0.5, 0, 1000, "simplex iterations of all trials, in those of the nodes", \
      "Achterberg, Koch, Martin 2005")                                                             \
    X(INTEGER, strong_start, 20000, 0, 1000000000, "... and so many more", "by hand")              \
    /* the tree */                                                                                 \
    X(INTEGER, plunge_depth, 4, 0, 1000000, "least nodes of a plunge", "by hand")                  \
    X(REAL, plunge_share, 0.25, 0, 1,                                                              \
      "a plunge goes on while its bound is within this share of the gap from the best", "by hand") \
    X(INTEGER, round_nodes, 16, 1, 1000000,                                                        \
      "work of a thread in a round of several, in that of a node", "by hand")                      \
    /* heuristics */                                                                               \
    X(SWITCH, rounding, true, 0, 1, "rounding with propagation", "textbook")                       \
    X(SWITCH, dive, true, 0, 1, "dives: fractional, pseudo-cost, guided", "Achterberg 2007")       \
    X(SWITCH, rins, true, 0, 1, "sub-MIPs around the incumbent and the LP",                        \
      "Danna, Rothberg, Le Pape 2005")                                                             \
    X(REAL, heuristic_share, 0.15, 0, 1000,                                                        \
      "simplex iterations of heuristics, in those of the nodes", "by hand")                        \
    X(INTEGER, heuristic_start, 2000, 0, 1000000000, "... and so many more", "by hand")            \
    X(INTEGER, rounding_every, 8, 1, 1000000, "nodes from one rounding to the next", "by hand")    \
    X(INTEGER, dive_every, 10, 1, 1000000, "nodes from one dive to the next", "by hand")           \
    X(INTEGER, dive_depth, 2000, 1, 1000000, "most steps of a dive", "by hand")                    \
    X(INTEGER, rins_first, 50, 0, 1000000,                                                         \
      "nodes before the first sub-MIP in the tree; then at twice as many, and so many more",       \
      "by hand")                                                                                   \
    X(REAL, submip_work, 0.5, 0, 1000, "work of a sub-MIP, of that of its search so far",          \
      "measured")                                                                                  \
    X(INTEGER, submip_nodes, 200, 1, 1000000, "most nodes of a sub-MIP", "by hand")                \
    X(INTEGER, submip_cut_rounds, 5, 0, 10000, "most rounds of cuts at its root", "by hand")       \
    X(REAL, submip_fixed, 0.5, 0, 1, "share of the integers that must be fixed in it",             \
      "Danna, Rothberg, Le Pape 2005")

typedef struct bnb_tuning {
    BNB_PARAMETERS(PARAMS_FIELD)
} bnb_tuning;

bnb_tuning bnb_tuning_default(void);

extern const params_table bnb_parameters;

#endif
