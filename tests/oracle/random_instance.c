/* Draws sizes, costs, edges, budgets and options of small instances. */
#include "tests/oracle/random_instance.h"

#include <assert.h>

#include "tests/oracle/draw.h"
#include "tests/oracle/node_kinds.h"

/* A cost of 0..most eighths; zero for one in eight. */
static double random_cost(base_rng *rng, int most)
{
    return draw_chance(rng, 12) ? 0.0 : draw_between(rng, 1, most) / 8.0;
}

static void random_costs(base_rng *rng, graph_node *nodes, int n)
{
    const int units[] = {1, 3, 16384};
    const int unit = units[draw_between(rng, 0, 2)], largest = draw_chance(rng, 30) ? 2 : 9;
    const int compute = draw_between(rng, 2, 40), page = draw_chance(rng, 50) ? 4 : 40;
    for (int i = 0; i < n; i++) {
        nodes[i].bytes = (int64_t)unit * (draw_chance(rng, 8) ? 0 : draw_between(rng, 1, largest));
        nodes[i].seconds = random_cost(rng, 16);
        nodes[i].joules = random_cost(rng, compute);
        nodes[i].pagein_joules = random_cost(rng, page);
        nodes[i].pageout_joules = random_cost(rng, page);
        nodes[i].pagein_seconds = random_cost(rng, 16);
        nodes[i].pageout_seconds = random_cost(rng, 16);
    }
}

static void add_input(graph_node *node, int *inputs, int i)
{
    for (int k = 0; k < node->input_count; k++)
        if (inputs[k] == i)
            return;
    inputs[node->input_count++] = i;
}

/* Any DAG: every possible edge with one probability. */
static void random_edges(base_rng *rng, graph_node *nodes, int *inputs, int n)
{
    const int percent = draw_between(rng, 10, 100);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            if (draw_chance(rng, percent))
                add_input(&nodes[j], inputs + j * n, i);
}

/* Forward nodes 0..f-1 with skips at random, then the published gradient chain. */
static void training_edges(base_rng *rng, graph_node *nodes, int *inputs, int n, bool skips)
{
    const int f = (n + 1) / 2;
    for (int j = 1; j < f; j++) {
        add_input(&nodes[j], inputs + j * n, j - 1);
        if (skips && draw_chance(rng, 40))
            add_input(&nodes[j], inputs + j * n, draw_between(rng, 0, j - 1));
    }
    for (int j = f; j < n; j++) {
        const int later = 2 * f - 1 - j;
        nodes[j].backward = true;
        add_input(&nodes[j], inputs + j * n, later);
        if (later > 0)
            add_input(&nodes[j], inputs + j * n, later - 1);
        if (j > f)
            add_input(&nodes[j], inputs + j * n, j - 1);
    }
}

static void random_problem(base_rng *rng, problem *p)
{
    const graph *g = p->graph;
    const int64_t least = graph_minimum_bytes(g, NULL), peak = graph_checkpoint_all_peak(g);
    /* Mostly where something has to give; now and then at and beyond both ends. */
    int64_t low = least, high = peak > least ? peak - 1 : peak;
    if (draw_chance(rng, 10)) {
        low = least - least / 8;
        high = peak + peak / 16;
    }
    p->ram_budget_bytes = low + (int64_t)base_rng_below(rng, (uint64_t)(high - low + 1));
    p->allow_paging = !draw_chance(rng, 12);
    p->allow_remat = !draw_chance(rng, 12);
    p->charge_pagein_transfer = draw_chance(rng, 20);
    p->deadline_includes_paging = draw_chance(rng, 20);
    if (draw_chance(rng, 50))
        p->deadline_seconds = graph_base_seconds(g) + draw_between(rng, -1, 60) / 8.0;
}

static graph *random_graph(base_rng *rng, int max_nodes)
{
    const int n = draw_between(rng, draw_chance(rng, 10) ? 1 : (max_nodes + 1) / 2, max_nodes);
    graph_node *nodes = base_calloc((size_t)n, sizeof *nodes);
    int *inputs = base_calloc((size_t)n * (size_t)n, sizeof *inputs);
    random_costs(rng, nodes, n);
    for (int j = 0; j < n; j++)
        nodes[j].inputs = inputs + j * n;
    const int shape = draw_between(rng, 0, 4);
    if (shape <= 1)
        random_edges(rng, nodes, inputs, n);
    else
        training_edges(rng, nodes, inputs, n, shape == 2);
    graph *g = graph_create("random", nodes, n, NULL);
    assert(g);
    base_free_all(nodes, inputs);
    return g;
}

random_instance random_instance_make(uint64_t seed, int max_nodes)
{
    assert(max_nodes >= 1);
    base_rng rng = {seed};
    random_instance instance = {.graph = random_graph(&rng, max_nodes)};
    /* Where the least budget is the peak there is nothing to optimise: draw anew,
     * but let some through. */
    for (int attempt = 0; attempt < 10; attempt++) {
        const graph *g = instance.graph;
        if (graph_minimum_bytes(g, NULL) < graph_checkpoint_all_peak(g))
            break;
        graph_free(instance.graph);
        instance.graph = random_graph(&rng, max_nodes);
    }
    instance.problem = problem_make(instance.graph, 0);
    random_problem(&rng, &instance.problem);
    node_kinds_draw(&instance, seed);
    return instance;
}

void random_instance_free(random_instance *instance)
{
    graph_free(instance->graph);
    instance->graph = NULL;
    instance->problem.graph = NULL;
}
