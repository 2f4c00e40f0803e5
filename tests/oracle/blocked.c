/* Draws graphs with large nodes that read nothing, finds a budget at which they block the way,
 * and tightens problems by what the oracle's optimum uses. */
#include "tests/oracle/blocked.h"

#include <assert.h>
#include <math.h>

#include "tests/oracle/draw.h"
#include "tests/oracle/oracle.h"

enum { BLOCKER, SOURCE, READER };

typedef struct draft {
    base_rng *rng;
    int n, budget;
    graph_node node[ORACLE_MAX_NODES];
    int kind[ORACLE_MAX_NODES], input[ORACLE_MAX_NODES][2];
} draft;

/* After a source often a blocker, between two blockers often a reader. */
static int draw_kind(draft *d, int j)
{
    const int which = draw_between(d->rng, 0, 99), last = j > 0 ? d->kind[j - 1] : BLOCKER;
    if (j == 0)
        return SOURCE;
    if (last == BLOCKER)
        return which < 75 ? READER : which < 90 ? SOURCE : BLOCKER;
    return which < (last == SOURCE ? 70 : 50) ? BLOCKER : which < 90 ? READER : SOURCE;
}

/* j reads up to two nodes before it that are no blockers, mostly sources. */
static void draw_inputs(draft *d, int j)
{
    graph_node *node = &d->node[j];
    const int most = draw_chance(d->rng, 35) ? 2 : 1;
    node->inputs = d->input[j];
    for (int tries = 8; tries > 0 && node->input_count < most; tries--) {
        const int i = draw_between(d->rng, 0, j - 1);
        const bool known = node->input_count > 0 && d->input[j][0] == i;
        if (!known && (d->kind[i] == SOURCE || (d->kind[i] == READER && draw_chance(d->rng, 30))))
            d->input[j][node->input_count++] = i;
    }
}

static void draw_node(draft *d, int j)
{
    base_rng *rng = d->rng;
    graph_node *node = &d->node[j];
    d->kind[j] = draw_kind(d, j);
    if (d->kind[j] == BLOCKER) {
        node->bytes = d->budget - draw_between(rng, 0, d->budget / 2);
    } else if (d->kind[j] == SOURCE) {
        node->bytes = draw_between(rng, 1, d->budget / 2);
        node->joules = draw_chance(rng, 70) ? draw_between(rng, 5, 100) : draw_between(rng, 0, 3);
    } else {
        draw_inputs(d, j);
        node->bytes = draw_chance(rng, 60) ? 0 : draw_between(rng, 1, 3);
        node->joules = draw_chance(rng, 70) ? 0 : draw_between(rng, 1, 12);
    }
    const int paging = draw_chance(rng, 70) ? 0 : draw_between(rng, 1, 4);
    node->pagein_joules = node->pageout_joules = paging;
    if (d->kind[j] == SOURCE && draw_chance(rng, 20))
        node->pageout_joules = draw_between(rng, 0, 60);
    node->seconds = draw_between(rng, 0, 4) / 8.0;
    node->pagein_seconds = node->pageout_seconds = draw_between(rng, 0, 2) / 8.0;
}

graph *blocked_make(base_rng *rng, int max_nodes, int64_t *budget)
{
    assert(max_nodes >= 6);
    if (max_nodes > ORACLE_MAX_NODES)
        max_nodes = ORACLE_MAX_NODES;
    draft d = {.rng = rng,
               .n = draw_between(rng, max_nodes - 2, max_nodes),
               .budget = draw_between(rng, 4, 12)};
    for (int j = 0; j < d.n; j++)
        draw_node(&d, j);
    graph *g = graph_create("blocked", d.node, d.n, NULL);
    assert(g);
    const int64_t least = graph_minimum_bytes(g, NULL);
    *budget = least > d.budget ? least : d.budget;
    return g;
}

void tighten(problem *p, base_rng *rng)
{
    enum { WAYS = 100000 };
    const bool beyond = draw_chance(rng, 12);
    for (int steps = draw_between(rng, 1, 6); steps > 0; steps--) {
        const problem before = *p;
        validation v;
        oracle_result o = oracle_search(p, WAYS);
        const bool known = o.schedule && schedule_validate(p, o.schedule, &v, NULL) == 0;
        schedule_free(o.schedule);
        if (!known)
            return;
        const double base = graph_base_seconds(p->graph);
        const double added =
            v.compute_seconds - base + (p->deadline_includes_paging ? v.transfer_seconds : 0);
        if (added > 1e-9 * base && draw_chance(rng, 30))
            p->deadline_seconds = base + fmax(0, added - 1.0 / 16);
        else if (v.peak_bytes > 0)
            p->ram_budget_bytes = v.peak_bytes - 1;
        o = oracle_search(p, WAYS);
        const bool lost = !o.feasible && !o.gave_up;
        schedule_free(o.schedule);
        if (lost && !beyond)
            *p = before;
        if (lost)
            return;
    }
}
