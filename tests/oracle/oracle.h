/* tests/oracle: the optimum of a small POET instance by search over the states of
 * its stages. No linear program, no formulation, no code of the program beyond
 * the graph: what the formulations and methods are compared with. */
#ifndef TESTS_ORACLE_ORACLE_H
#define TESTS_ORACLE_ORACLE_H

#include "problem/graph.h"
#include "problem/schedule.h"

enum { ORACLE_MAX_NODES = 14 };

typedef struct oracle_result {
    bool feasible;
    bool gave_up;           /* oracle_search ran out of its limit; nothing else is set */
    double overhead_joules; /* of the optimum; INFINITY when infeasible */
    schedule *schedule;     /* an optimal one; NULL when infeasible. The caller frees it */
    long stages;            /* ways through a stage that were looked at */
} oracle_result;

/* Best-first search forward in the stages; needs p->graph->n <= ORACLE_MAX_NODES. A state is S[t],
 * what could be on storage by t (it was in RAM when an earlier stage began), what is paid for to
 * be there and, where that is limited, how often each node was computed; its labels are the
 * Pareto-optimal joules and seconds so far. Costs and the deadline's slack are integers in units of
 * a power of two, so that sums and comparisons are exact whatever the doubles are.
 *
 * Every R[t], S[t+1] and In[t] is tried, in rising order of cost, but for those of which one look
 * at the rules shows that another choice is as good, all costs and sizes being nonnegative:
 *   - a node without users is not kept, nor is what has a source paged in;
 *   - a page-out is paid for by the first page-in: it happens when the tensor is first in RAM as a
 *     stage begins, and changes nothing else;
 *   - a recomputation of k in stage t either makes k available to a node of that stage or to the
 *     next stage, k not being in RAM, or releases an input that is not empty, not kept and used by
 *     k alone in that stage. Else leaving it out changes only sums of memory, and none of them
 *     upwards.
 * 1 to 20 ms for 8 nodes, mostly below 1 s for 12. */
oracle_result oracle_solve(const problem *p);

/* The same, but gives up after so many ways through stages. */
oracle_result oracle_search(const problem *p, long limit);

/* The optimum under rules that grant early releases, as the model of canonical schedules does: a
 * tensor that nothing uses in stage t, that is written out there and not kept, is released as the
 * stage begins, unless its first computation was in the stage before. No schedule. */
oracle_result oracle_granting(const problem *p, long limit);

#endif
