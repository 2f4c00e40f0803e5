/* Forrest-Tomlin update: the spike replaces column p of U, which moves with row p to the
 * end of the order; a row eta clears row p but for the diagonal. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/base.h"
#include "lp/factor_internal.h"

/* Removes the entry for i from list p of t. */
static void remove_entry(lp_triangle *t, int p, int i)
{
    lp_span *span = &t->span[p];
    int e = span->begin;
    while (t->index[e] != i)
        e++;
    assert(e < span->end);
    if (e < span->leaf) { /* the last one that is no leaf fills the gap, which moves there */
        int last = --span->leaf;
        t->index[e] = t->index[last];
        t->value[e] = t->value[last];
        e = last;
    }
    int last = --span->end;
    t->index[e] = t->index[last];
    t->value[e] = t->value[last];
}

static void empty_row_and_column(lp_factor *f, int p)
{
    lp_triangle *c = &f->u_cols, *r = &f->u_rows;
    lp_span *col = &c->span[p], *row = &r->span[p];
    for (int e = col->begin; e < col->end; e++)
        remove_entry(r, c->index[e], p);
    col->leaf = col->end = col->begin;
    for (int e = row->begin; e < row->end; e++)
        remove_entry(c, r->index[e], p);
    row->leaf = row->end = row->begin;
}

/* Adds (p, v) to row i of U; a full row moves to the end of the pool with room to grow. */
static void append_to_row(lp_factor *f, int i, int p, double v)
{
    lp_triangle *r = &f->u_rows;
    lp_span *span = &r->span[i];
    int length = span->end - span->begin;
    if (length == span->space) {
        int space = length + length / 2 + 4;
        lp_triangle_reserve(r, space);
        memcpy(r->index + r->used, r->index + span->begin, (size_t)length * sizeof(int));
        memcpy(r->value + r->used, r->value + span->begin, (size_t)length * sizeof(double));
        *span = (lp_span){r->used, r->used + length, r->used + length, space};
        r->used += space;
    }
    r->index[span->end] = p;
    r->value[span->end] = v;
    span->leaf = ++span->end; /* a column of U may always get entries */
}

/* Column p of U from the spike: first the rows that are no leaves, then the trivial ones. */
static void store_spike(lp_factor *f, int p)
{
    lp_triangle *c = &f->u_cols;
    lp_span *span = &c->span[p];
    lp_triangle_reserve(c, f->spike.count);
    span->begin = c->used;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < f->spike.count; k++) {
            int i = f->spike.index[k];
            double v = f->spike.value[i];
            bool trivial = f->u_place[i] < f->u_trivial;
            if (i == p || trivial != (pass == 1) || fabs(v) <= LP_VECTOR_DROP)
                continue;
            c->index[c->used] = i;
            c->value[c->used++] = v;
            append_to_row(f, i, p, v);
        }
        if (pass == 0)
            span->leaf = c->used;
    }
    span->end = c->used;
}

/* The row eta from row p of U^-1, and what it makes of the spike's diagonal. */
static double append_eta(lp_factor *f, int p)
{
    int entries = f->eta_start[f->etas];
    if (f->row.count > f->eta_entry_capacity - entries) {
        f->eta_entry_capacity += f->eta_entry_capacity / 2 + f->row.count + 64;
        f->eta_index = base_realloc(f->eta_index, (size_t)f->eta_entry_capacity, sizeof(int));
        f->eta_value = base_realloc(f->eta_value, (size_t)f->eta_entry_capacity, sizeof(double));
    }
    if (f->etas + 2 > f->eta_capacity) {
        f->eta_capacity += f->eta_capacity / 2 + 64;
        f->eta_row = base_realloc(f->eta_row, (size_t)f->eta_capacity, sizeof(int));
        f->eta_start = base_realloc(f->eta_start, (size_t)f->eta_capacity, sizeof(int));
    }
    double diagonal = f->spike.value[p], scale = -f->pivot[p];
    for (int k = 0; k < f->row.count; k++) {
        int i = f->row.index[k];
        if (i == p)
            continue;
        double r = f->row.value[i] * scale;
        if (fabs(r) <= LP_VECTOR_DROP)
            continue;
        f->eta_index[entries] = i;
        f->eta_value[entries++] = r;
        diagonal -= r * f->spike.value[i];
    }
    if (entries > f->eta_start[f->etas]) {
        f->eta_row[f->etas] = p;
        f->eta_start[++f->etas] = entries;
    }
    return diagonal;
}

double lp_factor_update(lp_factor *f, int p, double alpha)
{
    assert(f->valid && f->row.value[p] != 0.0 && f->spike.count >= 0 && f->row.count >= 0);
    double expected = alpha * f->pivot[p];
    double diagonal = append_eta(f, p);
    empty_row_and_column(f, p);
    store_spike(f, p);
    f->pivot[p] = diagonal;
    f->u_order.pivot[f->u_place[p]] = -1;
    f->u_place[p] = f->u_order.count;
    lp_pivot_list_push(&f->u_order, p);
    f->updates++;
    f->solve_work += 2.0 * (f->row.count + f->spike.count);
    return fabs(diagonal - expected) / fmax(fabs(expected), 1e-300);
}
