/* Draws chains of equal layers and their gradients. */
#include "tests/oracle/nested_instance.h"

#include <assert.h>

#include "tests/oracle/draw.h"

enum { MOST = 10 };

typedef struct draft {
    base_rng rng;
    int n;
    graph_node node[MOST];
    int inputs[MOST][MOST];
} draft;

/* A node that reads i, and j where that is not negative. */
static int add(draft *d, const graph_node *kind, int i, int j)
{
    const int k = d->n++;
    d->node[k] = *kind;
    d->node[k].name = "";
    d->node[k].inputs = d->inputs[k];
    d->node[k].input_count = 0;
    if (i >= 0)
        draw_input(&d->node[k], d->inputs[k], i);
    if (j >= 0)
        draw_input(&d->node[k], d->inputs[k], j);
    return k;
}

static graph_node draw_kind(draft *d, int most_bytes)
{
    return (graph_node){.bytes = draw_between(&d->rng, 1, most_bytes),
                        .seconds = draw_between(&d->rng, 0, 4),
                        .joules = draw_between(&d->rng, 1, 12) / 4.0,
                        .pagein_joules = draw_between(&d->rng, 0, 8) / 4.0,
                        .pageout_joules = draw_between(&d->rng, 0, 8) / 4.0,
                        .pagein_seconds = draw_between(&d->rng, 0, 2),
                        .pageout_seconds = draw_between(&d->rng, 0, 2)};
}

/* Layers of a small and a large node, then gradients, each of which reads the one before. */
static void draw_chain(draft *d)
{
    const int layers = draw_chance(&d->rng, 70) ? 2 : 3;
    graph_node small = draw_kind(d, 2), large = draw_kind(d, 4), gradient = draw_kind(d, 2);
    gradient.backward = true;
    for (int layer = 0; layer < layers; layer++) {
        add(d, &small, d->n - 1, -1);
        add(d, &large, d->n - 1, -1);
    }
    for (int i = d->n - 1, last = -1; i >= 0 && d->n < MOST; i--) {
        if (layers == 3 && i % 2 == 0)
            continue; /* of the large nodes alone, and their inputs */
        last = add(d, &gradient, i, last);
        if (i > 0 && !draw_chance(&d->rng, 10))
            draw_input(&d->node[last], d->inputs[last], i - 1);
    }
}

static void draw_faults(draft *d)
{
    const int other = draw_between(&d->rng, 0, d->n - 1),
              reader = draw_between(&d->rng, 1, d->n - 1);
    if (draw_chance(&d->rng, 25))
        draw_input(&d->node[reader], d->inputs[reader], draw_between(&d->rng, 0, reader - 1));
    if (draw_chance(&d->rng, 15))
        d->node[other].bytes += 1;
    if (draw_chance(&d->rng, 10))
        d->node[other].joules *= 2;
    if (draw_chance(&d->rng, 15))
        d->node[draw_between(&d->rng, 0, d->n - 1)].workspace = draw_between(&d->rng, 1, 2);
    const int kept = draw_between(&d->rng, 0, 100), once = draw_between(&d->rng, 0, 120);
    for (int k = 0; k < d->n; k++)
        if (d->node[k].backward ? draw_chance(&d->rng, once)
                                : k % 2 == 0 && draw_chance(&d->rng, kept))
            d->node[k].pin = d->node[k].backward ? (unsigned)GRAPH_NO_RECOMPUTE
                                                 : GRAPH_NO_RECOMPUTE | GRAPH_NO_PAGE;
}

random_instance nested_instance_make(uint64_t seed)
{
    draft d = {.rng = {seed * 2 + 1}};
    base_error error;
    draw_chain(&d);
    draw_faults(&d);
    graph *g = graph_create("nested", d.node, d.n, &error);
    assert(g);
    const int64_t least = graph_minimum_bytes(g, NULL), most = graph_checkpoint_all_peak(g);
    problem p =
        problem_make(g, least + (int64_t)base_rng_below(&d.rng, (uint64_t)(most - least) + 1));
    p.allow_paging = draw_chance(&d.rng, 60);
    p.charge_pagein_transfer = draw_chance(&d.rng, 30);
    if (draw_chance(&d.rng, 15))
        p.max_computations = 2;
    if (draw_chance(&d.rng, 15)) {
        p.deadline_includes_paging = draw_chance(&d.rng, 50);
        p.deadline_seconds = graph_base_seconds(g) + draw_between(&d.rng, 0, 12);
    }
    return (random_instance){g, p};
}
