/* Annealing of orders: a node moves between its last input and its first reader, and an order is
 * judged by the bytes above the budget when everything is computed once. The best order of each
 * walk is then judged by annealing schedules in it. */
#include "heuristics/order.h"

#include <math.h>
#include <string.h>

#include "heuristics/anneal.h"

typedef struct walk {
    const problem *p;
    const heuristic_tuning *tuning;
    base_rng rng;
    int *order, *place; /* n each, inverse to each other */
    int64_t *change;    /* n+1: scratch */
    double excess;
    int *best;
    double best_excess;
} walk;

/* Bytes above the budget when everything is computed once, summed over the stages. */
static double measure(walk *w)
{
    const graph *g = w->p->graph;
    const int n = g->n;
    double excess = 0;
    int64_t live = 0;
    memset(w->change, 0, ((size_t)n + 1) * sizeof *w->change);
    for (int v = 0; v < n; v++) {
        int last = w->place[v];
        for (int e = g->user_start[v]; e < g->user_start[v + 1]; e++)
            last = w->place[g->user[e]] > last ? w->place[g->user[e]] : last;
        w->change[w->place[v]] += g->bytes[v];
        w->change[last + 1] -= g->bytes[v];
    }
    for (int t = 0; t < n; t++) {
        live += w->change[t];
        const int64_t peak = live + g->workspace[w->order[t]];
        excess += peak > w->p->ram_budget_bytes ? (double)(peak - w->p->ram_budget_bytes) : 0;
    }
    base_work(2 * (size_t)(n + g->edge_count));
    return excess;
}

/* Between its inputs and its users. */
static void range_of(const walk *w, int v, int *low, int *high)
{
    const graph *g = w->p->graph;
    *low = 0;
    *high = g->n - 1;
    for (int i = g->input_start[v]; i < g->input_start[v + 1]; i++)
        *low = w->place[g->input[i]] + 1 > *low ? w->place[g->input[i]] + 1 : *low;
    for (int e = g->user_start[v]; e < g->user_start[v + 1]; e++)
        *high = w->place[g->user[e]] - 1 < *high ? w->place[g->user[e]] - 1 : *high;
}

static void put(walk *w, int from, int to)
{
    const int v = w->order[from], step = from < to ? 1 : -1;
    for (int k = from; k != to; k += step) {
        w->order[k] = w->order[k + step];
        w->place[w->order[k]] = k;
    }
    w->order[to] = v;
    w->place[v] = to;
}

static void move(walk *w, double temperature)
{
    const int n = w->p->graph->n;
    const int v = (int)base_rng_below(&w->rng, (uint64_t)n), from = w->place[v];
    int low, high;
    range_of(w, v, &low, &high);
    if (low == high)
        return;
    const int to = low + (int)base_rng_below(&w->rng, (uint64_t)high - (uint64_t)low + 1);
    put(w, from, to);
    const double excess = measure(w);
    if (excess > w->excess && base_rng_double(&w->rng) >= exp((w->excess - excess) / temperature)) {
        put(w, to, from);
        return;
    }
    w->excess = excess;
    if (excess < w->best_excess) {
        w->best_excess = excess;
        memcpy(w->best, w->order, (size_t)n * sizeof *w->best);
    }
}

/* One walk from the given order; false when that is as good. */
static bool anneal_order(walk *w, double work)
{
    const graph *g = w->p->graph;
    double bytes = 0;
    for (int v = 0; v < g->n; v++) {
        w->order[v] = w->place[v] = v;
        bytes += (double)g->bytes[v];
    }
    const double hot = w->tuning->order_hot * bytes / g->n;
    const double cold = w->tuning->order_cold * bytes / g->n;
    w->excess = w->best_excess = measure(w);
    const double given = w->excess;
    const double begin = (double)base_work_done();
    double part;
    while (w->best_excess > 0 && (part = ((double)base_work_done() - begin) / work) < 1) {
        base_work(20);
        move(w, hot * pow(cold / hot, part));
    }
    return w->best_excess < given;
}

/* The overhead that annealing of schedules finds in that order. */
static double joules_in(const problem *p, const int *order, const heuristic_tuning *tuning,
                        double work, uint64_t seed)
{
    graph *g = graph_reorder(p->graph, order);
    problem reordered = *p;
    reordered.graph = g;
    anneal *a = anneal_create(&reordered, tuning, seed);
    anneal_run(a, work);
    const double joules = anneal_joules(a);
    anneal_free(a);
    graph_free(g);
    return joules;
}

int *order_search(const problem *p, const heuristic_tuning *tuning, uint64_t seed)
{
    const size_t n = (size_t)p->graph->n;
    const double part = tuning->order_work / (2 * tuning->order_walks + 1);
    walk w = {.p = p, .tuning = tuning, .rng = {seed}};
    w.order = base_malloc(n, sizeof *w.order);
    w.place = base_malloc(n, sizeof *w.place);
    w.change = base_malloc(n + 1, sizeof *w.change);
    w.best = base_malloc(n, sizeof *w.best);
    int *found = base_malloc(n, sizeof *found);
    for (int v = 0; v < (int)n; v++)
        found[v] = v;
    double joules = joules_in(p, found, tuning, part, seed);
    bool better = false;
    for (int k = 0; k < tuning->order_walks && joules > 0; k++) {
        if (!anneal_order(&w, part))
            continue;
        const double these = joules_in(p, w.best, tuning, part, seed);
        if (these < joules) {
            joules = these;
            better = true;
            memcpy(found, w.best, n * sizeof *found);
        }
    }
    base_free(w.order);
    base_free(w.place);
    base_free(w.change);
    base_free(w.best);
    if (!better) {
        base_free(found);
        return NULL;
    }
    return found;
}
