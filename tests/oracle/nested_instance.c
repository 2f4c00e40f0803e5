/* Draws chains of equal layers and their gradients. */
#include "tests/oracle/nested_instance.h"

#include <assert.h>

enum { MOST = 10 };

typedef struct draft {
    base_rng rng;
    int n;
    graph_node node[MOST];
    int inputs[MOST][MOST];
} draft;

static int between(draft *d, int least, int most)
{
    return least + (int)base_rng_below(&d->rng, (uint64_t)most - (uint64_t)least + 1);
}

static bool chance(draft *d, int percent)
{
    return between(d, 0, 99) < percent;
}

static void read_from(draft *d, int j, int i)
{
    graph_node *node = &d->node[j];
    for (int k = 0; k < node->input_count; k++)
        if (node->inputs[k] == i)
            return;
    d->inputs[j][node->input_count++] = i;
}

/* A node that reads i, and j where that is not negative. */
static int add(draft *d, const graph_node *kind, int i, int j)
{
    const int k = d->n++;
    d->node[k] = *kind;
    d->node[k].name = "";
    d->node[k].inputs = d->inputs[k];
    d->node[k].input_count = 0;
    if (i >= 0)
        read_from(d, k, i);
    if (j >= 0)
        read_from(d, k, j);
    return k;
}

static graph_node draw_kind(draft *d, int most_bytes)
{
    return (graph_node){.bytes = between(d, 1, most_bytes),
                        .seconds = between(d, 0, 4),
                        .joules = between(d, 1, 12) / 4.0,
                        .pagein_joules = between(d, 0, 8) / 4.0,
                        .pageout_joules = between(d, 0, 8) / 4.0,
                        .pagein_seconds = between(d, 0, 2),
                        .pageout_seconds = between(d, 0, 2)};
}

/* Layers of a small and a large node, then gradients, each of which reads the one before. */
static void draw_chain(draft *d)
{
    const int layers = chance(d, 70) ? 2 : 3;
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
        if (i > 0 && !chance(d, 10))
            read_from(d, last, i - 1);
    }
}

static void draw_faults(draft *d)
{
    const int other = between(d, 0, d->n - 1), reader = between(d, 1, d->n - 1);
    if (chance(d, 25))
        read_from(d, reader, between(d, 0, reader - 1));
    if (chance(d, 15))
        d->node[other].bytes += 1;
    if (chance(d, 10))
        d->node[other].joules *= 2;
    if (chance(d, 15))
        d->node[between(d, 0, d->n - 1)].workspace = between(d, 1, 2);
    const int kept = between(d, 0, 100), once = between(d, 0, 120);
    for (int k = 0; k < d->n; k++)
        if (d->node[k].backward ? chance(d, once) : k % 2 == 0 && chance(d, kept))
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
    p.allow_paging = chance(&d, 60);
    p.charge_pagein_transfer = chance(&d, 30);
    if (chance(&d, 15))
        p.max_computations = 2;
    if (chance(&d, 15)) {
        p.deadline_includes_paging = chance(&d, 50);
        p.deadline_seconds = graph_base_seconds(g) + between(&d, 0, 12);
    }
    return (random_instance){g, p};
}
