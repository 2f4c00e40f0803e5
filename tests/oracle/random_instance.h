/* tests/oracle: seeded random instances, and the shrinking of one that fails. */
#ifndef TESTS_ORACLE_RANDOM_INSTANCE_H
#define TESTS_ORACLE_RANDOM_INSTANCE_H

#include "problem/graph.h"
#include "tests/owned.h"

/* The graph is owned; problem.graph points to it. */
typedef struct random_instance {
    graph *graph;
    problem problem;
} random_instance;

/* An instance with 1..max_nodes nodes (max_nodes >= 1), the same for the same
 * arguments on every machine. Shapes: any DAG, from none to all edges; a
 * training chain with the gradients of the published networks; the same with
 * skip connections. All costs are small multiples of 1/8, sizes small multiples
 * of 1, 3 or 16384, some of them zero, so that sums are exact and ties frequent.
 * The budget lies between a little below what one node needs and a little above
 * the checkpoint-all peak; half of the instances have a deadline; each of paging,
 * recomputation and the two options is off or on at random. Some nodes have workspaces and pins,
 * and some instances a limit on computations (node_kinds.h). */
random_instance random_instance_make(uint64_t seed, int max_nodes);
void random_instance_free(random_instance *instance);
OWNED_VALUE(random_instance, random_instance_free)

/* True if a property fails for p; must not keep p. */
typedef bool (*random_instance_fails)(const problem *p, void *context);

/* The smallest instance found from p (for which fails(p) holds) that still fails:
 * greedily drops nodes, edges, costs, the deadline and options as long as it
 * does. Calls fails O((n + edges)^2) times at most. */
random_instance random_instance_shrink(const problem *p, random_instance_fails fails,
                                       void *context);

/* Writes p as a schedule file (with the checkpoint-all schedule), which holds
 * graph, budget, deadline and options: a failure kept as a regression file. */
int random_instance_save(const problem *p, const char *path, base_error *error);

#endif
