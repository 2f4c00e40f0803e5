/* The optimum by trying every R[t], S[t+1], In[t] and Out[t] of every stage: slower than the
 * oracle, and simpler, to compare it with. */
#ifndef TESTS_PROBLEM_STAGES_H
#define TESTS_PROBLEM_STAGES_H

#include "problem/graph.h"

enum { STAGES_MAX_NODES = 8 };

/* The least overhead in joules, INFINITY without a schedule. Dynamic programme forward in the
 * stages. A state is the pair (S[t], A[t]); its labels are the Pareto-optimal (joules, seconds)
 * added so far. Left out, because costs are not negative: paging in what has another source, paging
 * out what is on storage, and forgetting what is on storage. Needs p->graph->n <= STAGES_MAX_NODES.
 * Sums are plain doubles, exact where costs are small multiples of a power of two. About 0.2 ms for
 * n = 6, 1 ms for 7, 10 ms for 8. */
double stages_optimum(const problem *p);

#endif
