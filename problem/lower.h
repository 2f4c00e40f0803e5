/* problem/lower: nodes as frameworks have them - views, outputs in place, several outputs - become
 * nodes with one output in memory of its own, which is all that the rest of the program knows.
 * docs/formats.md says what each means, docs/formulation.md what is exact by definition and what by
 * an argument. */
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

/* The graph of n nodes, numbered as in the list without views and overwritten nodes. Where the last
 * of them does not itself read all outputs (graph_node.output) a node "outputs" follows that does,
 * without size and costs. costing may be
 * NULL where no node has FLOPs. NULL with an error that names the node on what graph_create
 * refuses; a view of not one input or with anything of its own; an output in place of another size
 * than what it overwrites, or of what another node reads, or of one of several outputs; an output
 * that a node does not have. O(n + edges + outputs). */
graph *graph_lower(const char *name, const lower_node *nodes, int n, const graph_costing *costing,
                   base_error *error);

#endif
