/* tests/oracle: instances that are better known by what their budget cuts off. */
#ifndef TESTS_ORACLE_BLOCKED_H
#define TESTS_ORACLE_BLOCKED_H

#include "problem/graph.h"

/* A graph of at most max_nodes nodes (max_nodes >= 6) in which large nodes that read nothing leave
 * room for little, so that dear tensors must be written out, often after a further recomputation,
 * beside small readers that cost nothing; with its budget. The caller frees the graph. */
graph *blocked_make(base_rng *rng, int max_nodes, int64_t *budget);

/* Takes from p what its best schedule uses up, a few times over: a byte of its peak or a little of
 * its seconds. p stays feasible, but for one in eight. */
void tighten(problem *p, base_rng *rng);

#endif
