/* Draws the families: edges, sizes and costs each as the family has them. */
#include "tests/oracle/special_instance.h"

#include <assert.h>

#include "tests/oracle/draw.h"

static const char *const names[SPECIAL_FAMILIES] = {"peaks", "equal",   "free",
                                                    "tiny",  "readers", "sinks"};

const char *special_family_name(special_family family)
{
    return names[family];
}

typedef struct draft {
    base_rng rng;
    special_family family;
    int n;
    graph_node *node;
    int *inputs; /* of node j from j*n on */
} draft;

static void read_from(draft *d, int j, int i)
{
    draw_input(&d->node[j], d->inputs + j * d->n, i);
}

static void draw_edges(draft *d)
{
    int n = d->n;
    for (int j = 0; j < n; j++)
        d->node[j].inputs = d->inputs + j * n;
    for (int j = 1; j < n; j++)
        switch (d->family) {
        case SPECIAL_PEAKS:
            if (draw_chance(&d->rng, 60))
                read_from(d, j, draw_between(&d->rng, 0, j - 1));
            if (draw_chance(&d->rng, 20))
                read_from(d, j, draw_between(&d->rng, 0, j - 1));
            break;
        case SPECIAL_READERS:
            if (draw_chance(&d->rng, 90))
                read_from(d, j, j - 1);
            for (int i = 0; i < j && j >= n / 2; i++)
                if (draw_chance(&d->rng, 50))
                    read_from(d, j, i);
            d->node[j].backward = j >= n / 2;
            break;
        case SPECIAL_SINKS:
            for (int i = 0; i < j; i += 2) /* odd nodes have no users */
                if (draw_chance(&d->rng, 50))
                    read_from(d, j, i);
            break;
        default:
            if (draw_chance(&d->rng, 70))
                read_from(d, j, j - 1);
            for (int i = 0; i < j; i++)
                if (draw_chance(&d->rng, 25))
                    read_from(d, j, i);
        }
}

static int64_t draw_bytes(draft *d, int unit)
{
    switch (d->family) {
    case SPECIAL_PEAKS:
        return draw_chance(&d->rng, 40) ? draw_between(&d->rng, 3, 5) : draw_between(&d->rng, 0, 2);
    case SPECIAL_EQUAL:
        return unit;
    case SPECIAL_TINY:
        return draw_chance(&d->rng, 40) ? draw_between(&d->rng, 0, 2)
                                        : 16 * draw_between(&d->rng, 1, 3);
    default:
        return draw_chance(&d->rng, 10) ? 0 : draw_between(&d->rng, 1, 4);
    }
}

static double draw_cost(draft *d, int most)
{
    int zero = d->family == SPECIAL_FREE ? 65 : 15;
    return draw_chance(&d->rng, zero) ? 0 : draw_between(&d->rng, 1, most) / 8.0;
}

/* Costs of one kind are alike on most nodes and far apart on some, so that one way of having a
 * tensor again is much the best. */
static void draw_costs(draft *d)
{
    int unit = draw_between(&d->rng, 1, 5);
    for (int i = 0; i < d->n; i++) {
        graph_node *node = &d->node[i];
        node->bytes = draw_bytes(d, unit);
        node->joules = draw_cost(d, draw_chance(&d->rng, 30) ? 80 : 8);
        node->pagein_joules = draw_cost(d, draw_chance(&d->rng, 30) ? 80 : 8);
        node->pageout_joules = draw_cost(d, draw_chance(&d->rng, 30) ? 80 : 8);
        node->seconds = draw_cost(d, 8);
        node->pagein_seconds = draw_cost(d, 8);
        node->pageout_seconds = draw_cost(d, 8);
    }
}

static void draw_problem(draft *d, problem *p)
{
    int64_t least = graph_minimum_bytes(p->graph, NULL);
    int64_t peak = graph_checkpoint_all_peak(p->graph);
    int64_t room = peak > least ? peak - least : 1;
    p->ram_budget_bytes = least;
    if (draw_chance(&d->rng, 60))
        p->ram_budget_bytes += (int64_t)base_rng_below(&d->rng, (uint64_t)room);
    p->allow_paging = !draw_chance(&d->rng, 5);
    p->allow_remat = !draw_chance(&d->rng, 5);
    p->charge_pagein_transfer = draw_chance(&d->rng, 25);
    p->deadline_includes_paging = draw_chance(&d->rng, 25);
    if (draw_chance(&d->rng, 25))
        p->deadline_seconds = graph_base_seconds(p->graph) + draw_between(&d->rng, 0, 40) / 8.0;
}

random_instance special_instance_make(special_family family, uint64_t seed, int max_nodes)
{
    assert(max_nodes >= 3);
    draft d = {.rng = {seed * SPECIAL_FAMILIES + (uint64_t)family}, .family = family};
    random_instance instance = {NULL, {0}};
    /* Where the least budget is the peak there is nothing to optimise: draw anew, but let some
     * through. */
    for (int attempt = 0; attempt < 10; attempt++) {
        graph_free(instance.graph);
        d.n = draw_between(&d.rng, max_nodes > 4 ? max_nodes - 2 : 3, max_nodes);
        d.node = base_calloc((size_t)d.n, sizeof *d.node);
        d.inputs = base_calloc((size_t)d.n * (size_t)d.n, sizeof *d.inputs);
        draw_edges(&d);
        draw_costs(&d);
        instance.graph = graph_create(special_family_name(family), d.node, d.n, NULL);
        assert(instance.graph);
        base_free_all(d.node, d.inputs);
        if (graph_minimum_bytes(instance.graph, NULL) < graph_checkpoint_all_peak(instance.graph))
            break;
    }
    instance.problem = problem_make(instance.graph, 0);
    draw_problem(&d, &instance.problem);
    return instance;
}
