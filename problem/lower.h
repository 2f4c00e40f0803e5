/* problem/lower: turns nodes of frameworks (views, outputs in place, several outputs) into nodes
 * with one output in memory of its own. The rest of the program has only such nodes.
 * docs/formats.md defines each kind; docs/formulation.md says which parts of this are definitions
 * and which are proven. */
#ifndef PROBLEM_LOWER_H
#define PROBLEM_LOWER_H

#include "problem/graph.h"
#include "problem/json.h"

typedef enum lower_sharing {
    LOWER_OWN = 0, /* the output has memory of its own */
    LOWER_VIEW,    /* it is its only input's memory, and costs nothing */
    LOWER_IN_PLACE /* it overwrites the memory of the input `shares` */
} lower_sharing;

typedef struct lower_output {
    const char *name;
    int64_t bytes; /* >= 0 */
} lower_output;

typedef struct lower_node {
    graph_node node; /* node.bytes counts only if output_count is 0. For a view only name, inputs,
                        note, backward and output count */
    lower_sharing sharing;
    int shares;              /* LOWER_IN_PLACE: the overwritten input, a node number */
    const int *input_output; /* extent node.input_count: which output of the input is read, -1: all.
                                NULL: all outputs of all inputs */
    const lower_output *outputs;
    int output_count; /* extent of outputs; 0: one output of node.bytes */
    bool has_flops;   /* seconds and joules follow from flops and the costing of graph_lower */
    int64_t flops;
} lower_node;

/* Creates the graph of the n nodes. Views and overwritten nodes are left out, and the rest is
 * numbered in the order of the list. If the last node does not read every node with
 * graph_node.output, a node "outputs" is added that reads them; it has no size and no costs.
 * costing may be NULL if no node has FLOPs. O(n + edges + outputs).
 *
 * Returns NULL with an error that names the node if
 * - graph_create refuses the graph,
 * - a view does not have exactly one input, or has bytes or costs of its own,
 * - an output in place has another size than the overwritten output, or the overwritten output has
 *   another reader or is one of several outputs,
 * - a node reads an output that its input does not have. */
graph *graph_lower(const char *name, const lower_node *nodes, int n, const graph_costing *costing,
                   base_error *error);

#endif
