/* Workspaces, pins and limits on the nodes of any instance. */
#include "tests/oracle/node_kinds.h"

#include <assert.h>

#include "tests/oracle/draw.h"

/* The size of some node, a part of it, or a byte: such as leave room, and such as do not. */
static int64_t draw_workspace(base_rng *rng, const graph *g)
{
    const int64_t bytes = g->bytes[draw_below(rng, g->n)];
    const int kind = draw_below(rng, 8);
    return kind == 0 ? 1 : kind < 4 ? bytes / 2 : bytes;
}

static graph *draw_graph(base_rng *rng, const graph *g, int works, int pins)
{
    graph_node *node = base_calloc((size_t)g->n, sizeof *node);
    for (int i = 0; i < g->n; i++) {
        node[i] = graph_node_of(g, i);
        if (draw_below(rng, 100) < works)
            node[i].workspace = draw_workspace(rng, g);
        if (draw_below(rng, 100) < pins)
            node[i].pin = 1 + (unsigned)draw_below(rng, GRAPH_KEEP);
    }
    graph *made = graph_create(g->name, node, g->n, NULL);
    assert(made);
    base_free(node);
    return made;
}

/* Once more is what restricts most. */
static void draw_limit(problem *p, base_rng *rng)
{
    if (draw_below(rng, 4) == 0)
        p->max_computations = draw_below(rng, 8) > 0 ? 2 : 1 + 2 * draw_below(rng, 2);
}

void node_kinds_draw(random_instance *instance, uint64_t seed)
{
    base_rng limit = {seed ^ UINT64_C(0x6c696d697473)};
    draw_limit(&instance->problem, &limit);
    base_rng rng = {seed ^ UINT64_C(0x6e6f6465206b696e)};
    static const int shares[] = {0, 20, 50};
    const int works = shares[draw_below(&rng, 3)], pins = shares[draw_below(&rng, 3)];
    if (works + pins == 0 || draw_below(&rng, 2) == 0)
        return;
    const graph *g = instance->graph;
    const int64_t least = graph_minimum_bytes(g, NULL);
    graph *made = draw_graph(&rng, g, works, pins);
    const int64_t more = graph_minimum_bytes(made, NULL) - least;
    if (draw_below(&rng, 10) < 8)
        instance->problem.ram_budget_bytes += more;
    graph_free(instance->graph);
    instance->graph = made;
    instance->problem.graph = made;
}
