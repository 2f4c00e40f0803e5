/* Prices of RAM in each stage: a Lagrangian bound with a term for each tensor. */
#include "exact/labels/label_price.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 4000, PATIENCE = 10 }; /* steps in all; steps without gain before they shrink */
#define SHRINK 0.7

/* Bytes that stage s leaves beside its own node and its inputs. */
static double room(const problem *p, int s)
{
    const graph *g = p->graph;
    int64_t bytes = p->ram_budget_bytes - g->bytes[s] - g->workspace[s];
    for (int e = g->input_start[s]; e < g->input_start[s + 1]; e++)
        bytes -= g->bytes[g->input[e]];
    return (double)bytes;
}

/* A page-out is paid once, and so by equal parts in each gap. */
static double back(const problem *p, int i, int gaps)
{
    const graph *g = p->graph;
    const double again = problem_may_recompute(p, i) ? g->joules[i] : INFINITY;
    const double paged =
        problem_may_page(p, i) ? g->pagein_joules[i] + g->pageout_joules[i] / gaps : INFINITY;
    return fmin(again, paged);
}

/* Price of a byte in stages from .. end - 1. */
static double between(const label_price *l, int from, int end)
{
    return from < end ? l->sum[end] - l->sum[from] : 0;
}

static void add_up(label_price *l)
{
    for (int s = 0; s < l->p->graph->n; s++)
        l->sum[s + 1] = l->sum[s] + l->price[s];
}

/* Cost of a gap of i over the stages from .. end - 1, `share` times. Adds its slope. */
static double gap(const label_price *l, int i, int from, int end, double share, double *slope)
{
    const double bytes = (double)l->p->graph->bytes[i], stay = bytes * between(l, from, end);
    if (from >= end || stay >= l->back[i])
        return share * fmin(stay, l->back[i]);
    slope[from] += share * bytes;
    slope[end] -= share * bytes;
    return share * stay;
}

/* The bound of the stages before t, and its slope in each price. share: how much each tensor is
 * wanted at t, 0 to 1, extent n. */
static double value(label_price *l, int t, const double *share, double *slope)
{
    const graph *g = l->p->graph;
    double total = 0, bytes = 0;
    add_up(l);
    memset(slope, 0, ((size_t)g->n + 1) * sizeof *slope);
    for (int i = 0; i < t; i++) {
        int last = i;
        for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < t;
             last = g->user[e++])
            total += gap(l, i, last + 1, g->user[e], 1, slope);
        if (share[i] > 0)
            total += gap(l, i, last + 1, t, share[i], slope);
    }
    for (int s = 0; s < t; s++) {
        bytes += slope[s];
        slope[s] = bytes - l->room[s];
        total -= l->price[s] * l->room[s];
    }
    base_work(4 * (size_t)(g->n + g->edge_count));
    return total;
}

void label_price_aim(label_price *l, int t, const double *share, double target, int steps)
{
    const int n = l->p->graph->n;
    double *slope = base_malloc((size_t)n + 1, sizeof *slope);
    double *best = base_malloc((size_t)n, sizeof *best), best_value = -INFINITY, step = 1;
    for (int k = 0, idle = 0; k < steps; k++) {
        const double v = value(l, t, share, slope);
        double square = 0;
        idle = v > best_value ? 0 : idle + 1;
        if (v > best_value) {
            best_value = v;
            memcpy(best, l->price, (size_t)n * sizeof *best);
        }
        if (idle >= PATIENCE) {
            step *= SHRINK;
            idle = 0;
        }
        for (int s = 0; s < t; s++)
            square += l->price[s] > 0 || slope[s] > 0 ? slope[s] * slope[s] : 0;
        if (square <= 0 || v >= target)
            break;
        for (int s = 0; s < t; s++)
            l->price[s] = fmax(0, l->price[s] + step * (target - v) / square * slope[s]);
    }
    memcpy(l->price, best, (size_t)n * sizeof *best);
    add_up(l);
    base_free(slope);
    base_free(best);
}

label_price label_price_open(const problem *p, double target)
{
    const graph *g = p->graph;
    const size_t n = (size_t)g->n;
    label_price l = {.p = p,
                     .price = base_calloc(n, sizeof *l.price),
                     .sum = base_calloc(n + 1, sizeof *l.sum),
                     .back = base_malloc(n, sizeof *l.back),
                     .gaps = base_malloc(n, sizeof *l.gaps),
                     .wanted = base_calloc(n, sizeof *l.wanted),
                     .stored = base_calloc(n, sizeof *l.stored),
                     .room = base_malloc(n, sizeof *l.room)};
    double all = 0;
    for (int i = 0; i < g->n; i++) {
        l.gaps[i] = g->user_start[i + 1] - g->user_start[i] + 1;
        l.back[i] = back(p, i, l.gaps[i]);
        l.room[i] = room(p, i);
        all += isfinite(l.back[i]) ? l.gaps[i] * l.back[i] : 0;
    }
    l.target = fmin(target, all);
    double *share = base_calloc(n, sizeof *share);
    label_price_aim(&l, g->n, share, l.target, STEPS);
    base_free(share);
    return l;
}

void label_price_close(label_price *l)
{
    base_free_all(l->price, l->sum, l->back, l->gaps, l->wanted, l->stored, l->room);
}

void label_price_before(label_price *l, int t)
{
    const graph *g = l->p->graph;
    double size = 0;
    l->base = 0;
    for (int s = 0; s < t; s++) {
        l->base -= l->price[s] * l->room[s];
        size += l->price[s] * (double)l->p->ram_budget_bytes;
    }
    for (int i = 0; i < g->n; i++) {
        int last = i, gaps = 1;
        l->wanted[i] = l->stored[i] = 0;
        if (i >= t)
            continue;
        for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < t; e++, gaps++) {
            l->base += fmin(l->back[i], (double)g->bytes[i] * between(l, last + 1, g->user[e]));
            last = g->user[e];
        }
        l->wanted[i] = fmin(l->back[i], (double)g->bytes[i] * between(l, last + 1, t));
        if (problem_may_page(l->p, i))
            l->stored[i] = gaps * g->pageout_joules[i] / l->gaps[i];
        size += (double)g->bytes[i] * l->sum[t] + 2 * l->wanted[i] + l->stored[i];
    }
    l->base -= 8 * (double)(g->n + g->edge_count) * DBL_EPSILON * size;
    base_work(4 * (size_t)(g->n + g->edge_count));
}
