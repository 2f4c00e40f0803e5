/* heuristics/node_list: a list of nodes that grows; all zero is an empty one, and `at` is freed by
 * its owner. */
#ifndef HEURISTICS_NODE_LIST_H
#define HEURISTICS_NODE_LIST_H

typedef struct node_list {
    int count, capacity;
    int *at; /* extent count */
} node_list;

/* As the last one. O(1) amortised. */
void node_list_append(node_list *l, int node);
/* In and out of a list that ascends, where it is not, or is. O(count). */
void node_list_insert(node_list *l, int node);
void node_list_remove(node_list *l, int node);

#endif
