/* heuristics/index_list: a growing list of nodes, stages or blocks. All zero: an empty list. The
 * owner frees `at`. */
#ifndef HEURISTICS_INDEX_LIST_H
#define HEURISTICS_INDEX_LIST_H

typedef struct index_list {
    int count, capacity;
    int *at; /* extent count */
} index_list;

/* Appends a node. O(1) amortised. */
void index_list_append(index_list *l, int node);
/* Insert a node into an ascending list, or remove it. insert requires that the node is not in the
 * list, remove that it is. O(count). */
void index_list_insert(index_list *l, int node);
void index_list_remove(index_list *l, int node);

#endif
