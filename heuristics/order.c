/* Annealing of orders: a node moves between its last input and its first reader, and an order is
 * judged by the bytes above the budget when everything is computed once, or in every second walk by
 * their squares. A move costs about the places that it passes. The best order of each walk is then
 * judged by annealing schedules in it. */
#include "heuristics/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heuristics/anneal.h"

/* Temperatures of a walk, in average bytes of a tensor: at first, and at its end. */
#define HOT 30.0
#define COLD 0.02
enum { WALKS = 3 };

typedef struct walk {
    const problem *p;
    base_rng rng;
    int *order, *place; /* n each, inverse to each other */
    int64_t *before;    /* n: bytes in RAM when the node at that place begins */
    int *last;          /* n: the last user of a node, itself without users */
    int64_t *freed;     /* n: bytes of the tensors with this node as last user */
    int *last_so_far;   /* n: scratch, of the inputs of a node */
    bool ends;          /* the last node stays the last */
    double mean;        /* bytes of a tensor */
    bool squares;       /* `excess` sums the squares of the bytes, divided by the mean */
    double excess;      /* sum of the bytes above the budget, with every node computed once */
    int *best;
    double best_excess;
} walk;

/* Bytes above the budget while these nodes are computed, summed; live: in RAM before and after. */
static double excess_of(const walk *w, const int *node, int count, int64_t *live)
{
    const graph *g = w->p->graph;
    double excess = 0;
    for (int k = 0; k < count; k++) {
        *live += g->bytes[node[k]];
        const int64_t beyond = *live + g->workspace[node[k]] - w->p->ram_budget_bytes;
        if (beyond > 0)
            excess += w->squares ? ceil((double)beyond * (double)beyond / w->mean) : (double)beyond;
        *live -= w->freed[node[k]];
    }
    base_work(3 * (size_t)count);
    return excess;
}

static void find_before(walk *w, int first, int end)
{
    const graph *g = w->p->graph;
    for (int t = first; t < end; t++) {
        const int v = t > 0 ? w->order[t - 1] : -1;
        w->before[t] = v < 0 ? 0 : w->before[t - 1] + g->bytes[v] - w->freed[v];
    }
}

static void set_last(walk *w, int v, int user)
{
    w->freed[w->last[v]] -= w->p->graph->bytes[v];
    w->last[v] = user;
    w->freed[user] += w->p->graph->bytes[v];
}

/* The user of u that comes last when v has moved to that place and all others keep their order. */
static int last_with(const walk *w, int u, int v, int to)
{
    const graph *g = w->p->graph;
    int last = v, latest = to < w->place[v] ? to - 1 : to;
    for (int e = g->user_start[u]; e < g->user_start[u + 1]; e++) {
        const int user = g->user[e];
        if (user != v && w->place[user] > latest) {
            last = user;
            latest = w->place[user];
        }
    }
    base_work(3 * (size_t)(g->user_start[u + 1] - g->user_start[u]));
    return last;
}

/* Between its inputs and its users. */
static void range_of(const walk *w, int v, int *low, int *high)
{
    const graph *g = w->p->graph;
    *low = 0;
    *high = g->n - 1 - (w->ends && v < g->n - 1);
    for (int i = g->input_start[v]; i < g->input_start[v + 1]; i++)
        *low = w->place[g->input[i]] + 1 > *low ? w->place[g->input[i]] + 1 : *low;
    for (int e = g->user_start[v]; e < g->user_start[v + 1]; e++)
        *high = w->place[g->user[e]] - 1 < *high ? w->place[g->user[e]] - 1 : *high;
    if (w->ends && v == g->n - 1)
        *low = *high;
}

static void move_node(walk *w, int from, int to)
{
    const int v = w->order[from], step = from < to ? 1 : -1;
    for (int k = from; k != to; k += step) {
        w->order[k] = w->order[k + step];
        w->place[w->order[k]] = k;
    }
    w->order[to] = v;
    w->place[v] = to;
    find_before(w, from < to ? from : to, (from < to ? to : from) + 1);
}

/* Returns the rise of the excess if v moves from place `from` to `to`; now: excess of these
 * places before the move. The last users of the inputs of v must be set for the move already. */
static double excess_rise(const walk *w, int from, int to, double now)
{
    const int v = w->order[from];
    int64_t live = w->before[from < to ? from : to];
    if (from < to) {
        const double others = excess_of(w, &w->order[from + 1], to - from, &live);
        return others + excess_of(w, &v, 1, &live) - now;
    }
    const double first = excess_of(w, &v, 1, &live);
    return first + excess_of(w, &w->order[to], from - to, &live) - now;
}

static void note_best(walk *w)
{
    if (w->excess >= w->best_excess)
        return;
    w->best_excess = w->excess;
    memcpy(w->best, w->order, (size_t)w->p->graph->n * sizeof *w->best);
    base_work((size_t)w->p->graph->n / 8);
}

static void try_move(walk *w, double temperature)
{
    const graph *g = w->p->graph;
    const int v = (int)base_rng_below(&w->rng, (uint64_t)g->n), from = w->place[v];
    int low, high;
    range_of(w, v, &low, &high);
    const int to = low + (int)base_rng_below(&w->rng, (uint64_t)high - (uint64_t)low + 1);
    if (to == from)
        return;
    const int first = from < to ? from : to, count = abs(to - from) + 1;
    int64_t live = w->before[first];
    const double now = excess_of(w, &w->order[first], count, &live);
    const int begin = g->input_start[v], end = g->input_start[v + 1];
    for (int i = begin; i < end; i++) {
        w->last_so_far[i - begin] = w->last[g->input[i]];
        set_last(w, g->input[i], last_with(w, g->input[i], v, to));
    }
    const double change = excess_rise(w, from, to, now);
    if (change > 0 && base_rng_double(&w->rng) >= exp(-change / temperature)) {
        for (int i = begin; i < end; i++)
            set_last(w, g->input[i], w->last_so_far[i - begin]);
        return;
    }
    if (change > 0)
        note_best(w);
    move_node(w, from, to);
    w->excess += change;
}

/* The given order, and all that follows from it. */
static void begin_walk(walk *w)
{
    const graph *g = w->p->graph;
    int64_t live = 0;
    double bytes = 0;
    memset(w->freed, 0, (size_t)g->n * sizeof *w->freed);
    for (int v = 0; v < g->n; v++) {
        w->order[v] = w->place[v] = v;
        w->last[v] = g->last_user[v];
        w->freed[g->last_user[v]] += g->bytes[v];
        bytes += (double)g->bytes[v];
    }
    w->mean = fmax(bytes / g->n, 1);
    find_before(w, 0, g->n);
    w->excess = w->best_excess = excess_of(w, w->order, g->n, &live);
}

/* One walk from the given order; false when that is as good. */
static bool anneal_order(walk *w, double work)
{
    begin_walk(w);
    const double hot = HOT * w->mean, cold = COLD * w->mean;
    const double given = w->excess;
    const double start = (double)base_work_done();
    double part;
    while (w->excess > 0 && (part = ((double)base_work_done() - start) / work) < 1) {
        base_work(80);
        try_move(w, hot * pow(cold / hot, part));
    }
    note_best(w);
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
    const double part = tuning->order_work / (2 * WALKS + 1);
    walk w = {.p = p, .rng = {seed}, .ends = graph_has_outputs(p->graph)};
    w.order = base_malloc(n, sizeof *w.order);
    w.place = base_malloc(n, sizeof *w.place);
    w.before = base_malloc(n, sizeof *w.before);
    w.last = base_malloc(n, sizeof *w.last);
    w.freed = base_malloc(n, sizeof *w.freed);
    w.last_so_far = base_malloc(n, sizeof *w.last_so_far);
    w.best = base_malloc(n, sizeof *w.best);
    int *found = base_malloc(n, sizeof *found);
    for (int v = 0; v < (int)n; v++)
        found[v] = v;
    double joules = joules_in(p, found, tuning, part, seed);
    bool better = false;
    for (int k = 0; k < WALKS && joules > 0; k++) {
        w.squares = k % 2;
        if (!anneal_order(&w, part))
            continue;
        const double these = joules_in(p, w.best, tuning, part, seed);
        if (these < joules) {
            joules = these;
            better = true;
            memcpy(found, w.best, n * sizeof *found);
        }
    }
    base_free_all(w.order, w.place, w.before, w.last, w.freed, w.last_so_far, w.best);
    if (!better) {
        base_free(found);
        return NULL;
    }
    return found;
}

/* A search within limits, and its result. */
typedef struct limited {
    const problem *p;
    const heuristic_tuning *tuning;
    uint64_t seed;
    graph *found;
} limited;

static void search_step(void *data)
{
    limited *l = data;
    int *order = order_search(l->p, l->tuning, l->seed);
    if (order)
        l->found = graph_reorder(l->p->graph, order);
    base_free(order);
}

graph *order_graph(const problem *p, const base_limits *limits, const heuristic_tuning *tuning,
                   uint64_t seed)
{
    limited l = {p, tuning, seed, NULL};
    return base_try(limits, search_step, &l) == BASE_GO ? l.found : NULL;
}
