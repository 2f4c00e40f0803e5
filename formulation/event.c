/* Memory events as 0-1 knapsacks over live literals, and lists of cuts on them. */
#include "formulation/event_cut.h"
#include "formulation/internal.h"

#include <string.h>

void event_literals_clear(event_literals *e)
{
    base_free_all(e->literal, e->term_col, e->term_coef);
    *e = (event_literals){0};
}

static void push_term(event_literals *e, int col, double coef)
{
    if (col < 0)
        return;
    if (e->terms == e->term_capacity) {
        e->term_capacity = e->term_capacity ? 2 * e->term_capacity : 1024;
        e->term_col = base_realloc(e->term_col, (size_t)e->term_capacity, sizeof *e->term_col);
        e->term_coef = base_realloc(e->term_coef, (size_t)e->term_capacity, sizeof *e->term_coef);
    }
    e->term_col[e->terms] = col;
    e->term_coef[e->terms++] = coef;
}

static void push_literal(event_literals *e, int tensor, int64_t bytes, bool twice, int first)
{
    if (e->terms == first)
        return;
    e->literal = base_grow(e->literal, e->count, &e->literal_capacity, sizeof *e->literal);
    e->literal[e->count++] = (event_literal){tensor, bytes, twice, first, e->terms - first};
}

/* Tensor i is live at (t,k): resident when the stage began or computed by then, minus the
 * releases by users before k. With the option also while it is being paged in; a canonical
 * schedule does not page in a resident tensor. */
static void push_live(const formulation *f, int t, int k, int i, event_literals *e)
{
    const graph *g = f->problem->graph;
    int first = e->terms;
    push_term(e, cell_col(f, CELL_C, t, i), 1);
    push_term(e, cell_col(f, CELL_P, t, i), 1);
    if (i <= k)
        push_term(e, cell_col(f, CELL_R, t, i), 1);
    if (f->problem->charge_pagein_transfer && (f->features & FORMULATION_CANONICAL))
        push_term(e, cell_col(f, CELL_IN, t, i), 1);
    push_term(e, f->early_col[cell_index(f, t, i)], -1);
    for (int q = g->user_start[i]; q < g->user_start[i + 1] && g->user[q] < k; q++)
        push_term(e, free_cell(f, t, q), -1);
    push_literal(e, i, f->bytes[i], i <= k && f->twice_col[cell_index(f, t, i)] >= 0, first);
}

void formulation_event(const formulation *f, int t, int k, event_literals *e)
{
    e->count = e->terms = 0;
    e->capacity = f->budget - (k == t ? f->bytes[t] + f->workspace[t] : 0);
    for (int i = 0; i < t; i++)
        if (f->bytes[i] > 0)
            push_live(f, t, k, i, e);
}

/* ---- lists of cuts --------------------------------------------------------- */

void event_cut_clear(event_cut *cut)
{
    base_free_all(cut->tensor, cut->coef, cut->made, cut->col, cut->value);
}

void event_cut_list_clear(event_cut_list *list)
{
    for (int c = 0; c < list->count; c++)
        event_cut_clear(&list->cut[c]);
    base_free(list->cut);
    *list = (event_cut_list){0};
}

event_cut *event_cut_list_add(event_cut_list *list)
{
    list->cut = base_grow(list->cut, list->count, &list->capacity, sizeof *list->cut);
    return &list->cut[list->count++];
}

void event_cut_list_join(event_cut_list *to, event_cut_list *from)
{
    int need = to->count + from->count;
    if (need > to->capacity) {
        to->capacity = 2 * need;
        to->cut = base_realloc(to->cut, (size_t)to->capacity, sizeof *to->cut);
    }
    if (from->count > 0)
        memcpy(to->cut + to->count, from->cut, (size_t)from->count * sizeof *to->cut);
    to->count = need;
    from->count = 0;
    event_cut_list_clear(from);
}
