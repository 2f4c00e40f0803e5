/* Shrinking of a failing instance. A step makes one change to a copy; the copy is
 * kept when the property still fails. */
#include "tests/oracle/random_instance.h"

#include <assert.h>
#include <limits.h>
#include <math.h>

#include "problem/json.h"
#include "problem/schedule.h"
#include "tests/problem/owned.h"

/* What a step may change: rebuild() leaves out node `without_node` (a consumer of
 * it then reads one input less) and edge number `without_edge`; zeroes the costs
 * of the bits in `zero` (1 seconds, 2 joules, 4 page-in, 8 page-out, 16 bytes, 32
 * workspace, 64 pin) of node `zero_node`. -1: none. */
typedef struct change {
    int without_node, without_edge, zero_node;
    unsigned zero;
} change;

static graph_node copy_node(const graph *g, int i, const change *c)
{
    const unsigned zero = c->zero_node == i ? c->zero : 0;
    return (graph_node){
        .name = g->node_name[i],
        .bytes = zero & 16 ? 0 : g->bytes[i],
        .seconds = zero & 1 ? 0 : g->seconds[i],
        .joules = zero & 2 ? 0 : g->joules[i],
        .pagein_joules = zero & 4 ? 0 : g->pagein_joules[i],
        .pageout_joules = zero & 8 ? 0 : g->pageout_joules[i],
        .pagein_seconds = zero & 4 ? 0 : g->pagein_seconds[i],
        .pageout_seconds = zero & 8 ? 0 : g->pageout_seconds[i],
        .backward = g->backward[i],
        .workspace = zero & 32 ? 0 : g->workspace[i],
        .pin = zero & 64 ? 0 : g->pin[i],
    };
}

/* NULL when nothing would be left. */
static graph *rebuild(const graph *g, const change *c)
{
    graph_node *nodes = base_calloc((size_t)g->n, sizeof *nodes);
    int *inputs = base_calloc((size_t)g->edge_count, sizeof *inputs);
    int n = 0, used = 0;
    for (int i = 0; i < g->n; i++) {
        if (i == c->without_node)
            continue;
        nodes[n] = copy_node(g, i, c);
        nodes[n].inputs = inputs + used;
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++) {
            int from = g->input[e];
            if (e == c->without_edge || from == c->without_node)
                continue;
            bool behind = c->without_node >= 0 && from > c->without_node;
            inputs[used++] = from - behind;
            nodes[n].input_count++;
        }
        n++;
    }
    graph *result = n > 0 ? graph_create(g->name, nodes, n, NULL) : NULL;
    base_free_all(nodes, inputs);
    return result;
}

/* Keeps the changed instance if it is one and fails. The deadline's distance from
 * the base time stays, since the base time may change. */
static bool try_change(random_instance *now, const change *c, random_instance_fails fails,
                       void *context)
{
    graph *g = rebuild(now->graph, c);
    if (!g)
        return false;
    problem p = now->problem;
    p.graph = g;
    if (!isinf(p.deadline_seconds))
        p.deadline_seconds += graph_base_seconds(g) - graph_base_seconds(now->graph);
    if (!fails(&p, context)) {
        graph_free(g);
        return false;
    }
    graph_free(now->graph);
    now->graph = g;
    now->problem = p;
    return true;
}

static bool try_options(random_instance *now, random_instance_fails fails, void *context)
{
    bool progress = false;
    for (int option = 0; option < 6; option++) {
        problem p = now->problem;
        if (option == 0)
            p.deadline_seconds = INFINITY;
        else if (option == 1)
            p.allow_paging = true;
        else if (option == 2)
            p.allow_remat = true;
        else if (option == 3)
            p.charge_pagein_transfer = false;
        else if (option == 4)
            p.max_computations = INT_MAX;
        else
            p.deadline_includes_paging = false;
        bool same = p.deadline_seconds == now->problem.deadline_seconds &&
                    p.allow_paging == now->problem.allow_paging &&
                    p.allow_remat == now->problem.allow_remat &&
                    p.max_computations == now->problem.max_computations &&
                    p.charge_pagein_transfer == now->problem.charge_pagein_transfer &&
                    p.deadline_includes_paging == now->problem.deadline_includes_paging;
        if (same || !fails(&p, context))
            continue;
        now->problem = p;
        progress = true;
    }
    return progress;
}

static bool has_cost(const graph *g, int i, unsigned what)
{
    return (what & 1 && g->seconds[i] != 0) || (what & 2 && g->joules[i] != 0) ||
           (what & 4 && (g->pagein_joules[i] != 0 || g->pagein_seconds[i] != 0)) ||
           (what & 8 && (g->pageout_joules[i] != 0 || g->pageout_seconds[i] != 0)) ||
           (what & 16 && g->bytes[i] != 0) || (what & 32 && g->workspace[i] != 0) ||
           (what & 64 && g->pin[i]);
}

random_instance random_instance_shrink(const problem *p, random_instance_fails fails, void *context)
{
    const change none = {-1, -1, -1, 0};
    random_instance now = {rebuild(p->graph, &none), *p};
    now.problem.graph = now.graph;
    assert(fails(&now.problem, context));
    for (bool progress = true; progress;) {
        progress = try_options(&now, fails, context);
        for (int i = now.graph->n - 1; i >= 0; i--)
            progress |= try_change(&now, &(change){i, -1, -1, 0}, fails, context);
        for (int e = now.graph->edge_count - 1; e >= 0; e--)
            progress |= try_change(&now, &(change){-1, e, -1, 0}, fails, context);
        for (int i = 0; i < now.graph->n; i++)
            for (unsigned what = 1; what <= 64; what *= 2)
                if (has_cost(now.graph, i, what))
                    progress |= try_change(&now, &(change){-1, -1, i, what}, fails, context);
    }
    return now;
}

int random_instance_save(const problem *p, const char *path, base_error *error)
{
    OWNED(schedule) *all = schedule_checkpoint_all(p->graph);
    base_output *output = base_output_open(path, error);
    if (output)
        schedule_print(p, all, NULL, NULL, NULL, NAN, base_output_stream(output));
    return output ? base_output_commit(output, error) : -1;
}
