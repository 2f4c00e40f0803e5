/* tests/oracle: a canonical schedule of a small instance, found by search from the definition in
 * docs/formulation.md alone. No linear program, no formulation, none of its rows and reductions:
 * what those are checked with. */
#ifndef TESTS_ORACLE_CANONICAL_H
#define TESTS_ORACLE_CANONICAL_H

#include "problem/graph.h"
#include "problem/schedule.h"

enum { CANONICAL_MAX_NODES = 12 };

typedef struct canonical_result {
    bool gave_up;           /* ran out of the limit; nothing else is set */
    double overhead_joules; /* INFINITY: nothing obeys the rules */
    schedule *schedule;     /* NULL then; the caller frees it */
    long ways;              /* ways through a stage that were looked at */
} canonical_result;

/* A least element of the set X of the document in its order: by joules, then by the number of
 * recomputations, page-ins and page-outs, by that of residencies, by the sum of the stages of
 * page-outs. Which one of several is drawn by the seed. It may rest on early releases, and is not a
 * schedule then. Needs p->graph->n <= CANONICAL_MAX_NODES.
 *
 * Best-first search forward in the stages; a state is S[t], A[t] (as large as it can be) and, with
 * a deadline, the seconds, with a limit on computations their numbers. All R[t], Out[t], S[t+1] and
 * In[t] that obey the rules are tried, but for these, without which the element would be less and
 * no sum of bytes larger:
 *   - page-ins of what is not kept, or is in RAM or computed in the stage;
 *   - page-outs of what is on storage and that release nothing early;
 *   - any cells of a node without users but R.
 * Gives up after `limit` ways. Mostly below 1 ms for 6 nodes; 8 are often
 * too many for 10^6 ways, 12 not always. */
canonical_result canonical_least(const problem *p, uint64_t seed, long limit);

#endif
