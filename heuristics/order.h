/* heuristics/order: other orders of the nodes. A schedule computes nodes in the order of the graph,
 * as in the paper; on branchy graphs another topological order may need much less memory. */
#ifndef HEURISTICS_ORDER_H
#define HEURISTICS_ORDER_H

#include "heuristics/tuning.h"
#include "problem/graph.h"

/* Searches for a topological order in which p costs less, as judged by annealing of schedules
 * (heuristics/anneal.h) in each order. Returns the order, to be freed: order[k] is the node to be
 * computed k-th; NULL: none was found. Orders are annealed on the bytes by which checkpoint-all
 * exceeds the budget, summed over the stages. A move takes one node to another place between its
 * inputs and users. Of a few walks the one with the best schedules wins. About tuning->order_work
 * steps in all. O(n + edges) memory. */
int *order_search(const problem *p, const heuristic_tuning *tuning, uint64_t seed);

/* The same within limits. Returns the graph of p in that order, which the caller frees; NULL: none
 * was found. */
graph *order_graph(const problem *p, const base_limits *limits, const heuristic_tuning *tuning,
                   uint64_t seed);

#endif
