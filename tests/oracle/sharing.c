/* Draws lists of nodes that share memory. */
#include "tests/oracle/sharing.h"

#include <assert.h>

#include "tests/oracle/draw.h"

static double eighths(base_rng *rng, int most)
{
    return draw_chance(rng, 12) ? 0.0 : draw_between(rng, 1, most) / 8.0;
}

/* Whose tensor an output is while the list grows. */
typedef struct growth {
    sharing_list *list;
    base_rng rng;
    int root[SHARING_NODES];    /* the node that a view is one of, or itself */
    int readers[SHARING_NODES]; /* of the tensor of a root */
    bool gone[SHARING_NODES];   /* overwritten */
} growth;

static void add_input(growth *g, int i, int from, int part)
{
    lower_node *node = &g->list->node[i];
    const int at = node->node.input_count++;
    assert(at < SHARING_INPUTS);
    g->list->input[i][at] = from;
    g->list->part[i][at] = part;
    g->readers[g->root[from]]++;
}

/* Some part of what an earlier node puts out, or two, or all. */
static void add_some(growth *g, int i, int from)
{
    const int outputs = g->list->node[from].output_count;
    if (g->gone[g->root[from]])
        return;
    if (outputs == 0 || draw_chance(&g->rng, 20)) {
        add_input(g, i, from, -1);
        return;
    }
    const int first = draw_between(&g->rng, 0, outputs - 1);
    add_input(g, i, from, first);
    if (outputs > 1 && draw_chance(&g->rng, 30))
        add_input(g, i, from, (first + 1) % outputs);
}

static void draw_costs(growth *g, int i)
{
    graph_node *node = &g->list->node[i].node;
    base_rng *rng = &g->rng;
    node->seconds = eighths(rng, 16);
    node->joules = eighths(rng, 24);
    node->pagein_joules = eighths(rng, 12);
    node->pageout_joules = eighths(rng, 12);
    node->pagein_seconds = eighths(rng, 8);
    node->pageout_seconds = eighths(rng, 8);
    node->workspace = draw_chance(rng, 20) ? draw_between(rng, 0, 6) : 0;
    node->pin = draw_chance(rng, 10) ? (unsigned)draw_between(rng, 1, 3) : 0;
    node->state =
        draw_chance(rng, 12) ? (graph_state)draw_between(rng, GRAPH_REPLAYED, GRAPH_STATEFUL) : 0;
    node->backward = draw_chance(rng, 30);
}

static void draw_outputs(growth *g, int i)
{
    lower_node *node = &g->list->node[i];
    node->outputs = g->list->output[i];
    node->output_count = draw_between(&g->rng, 1, SHARING_OUTPUTS);
    for (int k = 0; k < node->output_count; k++)
        g->list->output[i][k] = (lower_output){"part", draw_between(&g->rng, 0, 6)};
}

/* A node in place of one that nobody has read; false: there is none. */
static bool make_in_place(growth *g, int i)
{
    int candidates[SHARING_NODES], count = 0;
    for (int k = 0; k < i; k++) {
        const int root = g->root[k];
        if (g->readers[root] == 0 && !g->gone[root] && g->list->node[root].output_count == 0)
            candidates[count++] = k;
    }
    if (count == 0)
        return false;
    lower_node *node = &g->list->node[i];
    const int over = candidates[draw_between(&g->rng, 0, count - 1)], root = g->root[over];
    node->sharing = LOWER_IN_PLACE;
    node->shares = over;
    node->node.bytes = g->list->node[root].node.bytes;
    draw_costs(g, i);
    add_input(g, i, over, -1);
    for (int k = 0; k < i; k++)
        if (g->root[k] != root && draw_chance(&g->rng, 20))
            add_some(g, i, k);
    g->gone[root] = true;
    return true;
}

static void make_own(growth *g, int i)
{
    draw_costs(g, i);
    g->list->node[i].node.bytes = draw_between(&g->rng, 0, 9);
    if (draw_chance(&g->rng, 30)) {
        g->list->node[i].node.bytes = 0;
        draw_outputs(g, i);
    }
    for (int k = 0; k < i; k++)
        if (draw_chance(&g->rng, k + 1 == i ? 75 : 30))
            add_some(g, i, k);
}

static bool make_view(growth *g, int i)
{
    const int from = draw_between(&g->rng, 0, i - 1);
    const int outputs = g->list->node[from].output_count;
    if (g->gone[g->root[from]])
        return false;
    g->list->node[i].sharing = LOWER_VIEW;
    add_input(g, i, from, outputs > 0 ? draw_between(&g->rng, -1, outputs - 1) : -1);
    g->root[i] = g->root[from];
    g->readers[g->root[i]]--; /* a view reads nothing */
    return true;
}

/* Outputs in every third list: some of what is not overwritten. */
static void draw_survivors(growth *g)
{
    if (!draw_chance(&g->rng, 35))
        return;
    for (int i = 0; i < g->list->n; i++)
        g->list->node[i].node.output = !g->gone[g->root[i]] && draw_chance(&g->rng, 40);
}

static sharing_list *draw_list(base_rng *rng, int most_nodes)
{
    growth g = {.list = base_calloc(1, sizeof *g.list), .rng = {base_rng_next(rng)}};
    sharing_list *list = g.list;
    const int nodes = draw_between(&g.rng, (most_nodes + 2) / 2, most_nodes);
    for (int made = 0; made < nodes && list->n < SHARING_NODES;) {
        const int i = list->n++;
        list->node[i] = (lower_node){.input_output = list->part[i]};
        list->node[i].node.inputs = list->input[i];
        list->node[i].node.name = "node";
        g.root[i] = i;
        const int kind = draw_between(&g.rng, 0, 99);
        if (i > 0 && kind < 25 && make_view(&g, i))
            continue;
        if (i > 0 && kind >= 75 && make_in_place(&g, i))
            continue;
        make_own(&g, i);
        made++;
    }
    draw_survivors(&g);
    base_error error = {""};
    list->graph = graph_lower("shared", list->node, list->n, NULL, &error);
    if (!list->graph)
        fprintf(stderr, "sharing_list_draw: %s\n", error.text);
    assert(list->graph);
    return list;
}

sharing_list *sharing_list_draw(uint64_t seed, int most_nodes)
{
    base_rng rng = {seed ^ UINT64_C(0x7669657773)};
    sharing_list *list = draw_list(&rng, most_nodes);
    /* where the least budget is the peak there is nothing to optimise */
    for (int k = 0;
         k < 20 && graph_minimum_bytes(list->graph, NULL) == graph_checkpoint_all_peak(list->graph);
         k++) {
        sharing_list_free(list);
        list = draw_list(&rng, most_nodes);
    }
    return list;
}

void sharing_list_free(sharing_list *list)
{
    graph_free(list->graph);
    base_free(list);
}

problem sharing_problem_draw(const sharing_list *list, uint64_t seed)
{
    base_rng rng = {seed ^ UINT64_C(0x70726f626c656d)};
    const graph *g = list->graph;
    const int64_t least = graph_minimum_bytes(g, NULL), peak = graph_checkpoint_all_peak(g);
    const int64_t low = draw_chance(&rng, 10) ? least - least / 8 : least;
    const int64_t high = peak > low ? peak - 1 : peak;
    problem p = problem_make(g, low + (int64_t)base_rng_below(&rng, (uint64_t)(high - low + 1)));
    p.allow_paging = !draw_chance(&rng, 12);
    p.allow_remat = !draw_chance(&rng, 12);
    p.charge_pagein_transfer = draw_chance(&rng, 20);
    p.deadline_includes_paging = draw_chance(&rng, 20);
    if (draw_chance(&rng, 30))
        p.deadline_seconds = graph_base_seconds(g) + draw_between(&rng, -1, 60) / 8.0;
    return p;
}
