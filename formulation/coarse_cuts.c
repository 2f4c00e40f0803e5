/* Cuts on the coarse timeline: what is in RAM at one moment is a knapsack. */
#include <math.h>
#include <string.h>

#include "formulation/coarse.h"
#include "formulation/internal.h"
#include "formulation/knapsack.h"

/* A tensor is in RAM where x[there] is 1 (-1: for certain), unless it is regained: x[regained] is
 * (-1: none). */
typedef struct item {
    int there, regained[2];
} item;

/* The knapsack of node k's event in interval j, or of point j. */
typedef struct moment {
    const coarse *c;
    const double *x;
    const separate_params *params;
    event_cut_list *list;
    int *last; /* extent n: the last node first computed in the interval that reads it */
    int items; /* extent n + 1 of what follows */
    item *item;
    int *terms;
    int64_t *weight;
    double *value, *coef;
    knapsack_scratch scratch;
} moment;

static moment moment_create(const coarse *c, const double *x, const separate_params *params,
                            event_cut_list *list)
{
    const size_t size = (size_t)c->problem->graph->n + 1;
    moment m = {.c = c, .x = x, .params = params, .list = list};
    m.last = base_malloc(size, sizeof *m.last);
    m.item = base_malloc(size, sizeof *m.item);
    m.terms = base_malloc(size, sizeof *m.terms);
    m.weight = base_malloc(size, sizeof *m.weight);
    m.value = base_malloc(size, sizeof *m.value);
    m.coef = base_malloc(size, sizeof *m.coef);
    m.scratch.order = base_malloc(size, sizeof *m.scratch.order);
    m.scratch.best = base_malloc(2 * size + 2, sizeof *m.scratch.best);
    m.scratch.flag = base_malloc(size, sizeof *m.scratch.flag);
    m.scratch.size = base_malloc(size, sizeof *m.scratch.size);
    m.scratch.states = base_malloc(4 * (size_t)KNAPSACK_STATES, sizeof *m.scratch.states);
    return m;
}

static void moment_clear(moment *m)
{
    base_free(m->last);
    base_free(m->item);
    base_free(m->terms);
    base_free(m->weight);
    base_free(m->value);
    base_free(m->coef);
    base_free(m->scratch.order);
    base_free(m->scratch.best);
    base_free(m->scratch.flag);
    base_free(m->scratch.size);
    base_free(m->scratch.states);
}

/* ---- items ---------------------------------------------------------------------------- */

static void add(moment *m, item i, int64_t weight)
{
    const double *x = m->x;
    double value = i.there >= 0 ? x[i.there] : 1;
    if (weight == 0)
        return;
    for (int q = 0; q < 2; q++)
        value -= i.regained[q] >= 0 ? x[i.regained[q]] : 0;
    m->item[m->items] = i;
    m->terms[m->items] = (i.there >= 0) + (i.regained[0] >= 0) + (i.regained[1] >= 0);
    m->weight[m->items] = weight;
    m->value[m->items++] = fmin(fmax(value, 0), 1);
}

static void add_live(moment *m, int col, int64_t weight)
{
    if (col >= 0)
        add(m, (item){col, {-1, -1}}, weight);
}

/* ---- cuts ----------------------------------------------------------------------------- */

static void add_term(event_cut *cut, int col, double value)
{
    if (col < 0)
        return;
    cut->col[cut->count] = col;
    cut->value[cut->count++] = value;
}

/* What may be regained has no negative coefficient: where it is regained twice, or was not there,
 * its item counts as less than 0. */
static bool may_state(const moment *m)
{
    for (int q = 0; q < m->items; q++)
        if (m->coef[q] < 0 && (m->item[q].regained[0] >= 0 || m->item[q].regained[1] >= 0))
            return false;
    return true;
}

static double scale_of(const moment *m)
{
    double largest = 0;
    for (int q = 0; q < m->items; q++)
        largest = fmax(largest, fabs(m->coef[q]));
    int exponent;
    frexp(largest, &exponent);
    return ldexp(1, 1 - exponent);
}

/* m->coef, of items at most rhs together, over columns; upper: rhs less what is there for certain.
 */
static void store(moment *m, int j, int k, double upper, double efficacy)
{
    event_cut *cut = event_cut_list_add(m->list);
    const double scale = scale_of(m);
    *cut = (event_cut){.t = j, .k = k, .upper = scale * upper, .efficacy = efficacy};
    cut->col = base_malloc(3 * (size_t)m->items, sizeof *cut->col);
    cut->value = base_malloc(3 * (size_t)m->items, sizeof *cut->value);
    for (int q = 0; q < m->items; q++) {
        const item *i = &m->item[q];
        const double value = scale * m->coef[q];
        if (value == 0)
            continue;
        add_term(cut, i->there, value);
        add_term(cut, i->regained[0], -value);
        add_term(cut, i->regained[1], -value);
    }
}

/* Stores m->coef if it is deeper than efficacy. */
static void offer(moment *m, int j, int k, double rhs, double efficacy)
{
    double norm = 0, violation = -rhs, upper = rhs;
    for (int q = 0; q < m->items; q++) {
        norm += m->coef[q] * m->coef[q] * m->terms[q];
        violation += m->coef[q] * m->value[q];
        upper -= m->item[q].there < 0 ? m->coef[q] : 0;
    }
    if (violation > efficacy * sqrt(norm) && norm > 0 && fabs(upper) <= (double)KNAPSACK_EXACT &&
        may_state(m))
        store(m, j, k, upper, violation / sqrt(norm));
}

/* Violated cuts of the items: their bytes are at most the capacity. */
static void separate(moment *m, int j, int k, int64_t capacity)
{
    const separate_params *params = m->params;
    const knapsack kn = {m->items, m->weight, m->value, capacity};
    knapsack_cut cut = {.coef = m->coef};
    double load = 0, deepest = params->min_efficacy;
    for (int q = 0; q < m->items; q++)
        load += m->value[q] * (double)m->weight[q];
    if (load < 0.8 * (double)capacity || capacity < 0)
        return;
    base_work_count(100 * (size_t)m->items);
    for (int q = 0; q < m->items; q++)
        m->coef[q] = (double)m->weight[q];
    offer(m, j, k, (double)capacity, deepest);
    const int before = m->list->count;
    if (params->rounding && knapsack_round_deepest(&kn, m->terms, deepest, &m->scratch, &cut))
        offer(m, j, k, cut.rhs, deepest);
    if (m->list->count > before)
        deepest = m->list->cut[before].efficacy + 1e-9;
    for (int zeros = 0; zeros < 2 && params->weights; zeros++)
        if (knapsack_weight(&kn, zeros, &m->scratch, &cut))
            offer(m, j, k, cut.rhs, deepest);
    if (params->covers && knapsack_cover(&kn, &m->scratch, &cut))
        offer(m, j, k, cut.rhs, deepest);
}

/* ---- moments --------------------------------------------------------------------------- */

/* What is live at point j. */
static void at_point(moment *m, int j)
{
    const coarse *c = m->c;
    const int node = coarse_before(c, j);
    int64_t capacity = c->budget - c->bytes[node] - c->workspace[node];
    m->items = 0;
    for (int i = 0; i < node; i++)
        if (is_input(c->problem->graph, i, node))
            capacity -= c->bytes[i];
        else
            add_live(m, c->live[coarse_cell(c, j, i)], c->bytes[i]);
    separate(m, j, node, capacity);
}

/* i, in interval j, at node k's event: what a later node first computed there reads is there, and
 * what is live at the interval's end, unless it is regained. */
static void add_beside(moment *m, int j, int i, int k)
{
    const coarse *c = m->c;
    const size_t cell = coarse_cell(c, j, i);
    const int regained[2] = {c->compute[cell], c->pagein[cell]};
    if (m->last[i] > k)
        add(m, (item){-1, {regained[0], regained[1]}}, c->bytes[i]);
    else if (i <= coarse_before(c, j))
        add_live(m, c->kept[cell], c->bytes[i]);
    else if (j < c->points && c->live[coarse_cell(c, j + 1, i)] >= 0)
        add(m, (item){c->live[coarse_cell(c, j + 1, i)], {regained[0], regained[1]}}, c->bytes[i]);
}

/* What is in RAM in interval j while k is computed, with its inputs: for the first time, where it
 * follows the point, or again, if it is. */
static void beside(moment *m, int j, int k)
{
    const coarse *c = m->c;
    const graph *g = c->problem->graph;
    const int before = coarse_before(c, j);
    const bool first = k > before;
    int64_t needed = c->bytes[k] + c->workspace[k];
    for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++)
        needed += c->bytes[g->input[e]];
    m->items = 0;
    for (int i = 0; i <= before || (first && i < k); i++)
        if (i != k && !is_input(g, i, k))
            add_beside(m, j, i, first ? k : c->problem->graph->n);
    if (!first)
        add_live(m, c->compute[coarse_cell(c, j, k)], needed);
    separate(m, j, k, c->budget - (first ? needed : 0));
}

static void find_last(moment *m, int j)
{
    const graph *g = m->c->problem->graph;
    memset(m->last, 0xff, (size_t)g->n * sizeof *m->last);
    for (int k = coarse_before(m->c, j) + 1; k <= coarse_end(m->c, j); k++)
        for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++)
            m->last[g->input[e]] = k;
}

void coarse_separate(const coarse *c, const double *x, const separate_params *params,
                     event_cut_list *list)
{
    const int first = list->count;
    moment m = moment_create(c, x, params, list);
    for (int j = 0; j <= c->points; j++) {
        const int before = coarse_before(c, j), end = coarse_end(c, j);
        base_work_count(5 * (size_t)(end + 1) * (size_t)c->problem->graph->n);
        find_last(&m, j);
        if (j > 0)
            at_point(&m, j);
        for (int k = 0; k < end; k++)
            if (k > before || (c->compute[coarse_cell(c, j, k)] >= 0 &&
                               x[c->compute[coarse_cell(c, j, k)]] > 1e-6))
                beside(&m, j, k);
    }
    event_cut_list_keep_best(list, first, params->max_cuts);
    moment_clear(&m);
}
