/* ftran and btran with the factors of lp/factor.h. */
#include <assert.h>
#include <math.h>

#include "lp/factor_internal.h"

#define SEARCH_COST 3.0 /* per pivot reached, in pivots of the loop: cache misses */

/* Solving by search costs several times what the loop does for a pivot, but visits only
 * those that are reached. */
static bool prefer_search(const lp_factor *f, const lp_vector *x, int loop, double expected)
{
    return x->count >= 0 && SEARCH_COST * x->count < loop &&
           SEARCH_COST * expected * f->rows < loop;
}

static void solve_l(lp_factor *f, lp_vector *x, double expected)
{
    int n = f->l_order.count;
    if (n == 0)
        return;
    if (prefer_search(f, x, n, expected))
        f->solve_work += lp_triangle_solve_sparse(f, &f->l_cols, NULL, true, x);
    else
        f->solve_work +=
            lp_triangle_solve_loop(&f->l_cols, NULL, true, f->l_order.pivot, 0, n, 1, x);
}

static void solve_l_transposed(lp_factor *f, lp_vector *x, double expected)
{
    int n = f->l_row_order.count;
    if (n == 0)
        return;
    if (prefer_search(f, x, n, expected))
        f->solve_work += lp_triangle_solve_sparse(f, &f->l_rows, NULL, true, x);
    else
        f->solve_work +=
            lp_triangle_solve_loop(&f->l_rows, NULL, true, f->l_row_order.pivot, n - 1, n, -1, x);
}

static void solve_u(lp_factor *f, lp_vector *x, double expected, bool leaves)
{
    int n = f->u_order.count - f->u_trivial;
    if (n == 0)
        return;
    if (prefer_search(f, x, n, expected))
        f->solve_work += lp_triangle_solve_sparse(f, &f->u_cols, f->pivot, leaves, x);
    else /* the trivial pivots have empty columns and a diagonal of one */
        f->solve_work += lp_triangle_solve_loop(&f->u_cols, f->pivot, leaves, f->u_order.pivot,
                                                f->u_order.count - 1, n, -1, x);
}

/* The trivial pivots of the list, row by row, after a solve without leaves. */
static void solve_u_trivial(lp_factor *f, lp_vector *x, const lp_vector *wanted)
{
    const lp_triangle *u = &f->u_rows;
    for (int k = 0; k < wanted->count; k++) {
        int i = wanted->index[k];
        if (f->u_place[i] >= f->u_trivial)
            continue;
        lp_span span = u->span[i];
        double sum = 0.0;
        for (int e = span.begin; e < span.end; e++)
            sum += u->value[e] * x->value[u->index[e]];
        if (sum != 0.0)
            lp_vector_add(x, i, -sum);
        f->solve_work += span.end - span.begin + 1;
    }
}

static void solve_u_transposed(lp_factor *f, lp_vector *x, double expected)
{
    const lp_pivot_list *order = &f->u_order;
    int n = order->count - f->u_trivial;
    if (prefer_search(f, x, n, expected)) {
        f->solve_work += lp_triangle_solve_sparse(f, &f->u_rows, f->pivot, true, x);
        return;
    }
    if (x->count < 0)
        f->solve_work +=
            lp_triangle_solve_loop(&f->u_rows, NULL, true, order->pivot, 0, f->u_trivial, 1, x);
    else
        f->solve_work += lp_triangle_solve_trivial(&f->u_rows, f->u_place, f->u_trivial, x);
    f->solve_work +=
        lp_triangle_solve_loop(&f->u_rows, f->pivot, true, order->pivot, f->u_trivial, n, 1, x);
}

static void apply_row_etas(lp_factor *f, lp_vector *x)
{
    const double *value = x->value;
    for (int k = 0; k < f->etas; k++) {
        double sum = 0.0;
        for (int e = f->eta_start[k]; e < f->eta_start[k + 1]; e++)
            sum += f->eta_value[e] * value[f->eta_index[e]];
        if (sum != 0.0)
            lp_vector_add(x, f->eta_row[k], -sum);
    }
    f->eta_work += f->eta_start[f->etas] + f->etas;
}

static void apply_row_etas_transposed(lp_factor *f, lp_vector *x)
{
    for (int k = f->etas - 1; k >= 0; k--) {
        double v = x->value[f->eta_row[k]];
        if (v > -LP_VECTOR_DROP && v < LP_VECTOR_DROP)
            continue;
        for (int e = f->eta_start[k]; e < f->eta_start[k + 1]; e++)
            lp_vector_add(x, f->eta_index[e], -v * f->eta_value[e]);
        f->eta_work += f->eta_start[k + 1] - f->eta_start[k];
        if (x->count > x->size / 4)
            x->count = -1;
    }
    f->eta_work += f->etas;
}

void lp_factor_ftran(lp_factor *f, lp_vector *x, double expected, bool keep_spike)
{
    assert(f->valid && x->size == f->rows);
    solve_l(f, x, expected);
    apply_row_etas(f, x);
    if (keep_spike) {
        if (x->count < 0)
            lp_vector_pack(x);
        lp_vector_copy(&f->spike, x);
        f->solve_work += x->count;
    }
    solve_u(f, x, expected, true);
    lp_vector_pack(x);
}

void lp_factor_ftran_wanted(lp_factor *f, lp_vector *x, double expected, const lp_vector *wanted)
{
    assert(f->valid && x->size == f->rows && wanted->count >= 0);
    solve_l(f, x, expected);
    apply_row_etas(f, x);
    solve_u(f, x, expected, false);
    solve_u_trivial(f, x, wanted);
}

void lp_factor_btran(lp_factor *f, lp_vector *x, double expected, bool keep_row)
{
    assert(f->valid && x->size == f->rows);
    solve_u_transposed(f, x, expected);
    if (keep_row) {
        if (x->count < 0)
            lp_vector_pack(x);
        lp_vector_copy(&f->row, x);
        f->solve_work += x->count;
    }
    apply_row_etas_transposed(f, x);
    solve_l_transposed(f, x, expected);
    lp_vector_pack(x);
}
