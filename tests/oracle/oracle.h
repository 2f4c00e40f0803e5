/* tests/oracle: the optimum of a small POET instance by search over the states of
 * its stages. No linear program, no formulation, no code of the program beyond
 * the graph: what the formulations and methods are compared with. */
#ifndef TESTS_ORACLE_ORACLE_H
#define TESTS_ORACLE_ORACLE_H

#include "problem/graph.h"
#include "problem/schedule.h"

enum { ORACLE_MAX_NODES = 8 };

typedef struct oracle_result {
    bool feasible;
    double overhead_joules; /* of the optimum; INFINITY when infeasible */
    schedule *schedule;     /* an optimal one; NULL when infeasible. The caller frees it */
} oracle_result;

/* Dynamic programme forward in the stages. A state is the pair (S[t], A[t]); its
 * labels are the Pareto-optimal (joules, seconds) added so far. Every subset R[t]
 * and S[t+1] is tried, also useless ones. Left out, because costs are not
 * negative: paging in what has another source, paging out what is on storage,
 * and forgetting what is on storage. Needs p->graph->n <= ORACLE_MAX_NODES.
 * Sums are plain doubles: a deadline is met exactly as the validator sees it
 * only where they are exact (costs that are small multiples of a power of two).
 * About 0.01 s for n = 6, 0.2 s for 7, a few seconds for 8. */
oracle_result oracle_solve(const problem *p);

#endif
