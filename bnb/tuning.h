/* bnb/tuning: the parameters of the branch and bound (base/params.h). */
#ifndef BNB_TUNING_H
#define BNB_TUNING_H

#include "base/params.h"

/* Origin of a default: "measured": benchmarks/ABLATION.md compares it with another value; "by
 * hand": no measurement is on record. */
#define BNB_PARAMETERS(X)                                                                          \
    /* components */                                                                               \
    X(SWITCH, presolve, true, 0, 1, "presolve before the root", "textbook")                        \
    X(SWITCH, propagation, true, 0, 1, "propagate bounds at nodes", "textbook")                    \
    X(SWITCH, reduced_cost_fixing, true, 0, 1, "tighten bounds by reduced costs", "textbook")      \
    X(INTEGER, picked_duals, 50, 0, 1000000000,                                                    \
      "number of integer columns at a bound from which on picked duals fix columns at the root; "  \
      "0: never",                                                                                  \
      "measured")                                                                                  \
    X(INTEGER, early_picks, 3, 0, 8, "most picks of duals before the root LP has all lazy rows",   \
      "measured")                                                                                  \
    /* restarts and lazy rows */                                                                   \
    X(SWITCH, restarts, true, 0, 1, "presolve again when the root has fixed many columns",         \
      "Achterberg 2007")                                                                           \
    X(INTEGER, restart_cols, 20, 0, 1000000000, "unfixed columns that must remain for a restart",  \
      "by hand")                                                                                   \
    X(INTEGER, lazy_rows, 200, 0, 1000000000,                                                      \
      "from this number of rows on, rows not needed by the root's basis enter LPs when violated; " \
      "0: never",                                                                                  \
      "by hand")                                                                                   \
    /* cuts */                                                                                     \
    X(SWITCH, cuts_mir, true, 0, 1, "mixed-integer rounding cuts", "Marchand, Wolsey 2001")        \
    X(SWITCH, cuts_gomory, true, 0, 1, "Gomory's mixed-integer cuts", "textbook")                  \
    X(INTEGER, cut_rounds_root, 200, 0, 10000, "most rounds of cuts at the root", "by hand")       \
    X(INTEGER, cut_rounds_node, 1, 0, 1000, "most rounds of cuts at a node below the root",        \
      "by hand")                                                                                   \
    X(REAL, cut_gain, 0.02, 0, 1,                                                                  \
      "a round of cuts that closes at most this share of the gap counts as stalled", "by hand")    \
    /* branching */                                                                                \
    X(INTEGER, reliability, 8, 0, 1000000,                                                         \
      "pseudo-cost observations that make a column reliable; 0: no strong branching",              \
      "Achterberg, Koch, Martin 2005")                                                             \
    X(INTEGER, strong_candidates, 100, 1, 1000000,                                                 \
      "most columns that strong branching tries at a node", "Achterberg, Koch, Martin 2005")       \
    X(INTEGER, strong_lookahead, 9, 1, 1000000,                                                    \
      "trials in a row without a better column after which strong branching ends",                 \
      "Achterberg, Koch, Martin 2005")                                                             \
    X(REAL, strong_share, 0.5, 0, 1000,                                                            \
      "simplex iterations of strong branching, as a share of all other iterations",                \
      "Achterberg, Koch, Martin 2005")                                                             \
    /* the tree */                                                                                 \
    X(INTEGER, round_nodes, 16, 1, 1000000,                                                        \
      "nodes dealt to each of several threads in a round; its work, in average nodes", "by hand")  \
    /* heuristics */                                                                               \
    X(SWITCH, rounding, true, 0, 1, "rounding with propagation", "textbook")                       \
    X(SWITCH, dive, true, 0, 1, "dives: fractional, pseudo-cost, guided", "Achterberg 2007")       \
    X(SWITCH, rins, true, 0, 1, "sub-MIPs around the incumbent and the LP",                        \
      "Danna, Rothberg, Le Pape 2005")                                                             \
    X(REAL, heuristic_share, 0.15, 0, 1000,                                                        \
      "simplex iterations of heuristics, as a share of those of node LPs", "by hand")              \
    X(INTEGER, rins_first, 50, 0, 1000000,                                                         \
      "nodes before the first sub-MIP in the tree; one at node k is followed at node 2 k + "       \
      "rins_first",                                                                                \
      "by hand")                                                                                   \
    X(REAL, submip_work, 0.5, 0, 1000,                                                             \
      "most work of a sub-MIP, as a share of the work of its search so far", "measured")           \
    X(INTEGER, submip_nodes, 200, 1, 1000000, "most nodes of a sub-MIP", "by hand")                \
    X(REAL, submip_fixed, 0.5, 0, 1,                                                               \
      "share of the integer columns that must be fixed in a sub-MIP",                              \
      "Danna, Rothberg, Le Pape 2005")

typedef struct bnb_tuning {
    BNB_PARAMETERS(PARAMS_FIELD)
} bnb_tuning;

bnb_tuning bnb_tuning_default(void);

extern const params_table bnb_parameters;

#endif
