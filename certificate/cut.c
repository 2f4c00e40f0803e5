/* Cuts of the checker. An event cut holds if no set of tensors within the capacity violates it, by
 * dynamic programming over Pareto-optimal sets. A source cut holds if its path and stages satisfy
 * the conditions of its proof. */
#include "certificate/cut.h"

#include <math.h>

enum { MAX_STATES = 2000000 };
/* Exact as a double; a sum over CERT_MAX_NODES tensors fits 63 bits. The separators make no larger
 * ones (KNAPSACK_EXACT). */
#define MAX_COEF (INT64_C(1) << 50)

void cert_cut_clear(cert_cut *cut)
{
    base_free_all(cut->tensor, cut->coef, cut->made);
    cert_row_clear(&cut->row);
    *cut = (cert_cut){0};
}

/* ---- can a set of tensors within the capacity violate the cut? ----------------------- */

/* Pareto-optimal sets of items: no other set has at most the weight and at least the value. Sorted:
 * weights and values ascend strictly. */
typedef struct frontier {
    int count;
    int64_t *weight, *value;
} frontier;

/* Merges the states of `from`, with and without one more item, into `to`, by weight. States that
 * cannot reach the value `needed` are dropped. */
static void add_to_frontier(const frontier *from, int64_t weight, int64_t value, int64_t capacity,
                            int64_t needed, frontier *to)
{
    int a = 0, b = 0;
    int64_t best = -1;
    to->count = 0;
    base_work((size_t)from->count * 10);
    while (a < from->count || b < from->count) {
        bool plain =
            b == from->count || (a < from->count && from->weight[a] <= from->weight[b] + weight);
        int64_t w = plain ? from->weight[a] : from->weight[b] + weight;
        int64_t v = plain ? from->value[a] : from->value[b] + value;
        if (plain)
            a++;
        else
            b++;
        if (w > capacity || v <= best || v < needed)
            continue;
        best = v;
        if (to->count > 0 && to->weight[to->count - 1] == w)
            to->count--;
        to->weight[to->count] = w;
        to->value[to->count++] = v;
    }
}

/* NULL if every set of items within the capacity has a value of at most rhs. */
static const char *knapsack_fault(const frontier *items, int64_t capacity, int64_t rhs)
{
    if (capacity < 0)
        return NULL;  /* the event cannot happen */
    int64_t left = 0; /* largest value that the items to come can add */
    for (int j = 0; j < items->count; j++)
        left += items->value[j];
    frontier now = {1, base_calloc(1, sizeof(int64_t)), base_calloc(1, sizeof(int64_t))};
    frontier next = {0, NULL, NULL};
    const char *fault = NULL;
    if (left <= rhs)
        now.count = 0;
    for (int j = 0; j < items->count && now.count > 0 && !fault; j++) {
        size_t size = 2 * (size_t)now.count + 2;
        next.weight = base_realloc(next.weight, size, sizeof(int64_t));
        next.value = base_realloc(next.value, size, sizeof(int64_t));
        left -= items->value[j];
        add_to_frontier(&now, items->weight[j], items->value[j], capacity, rhs + 1 - left, &next);
        frontier swap = now;
        now = next;
        next = swap;
        if (now.count > MAX_STATES)
            fault = "the cut is too large to check";
    }
    if (!fault && now.count > 0)
        fault = "the cut does not hold: a set of tensors within the budget violates it";
    base_free_all(now.weight, now.value, next.weight, next.value);
    return fault;
}

/* An item of the knapsack, if it has a value. */
static void add_item(frontier *list, int64_t weight, int64_t value)
{
    if (value <= 0)
        return;
    list->weight[list->count] = weight;
    list->value[list->count++] = value;
}

static bool is_too_large(int64_t coef)
{
    return coef > MAX_COEF || coef < -MAX_COEF;
}

static const char *event_fault(const cert_model *m, const cert_cut *cut)
{
    const graph *g = m->g;
    int64_t capacity = m->budget, bundle = m->bytes[cut->k] + m->workspace[cut->k];
    bool *taken = base_calloc((size_t)m->n, sizeof *taken);
    for (int q = g->input_start[cut->k]; q < g->input_start[cut->k + 1]; q++)
        bundle += m->bytes[g->input[q]];
    if (cut->k == cut->t)
        capacity -= bundle; /* the node of the stage is computed: it, its inputs and its workspace
                               are live */
    const size_t most = 2 * (size_t)cut->count + 1;
    frontier items = {0, base_malloc(most, sizeof(int64_t)), base_malloc(most, sizeof(int64_t))};
    const int64_t *there = cut->coef, *made = cut->made ? cut->made : cut->coef;
    const char *fault = NULL;
    for (int j = 0; j < cut->count && !fault; j++) {
        int i = cut->tensor[j];
        bool node = cut->conditional && i == cut->k;
        if (i < 0 || i >= cut->t || taken[i])
            fault = "a tensor of the cut is out of range or comes twice";
        else if (!node && (cut->conditional || cut->k == cut->t) &&
                 (i == cut->k || graph_is_input(g, i, cut->k)))
            fault = "a tensor of the cut is live for certain";
        else if (is_too_large(there[j]) || is_too_large(made[j]))
            fault = "a coefficient of the cut is too large";
        else
            taken[i] = true;
        if (fault)
            break;
        if (!node)
            add_item(&items, m->bytes[i], there[j]);
        if (node || (i <= cut->k && !m->canonical))
            add_item(&items, node ? bundle : m->bytes[i], made[j]);
    }
    if (!fault)
        fault = knapsack_fault(&items, capacity, cut->rhs);
    base_free_all(taken, items.weight, items.value);
    return fault;
}

static const char *source_fault(const cert_model *m, const cert_cut *cut)
{
    if (!m->canonical)
        return "a source cut is for canonical schedules";
    if (cut->t <= cut->k || cut->last < cut->t || cut->last >= m->n)
        return "the stages of the cut are out of range";
    if (cut->count < 1 || cut->count > CERT_PATH)
        return "the path of the cut is too long or empty";
    for (int j = 0; j < cut->count; j++)
        if (cut->tensor[j] < 0 ||
            !graph_is_input(m->g, cut->tensor[j], j == 0 ? cut->k : cut->tensor[j - 1]))
            return "the path of the cut does not follow inputs";
    return NULL;
}

const char *cert_cut_fault(const cert_model *m, const cert_cut *cut)
{
    if (cut->t < 0 || cut->t >= m->n || cut->k < 0 || cut->k > cut->t ||
        (cut->conditional && cut->k == cut->t))
        return "stage or node of the cut is out of range";
    if (cut->rhs > MAX_COEF || cut->rhs < -MAX_COEF)
        return "the right side of the cut is too large";
    return cut->source ? source_fault(m, cut) : event_fault(m, cut);
}

/* ---- as rows ------------------------------------------------------------------------ */

static void event_row(const cert_model *m, const cert_cut *cut, cert_row *row)
{
    int t = cut->t;
    row->rhs = (double)cut->rhs;
    for (int j = 0; j < cut->count; j++) {
        int i = cut->tensor[j];
        const double coef = (double)cut->coef[j], made = cut->made ? (double)cut->made[j] : coef;
        if (i <= cut->k)
            cert_row_add_computed(row, m, t, i, made);
        if (cut->conditional && i == cut->k)
            continue;
        cert_row_add_resident(row, m, t, i, coef);
        if (m->p->charge_pagein_transfer && m->canonical)
            cert_row_add(row, cert_cell(m, CERT_IN, t, i), coef);
        cert_row_add_released(row, m, t, i, cut->k, -fmax(coef, made));
    }
}

/* Subtracts the cells that can bring tensor j of the path into RAM without computing it: a copy in
 * RAM kept from before stage cut->t, and either the page-outs before a page-in (bit j of
 * cut->stored) or the copy on the way from storage and the page-ins. */
static void add_source(const cert_model *m, const cert_cut *cut, int j, cert_row *row)
{
    int i = cut->tensor[j];
    cert_row_add(row, cert_cell(m, CERT_C, cut->t, i), -1);
    if (cut->stored >> j & 1) {
        for (int t = i + 1; t < cut->last - 1; t++)
            cert_row_add(row, cert_cell(m, CERT_OUT, t, i), -1);
        return;
    }
    cert_row_add(row, cert_cell(m, CERT_P, cut->t, i), -1);
    for (int t = cut->t; t < cut->last; t++)
        cert_row_add(row, cert_cell(m, CERT_IN, t, i), -1);
}

static void source_row(const cert_model *m, const cert_cut *cut, cert_row *row)
{
    const graph *g = m->g;
    int k = cut->k, source = cut->tensor[cut->count - 1];
    for (int t = cut->t; t <= cut->last; t++)
        cert_row_add_computed(row, m, t, source, -1);
    for (int j = 0; j < cut->count; j++)
        add_source(m, cut, j, row);
    if (cut->kept) {
        cert_row_add(row, cert_cell(m, CERT_C, cut->last, k), 1);
        cert_row_add_computed(row, m, cut->last, k, 1);
        cert_row_add(row, cert_cell(m, CERT_C, cut->t, k), -1);
        return;
    }
    for (int t = cut->t; t <= cut->last; t++)
        cert_row_add_computed(row, m, t, k, 1);
    for (int t = cut->t; t < cut->last; t++) {
        for (int e = g->user_start[k]; e < g->user_start[k + 1] && g->user[e] <= t; e++)
            cert_row_add_computed(row, m, t, g->user[e], -1);
        cert_row_add(row, cert_cell(m, CERT_OUT, t, k), -1);
        for (int q = g->input_start[k]; q < g->input_start[k + 1]; q++)
            cert_row_add(row, cert_cell(m, CERT_OUT, t, g->input[q]), -1);
    }
}

void cert_cut_row(const cert_model *m, const cert_cut *cut, cert_row *row)
{
    cert_row_reset(row);
    if (cut->rounded) {
        cert_row_append(row, &cut->row);
    } else if (cut->source) {
        source_row(m, cut, row);
    } else {
        event_row(m, cut, row);
    }
}
