/* tests/oracle: lists of nodes with views, outputs in place and several outputs, and the optimum of
 * a small one by what those mean, without the graph that they are lowered to. */
#ifndef TESTS_ORACLE_SHARING_H
#define TESTS_ORACLE_SHARING_H

#include "problem/lower.h"

enum { SHARING_NODES = 24, SHARING_INPUTS = 64, SHARING_OUTPUTS = 3 };

typedef struct sharing_list {
    int n;
    lower_node node[SHARING_NODES];
    int input[SHARING_NODES][SHARING_INPUTS], part[SHARING_NODES][SHARING_INPUTS];
    lower_output output[SHARING_NODES][SHARING_OUTPUTS];
    graph *graph; /* graph_lower's */
} sharing_list;

/* A list whose graph has at most most_nodes <= 12 nodes, the same for the same arguments; costs are
 * small multiples of 1/8. */
sharing_list *sharing_list_draw(uint64_t seed, int most_nodes);
void sharing_list_free(sharing_list *list);

/* A problem on the graph of the list, as random_instance_make draws it. */
problem sharing_problem_draw(const sharing_list *list, uint64_t seed);

/* What the native optimum is taken over. */
typedef enum sharing_freedom {
    SHARING_TOGETHER, /* outputs of a node are kept and paged together, as defined */
    SHARING_APART     /* each by itself */
} sharing_freedom;

/* Least overhead of p, whose graph is used for nothing; INFINITY: infeasible, NAN: more than 6
 * nodes that are computed, or 7 tensors. By trying every set of nodes computed, tensors kept, paged
 * in and out, of each stage, on the nodes and memories of the list itself: a view is the memory of
 * its base; a node in place is computed with what it overwrites, in whose memory it writes; outputs
 * that nothing reads are there while the node is computed; what has to survive is in RAM after a
 * last stage that computes no node for the first time. Costs are to be multiples of 1/8. */
double sharing_optimum(const sharing_list *list, const problem *p, sharing_freedom freedom);

#endif
