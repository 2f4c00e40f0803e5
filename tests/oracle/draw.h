/* oracle/draw: random choices of the makers of instances. */
#ifndef ORACLE_DRAW_H
#define ORACLE_DRAW_H

#include "base/base.h"
#include "problem/graph.h"

/* A number of 0 .. bound - 1. */
static inline int draw_below(base_rng *rng, int bound)
{
    return (int)base_rng_below(rng, (uint64_t)bound);
}

/* A number of least .. most. */
static inline int draw_between(base_rng *rng, int least, int most)
{
    return least + (int)base_rng_below(rng, (uint64_t)most - (uint64_t)least + 1);
}

/* True in `percent` of 100 draws. */
static inline bool draw_chance(base_rng *rng, int percent)
{
    return draw_between(rng, 0, 99) < percent;
}

/* Adds i to the node's inputs, unless it is one of them. inputs: the node's own list, with room. */
static inline void draw_input(graph_node *node, int *inputs, int i)
{
    for (int k = 0; k < node->input_count; k++)
        if (inputs[k] == i)
            return;
    inputs[node->input_count++] = i;
}

#endif
