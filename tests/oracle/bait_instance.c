/* Draws the families: a graph of the family's shape, then sizes, costs, budget and deadline that
 * set its trap. */
#include "tests/oracle/bait_instance.h"

#include <assert.h>
#include <math.h>

#include "tests/oracle/blocked.h"
#include "tests/oracle/draw.h"
#include "tests/oracle/mutant.h"
#include "tests/oracle/node_kinds.h"
#include "tests/oracle/special_instance.h"

static_assert(ANY_FAMILIES == 1 + SPECIAL_FAMILIES + BAIT_FAMILIES, "all families");

static const char *const names[] = {"leaves", "past-use", "paging", "load",   "scales",
                                    "edge",   "release",  "empty",  "ties",   "branchy",
                                    "uneven", "blocked",  "tight",  "mutant", "wide"};
static_assert(sizeof names / sizeof *names == BAIT_WIDE + 1, "a name for each");

const char *bait_family_name(bait_family family)
{
    return names[family];
}

typedef struct draft {
    base_rng rng;
    bait_family family;
    bool uneven; /* costs of any mantissa */
    int n;
    graph_node *node;
    int *inputs; /* of node j from j*n on */
} draft;

static void reads(draft *d, int j, int i)
{
    graph_node *node = &d->node[j];
    for (int k = 0; k < node->input_count; k++)
        if (node->inputs[k] == i)
            return;
    if (i >= 0 && i < j)
        d->inputs[j * d->n + node->input_count++] = i;
}

/* ---- edges ------------------------------------------------------------------- */

/* Forward nodes 0 .. f-1; then per layer, from the last one on, a gradient that the next one reads
 * and, if there is room, a weight gradient that nobody reads. */
static void draw_training(draft *d, int leaf_percent)
{
    const int f = d->n / 3 + draw_between(&d->rng, 0, 1) + 1;
    int last = -1, layer = f - 1;
    for (int j = 1; j < f; j++) {
        reads(d, j, j - 1);
        if (draw_chance(&d->rng, 25))
            reads(d, j, draw_between(&d->rng, 0, j - 1));
    }
    for (int j = f; j<d->n; j++, layer = layer> 0 ? layer - 1 : 0) {
        d->node[j].backward = true;
        reads(d, j, last < 0 ? f - 1 : last);
        reads(d, j, layer);
        if (j + 1 < d->n &&
            draw_chance(&d->rng, leaf_percent)) { /* a weight gradient first or after it */
            const bool leaf_first = draw_chance(&d->rng, 30);
            const int leaf = leaf_first ? j : j + 1, gradient = leaf_first ? j + 1 : j;
            d->node[j + 1].backward = true;
            reads(d, leaf, leaf_first ? (last < 0 ? f - 1 : last) : gradient);
            reads(d, leaf, layer);
            reads(d, gradient, last < 0 ? f - 1 : last);
            last = gradient;
            j++;
        } else {
            last = j;
        }
    }
}

/* Each node reads nodes at most two before it; a few read from far. */
static void draw_near(draft *d)
{
    for (int j = 1; j < d->n; j++) {
        if (draw_chance(&d->rng, 60))
            reads(d, j, j - 1);
        if (draw_chance(&d->rng, 30))
            reads(d, j, j - 2);
        if (draw_chance(&d->rng, 12))
            reads(d, j, draw_between(&d->rng, 0, j - 1));
    }
}

/* A few sources; the others read one or two of them, or nothing. */
static void draw_baits(draft *d)
{
    const int sources = draw_between(&d->rng, 1, 3);
    for (int j = 1; j < d->n; j++) {
        if (j < sources || draw_chance(&d->rng, 25))
            continue;
        reads(d, j,
              draw_chance(&d->rng, 75) ? draw_between(&d->rng, 0, sources - 1)
                                       : draw_between(&d->rng, 0, j - 1));
        if (draw_chance(&d->rng, 35))
            reads(d, j, draw_between(&d->rng, 0, j - 1));
    }
}

/* Two or three chains from one source that join; then gradients, which read along the edges. */
static void draw_branches(draft *d)
{
    const int f = (d->n + 1) / 2, chains = draw_between(&d->rng, 2, 3);
    for (int j = 1; j < f; j++) {
        reads(d, j, j > chains ? j - chains : 0);
        if (j == f - 1 || draw_chance(&d->rng, 15))
            reads(d, j, j - 1);
    }
    for (int j = f; j < d->n; j++) {
        const int layer = 2 * f - 1 - j;
        d->node[j].backward = true;
        reads(d, j, j - 1);
        reads(d, j, layer);
        reads(d, j, layer - chains);
        if (draw_chance(&d->rng, 20))
            reads(d, j, draw_between(&d->rng, 0, j - 1));
    }
}

static void draw_any(draft *d)
{
    const int percent = draw_between(&d->rng, 10, 50);
    for (int j = 1; j < d->n; j++)
        for (int i = 0; i < j; i++)
            if (draw_chance(&d->rng, percent))
                reads(d, j, i);
}

static void draw_edges(draft *d)
{
    for (int j = 0; j < d->n; j++)
        d->node[j].inputs = d->inputs + j * d->n;
    switch (d->family) {
    case BAIT_LEAVES:
        draw_training(d, 70);
        return;
    case BAIT_PAST_USE:
        draw_near(d);
        return;
    case BAIT_LOAD:
    case BAIT_RELEASE:
        draw_baits(d);
        return;
    case BAIT_TIES:
        draw_training(d, 0);
        return;
    case BAIT_BRANCHY:
        draw_branches(d);
        return;
    default:
        switch (draw_between(&d->rng, 0, 3)) {
        case 0:
            draw_any(d);
            return;
        case 1:
            draw_baits(d);
            return;
        case 2:
            draw_near(d);
            return;
        default:
            draw_training(d, 40);
        }
    }
}

/* ---- sizes and costs ----------------------------------------------------------- */

/* A few bytes, or a small multiple of a large power of two, sometimes with a few bytes more. */
static int64_t draw_wide(draft *d)
{
    enum { LEAST_POWER = 20, MOST_POWER = 40 };
    if (draw_chance(&d->rng, 45))
        return draw_between(&d->rng, draw_chance(&d->rng, 20) ? 0 : 1, 9);
    const int power =
        draw_chance(&d->rng, 50) ? MOST_POWER : draw_between(&d->rng, LEAST_POWER, MOST_POWER);
    return ((int64_t)draw_between(&d->rng, 1, 4) << power) +
           (draw_chance(&d->rng, 20) ? draw_between(&d->rng, 1, 9) : 0);
}

static int64_t draw_bytes(draft *d, int j)
{
    switch (d->family) {
    case BAIT_LOAD:
        return draw_chance(&d->rng, 45) ? 0 : draw_between(&d->rng, 1, 11);
    case BAIT_SCALES: {
        if (draw_chance(&d->rng, 50))
            return draw_between(&d->rng, 0, 9);
        return draw_chance(&d->rng, 50)
                   ? draw_between(&d->rng, 1, 3) * (int64_t)4194304 + draw_between(&d->rng, 0, 9)
                   : draw_between(&d->rng, 1000000, 10000000);
    }
    case BAIT_WIDE:
        return draw_wide(d);
    case BAIT_RELEASE: /* what reads is small */
        return d->node[j].input_count > 0
                   ? (draw_chance(&d->rng, 65) ? 0 : draw_between(&d->rng, 1, 2))
                   : draw_between(&d->rng, 1, 10);
    case BAIT_EMPTY:
        return draw_chance(&d->rng, 65) ? 0 : draw_between(&d->rng, 1, 5);
    case BAIT_TIES:
        return draw_chance(&d->rng, 80) ? 2 : draw_between(&d->rng, 0, 4);
    default:
        return draw_chance(&d->rng, 12)
                   ? 0
                   : draw_between(&d->rng, 1, draw_chance(&d->rng, 30) ? 9 : 3);
    }
}

/* A cost, zero for so many percent; most of them small, and some large. */
static double draw_cost(draft *d, int zero)
{
    if (draw_chance(&d->rng, zero))
        return 0;
    if (d->uneven && draw_chance(&d->rng, 60)) /* three decades */
        return (0.1 + base_rng_double(&d->rng)) * pow(10, draw_between(&d->rng, -1, 1));
    return draw_between(&d->rng, 1, draw_chance(&d->rng, 25) ? 80 : 8) / 8.0;
}

static void draw_costs(draft *d)
{
    const bool ties = d->family == BAIT_TIES;
    const double equal = draw_between(&d->rng, 1, 8) / 8.0;
    const int zero = draw_between(&d->rng, 0, 2) * 30; /* percent of free recomputations */
    int paging = draw_between(&d->rng, 0, 3) * 30;     /* and of free transfers */
    if (d->family == BAIT_PAGING || d->family == BAIT_LOAD)
        paging = draw_chance(&d->rng, 50) ? 100 : 70;
    for (int j = 0; j < d->n; j++) {
        graph_node *node = &d->node[j];
        node->bytes = draw_bytes(d, j);
        node->joules = ties ? equal : draw_cost(d, zero);
        node->pagein_joules = ties ? equal : draw_cost(d, paging);
        node->pageout_joules = ties && draw_chance(&d->rng, 50) ? equal : draw_cost(d, paging);
        node->seconds = ties ? equal : draw_cost(d, 20);
        node->pagein_seconds = draw_cost(d, 20);
        node->pageout_seconds = draw_cost(d, 20);
    }
}

/* ---- budget, deadline, options --------------------------------------------------- */

/* The least budget; the sizes of two to five nodes; or anything below the peak. */
static int64_t draw_budget(draft *d, const graph *g)
{
    const int64_t least = graph_minimum_bytes(g, NULL), peak = graph_checkpoint_all_peak(g);
    const bool sums = d->family == BAIT_LOAD || d->family == BAIT_SCALES || d->family == BAIT_WIDE;
    int64_t budget = least;
    if (draw_chance(&d->rng, sums ? 70 : 25)) {
        budget = 0;
        for (int k = draw_between(&d->rng, 2, 5); k > 0; k--)
            budget += g->bytes[draw_between(&d->rng, 0, g->n - 1)];
        budget += draw_chance(&d->rng, 30) ? draw_between(&d->rng, budget > 0 ? -1 : 0, 1) : 0;
    } else if (draw_chance(&d->rng, 60) && peak > least) {
        budget += (int64_t)base_rng_below(&d->rng, (uint64_t)(peak - least)) /
                  draw_between(&d->rng, 1, 3);
    }
    if (budget >= peak && peak > 0)
        budget = peak - 1;
    return budget > least || draw_chance(&d->rng, 3) ? budget : least;
}

/* The base time and the seconds of some recomputations and, if they count, transfers. */
static double draw_deadline(draft *d, const problem *p)
{
    const graph *g = p->graph;
    double added = 0;
    for (int k = draw_between(&d->rng, 0, 6); k > 0; k--) {
        const int i = draw_between(&d->rng, 0, g->n - 1), what = draw_between(&d->rng, 0, 2);
        if (what == 0 || !p->deadline_includes_paging)
            added += g->seconds[i];
        else
            added += what == 1 ? g->pagein_seconds[i] : g->pageout_seconds[i];
    }
    return graph_base_seconds(g) + added;
}

static void draw_problem(draft *d, problem *p)
{
    const int rare = d->family == BAIT_WIDE ? 40 : 25;
    if (d->family != BAIT_MUTANT && d->family != BAIT_BLOCKED)
        p->ram_budget_bytes = draw_budget(d, p->graph);
    p->allow_paging = !draw_chance(&d->rng, 5);
    p->allow_remat = !draw_chance(&d->rng, 5);
    p->charge_pagein_transfer = draw_chance(&d->rng, rare);
    p->deadline_includes_paging = draw_chance(&d->rng, d->family == BAIT_EDGE ? 60 : rare);
    if (draw_chance(&d->rng, d->family == BAIT_EDGE ? 100 : rare))
        p->deadline_seconds = draw_deadline(d, p);
}

static graph *draw_graph(draft *d, int max_nodes)
{
    d->n = draw_between(&d->rng, max_nodes > 6 ? max_nodes - 3 : 4, max_nodes);
    d->node = base_calloc((size_t)d->n, sizeof *d->node);
    d->inputs = base_calloc((size_t)d->n * (size_t)d->n, sizeof *d->inputs);
    draw_edges(d);
    draw_costs(d);
    graph *g = graph_create(names[d->family], d->node, d->n, NULL);
    assert(g);
    base_free_all(d->node, d->inputs);
    return g;
}

/* With the budget of the family, if it has one. */
static graph *draw_family(draft *d, int max_nodes, int64_t *budget)
{
    if (d->family == BAIT_MUTANT)
        return mutant_make(&d->rng, max_nodes, budget);
    if (d->family == BAIT_BLOCKED)
        return blocked_make(&d->rng, max_nodes, budget);
    graph *g = draw_graph(d, max_nodes);
    /* Where the least budget is the peak there is nothing to optimise: draw anew. */
    while (graph_minimum_bytes(g, NULL) >= graph_checkpoint_all_peak(g)) {
        graph_free(g);
        g = draw_graph(d, max_nodes);
    }
    return g;
}

random_instance bait_instance_make(bait_family family, uint64_t seed, int max_nodes)
{
    assert(max_nodes >= 6);
    base_rng rng = {seed * BAIT_FAMILIES + (uint64_t)family};
    draft d = {.rng = {base_rng_next(&rng)}, .family = family};
    d.uneven = family == BAIT_UNEVEN || (family == BAIT_WIDE && draw_chance(&d.rng, 50));
    if (family == BAIT_TIGHT) {
        random_instance loose = bait_instance_make((bait_family)base_rng_below(&d.rng, BAIT_TIGHT),
                                                   base_rng_next(&d.rng) >> 16, max_nodes);
        tighten(&loose.problem, &d.rng);
        return loose;
    }
    int64_t budget = 0;
    graph *g = draw_family(&d, max_nodes, &budget);
    random_instance instance = {g, problem_make(g, budget)};
    draw_problem(&d, &instance.problem);
    return instance;
}

random_instance wide_instance_make(uint64_t seed, int max_nodes)
{
    random_instance instance = bait_instance_make(BAIT_WIDE, seed, max_nodes);
    node_kinds_draw(&instance, seed);
    return instance;
}

/* ---- all families ------------------------------------------------------------------ */

int any_family(uint64_t seed)
{
    return (int)(seed % ANY_FAMILIES);
}

const char *any_family_name(int family)
{
    if (family == 0)
        return "random";
    if (family <= SPECIAL_FAMILIES)
        return special_family_name((special_family)(family - 1));
    return bait_family_name((bait_family)(family - 1 - SPECIAL_FAMILIES));
}

static random_instance plain_instance(uint64_t seed, int max_nodes)
{
    const int family = any_family(seed);
    const uint64_t number = seed / ANY_FAMILIES;
    if (family == 0)
        return random_instance_make(number, max_nodes);
    if (family <= SPECIAL_FAMILIES)
        return special_instance_make((special_family)(family - 1), number, max_nodes);
    return bait_instance_make((bait_family)(family - 1 - SPECIAL_FAMILIES), number, max_nodes);
}

random_instance any_instance_make(uint64_t seed, int max_nodes)
{
    random_instance instance = plain_instance(seed, max_nodes);
    if (any_family(seed) > 0)
        node_kinds_draw(&instance, seed);
    return instance;
}
