/* Seeded random models small enough for enumeration, and the enumeration. */
#ifndef TESTS_BNB_MODELS_H
#define TESTS_BNB_MODELS_H

#include <check.h>

#include "bnb/bnb.h"
#include "tests/owned.h"

OWNED_VALUE(bnb_result, bnb_result_clear)

enum { MODEL_KINDS = 9 };

/* Kind: 0 pure integer, 1 real knapsacks, 2 set cover, 3 general integers with equalities and
 * ranges, 4 fixed charge (big-M), 5 equality knapsack, 6 mixed with unbounded continuous
 * columns, 7 set packing and partitioning, 8 lot sizing (paths of continuous columns). */
lp_model *random_model(int kind, uint64_t seed);

/* A set cover that presolve leaves alone, with an LP that takes a while; cols a multiple of 8. */
lp_model *cover_model(int cols, int rows, uint64_t seed);

typedef struct oracle_result {
    bool feasible;
    double objective;
} oracle_result;

/* Least objective over all integer points within the bounds; LPs for the rest. */
oracle_result oracle_solve(const lp_model *m);

/* Calls visit for every integer assignment that can be completed, with the LP solver whose
 * bounds are fixed to it (NULL for pure integer models) and x. */
typedef void oracle_visit(void *user, lp_solver *lp, const double *x);
void oracle_enumerate(const lp_model *m, oracle_visit *visit, void *user);

/* Fails the test unless the result is the oracle's optimum with a valid solution. */
void assert_agrees(const lp_model *m, const bnb_result *r, const oracle_result *o, const char *what,
                   int kind, uint64_t seed);

/* Parameters without a log. */
bnb_params quiet_params(void);

/* Members of a bnb_proof that do nothing. */
void ignore_cut(void *user, long id, const bnb_cut *cut, const char *kind, const bnb_rounding *how);
void ignore_branch(void *user, long node, int col, double value, long down, long up);
void ignore_leaf(void *user, long node, const bnb_leaf *leaf);

#endif
