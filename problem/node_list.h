/* The nodes of a graph file while they are checked, for its reader alone. */
#ifndef PROBLEM_NODE_LIST_H
#define PROBLEM_NODE_LIST_H

#include "problem/graph_json.h"
#include "problem/lower.h"

typedef struct node_list {
    int n;
    lower_node *nodes;
    int **inputs;           /* of each node, and behind them the outputs that it reads of each */
    lower_output **outputs; /* of each node; NULL: one */
    graph_alias **aliases;  /* of each node; NULL: none */
    char **notes;           /* of each node */
    json_t *numbers;        /* name -> node and output; NULL before one is needed */
    size_t output_count;    /* of all nodes with several outputs */
    const graph_costing *costing; /* NULL: none */
    int costed;                   /* nodes with FLOPs */
} node_list;

/* The meaning of an element of "inputs". */
typedef struct node_reference {
    int node, output; /* -1: all outputs, or the only one */
} node_reference;

/* A position, a name, NODE.OUTPUT, or [one of these, index of an output]. All nodes have been
 * read, but for their inputs. Returns 0, or -1 with an error. */
int node_list_read_reference(const json_t *value, const strict_place *place, node_list *list,
                             node_reference *to, base_error *error);

/* The inputs of node i, which place names. */
int node_list_read_inputs(const json_t *value, const strict_place *place, node_list *list, int i,
                          base_error *error);

/* Every input has a smaller number; if not, says whether renumbering would help. */
int node_list_check_order(const node_list *list, const strict_place *nodes, base_error *error);

#endif
