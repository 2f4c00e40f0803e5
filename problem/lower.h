/* problem/lower: turns nodes of frameworks (views, outputs in place, several outputs) into nodes
 * with one output in memory of its own, the only kind that the rest of the program has.
 * docs/formats.md defines each of them; docs/formulation.md separates definitions from arguments.
 */
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
    graph_node node; /* without bytes where it has outputs; of a view name, inputs, note, backward,
                        output */
    lower_sharing sharing;
    int shares;              /* LOWER_IN_PLACE: one of its inputs */
    const int *input_output; /* of each input, which of its outputs is read, -1: all; NULL: all */
    const lower_output *outputs;
    int output_count; /* 0: one, of node.bytes */
    bool has_flops;   /* costing makes the costs */
    int64_t flops;
} lower_node;

/* Creates the graph of n nodes, numbered as in the list without views and overwritten nodes. If
 * the last of them does not read all outputs (graph_node.output), a node "outputs" without size
 * and costs follows that reads them. costing may be NULL if no node has FLOPs. Returns NULL with
 * an error that names the node: for everything that graph_create refuses; for a view without
 * exactly one input, or with bytes or costs of its own; for an output in place whose size differs
 * from the overwritten one, whose overwritten output has another reader or is one of several; for
 * an output that a node does not have. O(n + edges + outputs). */
graph *graph_lower(const char *name, const lower_node *nodes, int n, const graph_costing *costing,
                   base_error *error);

#endif
