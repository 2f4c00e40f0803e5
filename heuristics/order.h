/* heuristics/order: other orders of the nodes. A schedule computes nodes in the order of the graph,
 * as in the paper; on branchy graphs another topological order may need much less memory. */
#ifndef HEURISTICS_ORDER_H
#define HEURISTICS_ORDER_H

#include "heuristics/tuning.h"
#include "problem/graph.h"

/* A topological order in which p costs less, by what annealing of schedules (heuristics/anneal.h)
 * finds in each: order[k] is the node to be computed k-th; to be freed. NULL: none was found.
 * Simulated annealing on the bytes by which checkpoint-all exceeds the budget, summed over the
 * stages, with moves of one node to another place between its inputs and users; a few walks, of
 * which the best by schedules wins. About tuning->order_work in all. O(n + edges) memory. */
int *order_search(const problem *p, const heuristic_tuning *tuning, uint64_t seed);

#endif
