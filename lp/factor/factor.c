/* Life, copies and measures of the factors. */
#include "lp/factor/factor.h"

#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "lp/factor/factor_internal.h"

/* Limits of updated factors: */
#define UPDATES_LEAST 50    /* updates before their cost counts */
#define UPDATES_MOST 500    /* updates after which the factors are worn */
#define ROWS_PER_UPDATE 250 /* rows per update, if that allows more updates */
#define WEAR_COST 2         /* extra work of solves due to updates, in builds */

/* ---- life ----------------------------------------------------------------- */

lp_factor *lp_factor_create(int rows)
{
    size_t m = (size_t)rows + 1;
    lp_factor *f = base_calloc(1, sizeof *f);
    f->rows = rows;
    lp_triangle *all[] = {&f->l_cols, &f->l_rows, &f->u_cols, &f->u_rows, &f->u_tops};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        lp_triangle_init(all[i], rows);
    f->core_of = base_malloc(m, sizeof *f->core_of);
    f->row_of = base_malloc(m, sizeof *f->row_of);
    f->u_place = base_calloc(m, sizeof *f->u_place);
    f->pivot = base_calloc(m, sizeof *f->pivot);
    lp_triangle_init(&f->eta, 0);
    lp_pivot_list_push(&f->eta_start, 0);
    lp_vector_init(&f->spike, rows);
    lp_vector_init(&f->row, rows);
    lp_vector_init(&f->x, rows);
    f->top_row = base_malloc(m, sizeof *f->top_row);
    f->top_value = base_malloc(m, sizeof *f->top_value);
    f->mark = base_calloc(m, 1);
    f->list = base_malloc(m, sizeof *f->list);
    f->stack = base_malloc(m, sizeof *f->stack);
    f->edge = base_malloc(m, sizeof *f->edge);
    return f;
}

void lp_factor_free(lp_factor *f)
{
    if (!f)
        return;
    lp_triangle *all[] = {&f->l_cols, &f->l_rows, &f->u_cols, &f->u_rows, &f->u_tops, &f->eta};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        lp_triangle_free(all[i]);
    base_free_all(f->core_of, f->row_of, f->l_order.pivot, f->l_row_order.pivot, f->u_order.pivot,
                  f->u_place, f->pivot, f->eta_row.pivot, f->eta_start.pivot);
    lp_vector_free(&f->spike);
    lp_vector_free(&f->row);
    lp_vector_free(&f->x);
    base_free_all(f->top_row, f->top_value, f->mark, f->list, f->stack, f->edge, f);
}

int lp_factor_add_pivot(lp_factor *f, int row, double pivot)
{
    int c = f->core++;
    f->core_of[row] = c;
    f->row_of[c] = row;
    f->pivot[c] = pivot;
    f->u_place[c] = f->u_order.count;
    lp_pivot_list_push(&f->u_order, c);
    return c;
}

static void copy_triangle(lp_triangle *to, const lp_triangle *from, int pivots)
{
    to->used = 0;
    lp_triangle_reserve(to, from->used);
    to->used = from->used;
    memcpy(to->span, from->span, (size_t)pivots * sizeof *to->span);
    if (from->used > 0) {
        memcpy(to->index, from->index, (size_t)from->used * sizeof(int));
        memcpy(to->value, from->value, (size_t)from->used * sizeof(double));
    }
}

static void copy_list(lp_pivot_list *to, const lp_pivot_list *from)
{
    if (to->capacity < from->count) {
        to->capacity = from->count + 64;
        to->pivot = base_realloc(to->pivot, (size_t)to->capacity, sizeof *to->pivot);
    }
    to->count = from->count;
    if (from->count > 0)
        memcpy(to->pivot, from->pivot, (size_t)from->count * sizeof *to->pivot);
}

void lp_factor_copy(lp_factor *to, const lp_factor *from)
{
    assert(to->rows == from->rows);
    size_t core = (size_t)from->core;
    copy_triangle(&to->l_cols, &from->l_cols, from->core);
    copy_triangle(&to->l_rows, &from->l_rows, from->core);
    copy_triangle(&to->u_cols, &from->u_cols, from->core);
    copy_triangle(&to->u_rows, &from->u_rows, from->core);
    copy_triangle(&to->u_tops, &from->u_tops, from->rows);
    copy_list(&to->l_order, &from->l_order);
    copy_list(&to->l_row_order, &from->l_row_order);
    copy_list(&to->u_order, &from->u_order);
    memcpy(to->core_of, from->core_of, (size_t)from->rows * sizeof(int));
    memcpy(to->row_of, from->row_of, core * sizeof(int));
    memcpy(to->u_place, from->u_place, core * sizeof(int));
    memcpy(to->pivot, from->pivot, core * sizeof(double));
    copy_triangle(&to->eta, &from->eta, 0);
    copy_list(&to->eta_row, &from->eta_row);
    copy_list(&to->eta_start, &from->eta_start);
    to->core = from->core;
    to->updates = from->updates;
    to->build_work = from->build_work;
    to->solve_work = from->solve_work;
    to->eta_work = from->eta_work;
    to->u_entries_at_build = from->u_entries_at_build;
}

/* ---- measures ------------------------------------------------------------- */

int lp_factor_updates(const lp_factor *f)
{
    return f->updates;
}

bool lp_factor_is_worn(const lp_factor *f)
{
    if (f->updates >= UPDATES_MOST && f->updates >= f->rows / ROWS_PER_UPDATE)
        return true;
    if (f->updates < UPDATES_LEAST)
        return false;
    return f->eta_work > WEAR_COST * f->build_work ||
           f->u_cols.used + f->u_rows.used + f->u_tops.used >
               6 * f->u_entries_at_build + 16 * f->rows;
}

double lp_factor_work(const lp_factor *f)
{
    return f->work + f->solve_work + f->eta_work;
}
