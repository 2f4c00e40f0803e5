/* Forrest-Tomlin update: the spike replaces column p of U, which moves with row p to the end of
 * the order. A row eta clears row p except for the diagonal. Pivots are core numbers here, except
 * in rows of trivial pivots. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lp/factor/factor_internal.h"

/* Moves the last entry of list p of t to place e of a leaf. */
static void fill_gap(lp_triangle *t, int p, int e)
{
    int last = --t->span[p].end;
    t->index[e] = t->index[last];
    t->value[e] = t->value[last];
}

/* Removes the leaf i from list p of t. */
static void remove_leaf(lp_triangle *t, int p, int i)
{
    int e = t->span[p].leaf;
    while (t->index[e] != i)
        e++;
    assert(e < t->span[p].end);
    fill_gap(t, p, e);
}

/* Removes the entry for i, which is no leaf, from list p of t. */
static void remove_entry(lp_triangle *t, int p, int i)
{
    lp_span *span = &t->span[p];
    int e = span->begin;
    while (t->index[e] != i)
        e++;
    assert(e < span->leaf);
    int last = --span->leaf; /* the last non-leaf fills the gap, and the gap moves to its place */
    t->index[e] = t->index[last];
    t->value[e] = t->value[last];
    fill_gap(t, p, last);
}

/* Removes row c and column c, both of the core, from U. */
static void empty_row_and_column(lp_factor *f, int c)
{
    lp_triangle *cols = &f->u_cols, *rows = &f->u_rows;
    lp_span *col = &cols->span[c], *row = &rows->span[c];
    for (int e = col->begin; e < col->leaf; e++)
        remove_entry(rows, cols->index[e], c);
    for (int e = col->leaf; e < col->end; e++)
        remove_entry(&f->u_tops, cols->index[e], c);
    col->leaf = col->end = col->begin;
    for (int e = row->begin; e < row->end; e++)
        remove_entry(cols, rows->index[e], c);
    row->leaf = row->end = row->begin;
}

/* Returns the number of the pivot of row p and empties its row and column of U. A trivial pivot
 * joins the core. */
static int renew_pivot(lp_factor *f, int p)
{
    int c = f->core_of[p];
    if (c >= 0) {
        empty_row_and_column(f, c);
        f->u_order.pivot[f->u_place[c]] = -1;
        f->u_place[c] = f->u_order.count;
        lp_pivot_list_push(&f->u_order, c);
        return c;
    }
    lp_span *row = &f->u_tops.span[p];
    for (int e = row->begin; e < row->end; e++)
        remove_leaf(&f->u_cols, f->u_tops.index[e], p);
    row->leaf = row->end = row->begin;
    c = lp_factor_add_pivot(f, p, 1.0);
    f->l_cols.span[c] = f->l_rows.span[c] = f->u_cols.span[c] = f->u_rows.span[c] = (lp_span){0};
    return c;
}

/* Appends (c, v) to list i of t, a triangle by rows. A full list moves to the end of the pool,
 * with room to grow. */
static void append_to_row(lp_triangle *t, int i, int c, double v)
{
    lp_span *span = &t->span[i];
    int length = span->end - span->begin;
    if (length == span->space) {
        int space = length + length / 2 + 4;
        lp_triangle_reserve(t, space);
        memcpy(t->index + t->used, t->index + span->begin, (size_t)length * sizeof(int));
        memcpy(t->value + t->used, t->value + span->begin, (size_t)length * sizeof(double));
        *span = (lp_span){t->used, t->used + length, t->used + length, space};
        t->used += space;
    }
    t->index[span->end] = c;
    t->value[span->end] = v;
    span->leaf = ++span->end; /* no leaf: a column of U may always get entries */
}

static inline void append_to_column(lp_triangle *t, int i, double v)
{
    t->index[t->used] = i;
    t->value[t->used++] = v;
}

/* Stores column c of U from the spike: the core, then the trivial rows. */
static void store_spike(lp_factor *f, int c)
{
    lp_triangle *t = &f->u_cols;
    lp_span *span = &t->span[c];
    lp_triangle_reserve(t, f->spike.count + f->tops);
    span->begin = t->used;
    for (int k = 0; k < f->spike.count; k++) {
        int i = f->spike.index[k];
        double v = f->spike.value[i];
        if (i == c || fabs(v) <= LP_VECTOR_DROP)
            continue;
        append_to_column(t, i, v);
        append_to_row(&f->u_rows, i, c, v);
    }
    span->leaf = t->used;
    for (int k = 0; k < f->tops; k++) {
        int i = f->top_row[k];
        double v = f->top_value[k];
        if (i == f->row_of[c] || fabs(v) <= LP_VECTOR_DROP)
            continue;
        append_to_column(t, i, v);
        append_to_row(&f->u_tops, i, c, v);
    }
    span->end = t->used;
    span->space = span->end - span->begin;
}

/* Returns the entry of the spike in row p. */
static double spike_entry(const lp_factor *f, int p)
{
    if (f->core_of[p] >= 0)
        return f->spike.value[f->core_of[p]];
    for (int k = 0; k < f->tops; k++)
        if (f->top_row[k] == p)
            return f->top_value[k];
    return 0.0;
}

/* Appends the row eta of pivot c, from row c of U^-1 with the old diagonal `old`. Returns the
 * diagonal of the spike after this eta. */
static double append_eta(lp_factor *f, int c, double old, double diagonal)
{
    lp_triangle *eta = &f->eta;
    const int before = eta->used;
    lp_triangle_reserve(eta, f->row.count);
    for (int k = 0; k < f->row.count; k++) {
        int i = f->row.index[k];
        if (i == c)
            continue;
        double r = f->row.value[i] * -old;
        if (fabs(r) <= LP_VECTOR_DROP)
            continue;
        append_to_column(eta, i, r);
        diagonal -= r * f->spike.value[i];
    }
    if (eta->used > before) {
        lp_pivot_list_push(&f->eta_row, c);
        lp_pivot_list_push(&f->eta_start, eta->used);
    }
    return diagonal;
}

double lp_factor_update(lp_factor *f, int p, double alpha)
{
    assert(f->spike.count >= 0 && f->row.count >= 0);
    double diagonal = spike_entry(f, p);
    int c = renew_pivot(f, p);
    double old = f->pivot[c], expected = alpha * old;
    f->pivot[c] = append_eta(f, c, old, diagonal);
    store_spike(f, c);
    f->updates++;
    f->solve_work += 2.0 * (f->row.count + f->spike.count + f->tops);
    return fabs(f->pivot[c] - expected) / fmax(fabs(expected), 1e-300);
}
