/* ftran and btran with the factors of lp/factor/factor.h. The core part of the right-hand side is
 * moved to a separate vector and back. */
#include <assert.h>
#include <math.h>

#include "lp/factor/factor_internal.h"

#define SEARCH_COST 5.0 /* cost per pivot reached by search, in pivots of the loop */
#define FORGET 0.05     /* weight of the latest solve in the running means */

/* True if a search should be cheaper than a loop over `loop` pivots. A search costs several times
 * more per pivot, but visits only the reached ones. */
static bool prefer_search(const lp_vector *x, int loop, double expected)
{
    return x->count >= 0 && SEARCH_COST * x->count < loop && SEARCH_COST * expected < loop;
}

static void update_expected(double *expected, const lp_vector *x)
{
    *expected += FORGET * ((x->count < 0 ? x->size : x->count) - *expected);
}

/* ---- to the core and back ------------------------------------------------- */

/* Moves the entries of x in core rows to f->x and returns it; entries in trivial rows stay. */
static lp_vector *extract_core(lp_factor *f, lp_vector *x)
{
    lp_vector *c = &f->x;
    int kept = 0;
    assert(x->size == f->rows && x->count >= 0 && c->count == 0);
    c->size = f->core;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k], number = f->core_of[i];
        if (number < 0) {
            x->index[kept++] = i;
            continue;
        }
        c->value[number] = x->value[i];
        c->index[c->count++] = number;
        x->value[i] = 0.0;
    }
    f->solve_work += x->count;
    x->count = kept;
    return c;
}

static inline void return_entry(lp_factor *f, int number, lp_vector *x)
{
    double v = f->x.value[number];
    f->x.value[number] = 0.0;
    if (v > LP_VECTOR_DROP || v < -LP_VECTOR_DROP) {
        int i = f->row_of[number];
        x->value[i] = v;
        x->index[x->count++] = i;
    }
}

/* Packs x, adds the entries of f->x and sets f->x to zero. */
static void return_core(lp_factor *f, lp_vector *x)
{
    lp_vector *c = &f->x;
    lp_vector_pack(x);
    if (c->count < 0)
        for (int number = 0; number < c->size; number++)
            return_entry(f, number, x);
    for (int k = 0; k < c->count; k++)
        return_entry(f, c->index[k], x);
    f->solve_work += c->count < 0 ? c->size : c->count;
    c->count = 0;
}

/* ---- the triangles --------------------------------------------------------- */

/* Solves with a triangle and its diagonal (NULL: ones) in the order of its pivots, backwards if
 * `back`. Entries at leaves go to the vector `leaves`; NULL: they are left out. */
static void solve(lp_factor *f, const lp_triangle *t, const double *diagonal,
                  const lp_pivot_list *order, bool back, lp_vector *x, double expected,
                  lp_vector *leaves)
{
    const int n = order->count;
    if (n == 0)
        return;
    if (prefer_search(x, n, expected))
        f->solve_work += lp_triangle_solve_sparse(f, t, diagonal, x, leaves);
    else
        f->solve_work += lp_triangle_solve_loop(t, diagonal, order->pivot, back ? n - 1 : 0, n,
                                                back ? -1 : 1, x, leaves);
}

/* Returns entry i, in a trivial row, of a solution with known core part. */
static double solve_u_top(lp_factor *f, int i, double right)
{
    const lp_triangle *t = &f->u_tops;
    lp_span span = t->span[i];
    double sum = right;
    for (int e = span.begin; e < span.end; e++)
        sum -= t->value[e] * f->x.value[t->index[e]];
    f->solve_work += span.end - span.begin + 1;
    return sum;
}

/* Subtracts the contribution of the trivial rows, with solution tops, from the core. */
static void subtract_tops(lp_factor *f, const lp_vector *tops, lp_vector *x)
{
    const lp_triangle *t = &f->u_tops;
    double touched = tops->count;
    for (int k = 0; k < tops->count; k++) {
        int i = tops->index[k];
        double v = tops->value[i];
        lp_span span = t->span[i];
        if (fabs(v) <= LP_VECTOR_DROP)
            continue;
        for (int e = span.begin; e < span.end; e++)
            lp_vector_add(x, t->index[e], -v * t->value[e]);
        touched += span.end - span.begin;
    }
    f->solve_work += touched;
    if (x->count > x->size / 4)
        x->count = -1;
}

/* ---- the row etas ---------------------------------------------------------- */

static void apply_row_etas(lp_factor *f, lp_vector *x)
{
    const double *value = x->value;
    const int *start = f->eta_start.pivot;
    for (int k = 0; k < f->eta_row.count; k++) {
        double sum = 0.0;
        for (int e = start[k]; e < start[k + 1]; e++)
            sum += f->eta.value[e] * value[f->eta.index[e]];
        if (sum != 0.0)
            lp_vector_add(x, f->eta_row.pivot[k], -sum);
    }
    f->eta_work += f->eta.used + f->eta_row.count;
}

static void apply_row_etas_transposed(lp_factor *f, lp_vector *x)
{
    const int *start = f->eta_start.pivot;
    for (int k = f->eta_row.count - 1; k >= 0; k--) {
        double v = x->value[f->eta_row.pivot[k]];
        if (v > -LP_VECTOR_DROP && v < LP_VECTOR_DROP)
            continue;
        for (int e = start[k]; e < start[k + 1]; e++)
            lp_vector_add(x, f->eta.index[e], -v * f->eta.value[e]);
        f->eta_work += start[k + 1] - start[k];
        if (x->count > x->size / 4)
            x->count = -1;
    }
    f->eta_work += f->eta_row.count;
}

/* ---- ftran and btran ------------------------------------------------------- */

/* Expected numbers of nonzeros for a solve with many of them. */
#define DENSE(f) (&(lp_expectation){(f)->core, (f)->core})

static void keep_copy(lp_factor *f, lp_vector *to, lp_vector *from)
{
    if (from->count < 0)
        lp_vector_pack(from);
    lp_vector_clear(to);
    to->size = from->size;
    lp_vector_copy(to, from);
    f->solve_work += from->count;
}

/* Runs the first half of an ftran, L and the row etas; returns the core part. */
static lp_vector *solve_lower(lp_factor *f, lp_vector *x, lp_expectation *expected)
{
    lp_vector *c = extract_core(f, x);
    solve(f, &f->l_cols, NULL, &f->l_order, false, c, expected->first, c);
    apply_row_etas(f, c);
    update_expected(&expected->first, c);
    return c;
}

void lp_factor_ftran(lp_factor *f, lp_vector *x, lp_expectation *expected, bool keep_spike)
{
    expected = expected ? expected : DENSE(f);
    lp_vector *c = solve_lower(f, x, expected);
    if (keep_spike) {
        keep_copy(f, &f->spike, c);
        f->tops = x->count;
        for (int k = 0; k < x->count; k++) {
            f->top_row[k] = x->index[k];
            f->top_value[k] = x->value[x->index[k]];
        }
    }
    solve(f, &f->u_cols, f->pivot, &f->u_order, true, c, expected->second, x);
    update_expected(&expected->second, c);
    return_core(f, x);
}

void lp_factor_ftran_wanted(lp_factor *f, lp_vector *x, lp_expectation *expected,
                            const lp_vector *wanted)
{
    assert(wanted->count >= 0 && wanted != x);
    lp_vector *c = solve_lower(f, x, expected);
    solve(f, &f->u_cols, f->pivot, &f->u_order, true, c, expected->second, NULL);
    update_expected(&expected->second, c);
    for (int k = 0; k < wanted->count; k++)
        f->mark[wanted->index[k]] = 1;
    for (int k = 0; k < x->count; k++)
        if (!f->mark[x->index[k]])
            x->value[x->index[k]] = 0.0;
    for (int k = 0; k < wanted->count; k++) {
        int i = wanted->index[k], number = f->core_of[i];
        double v = number >= 0 ? c->value[number] : solve_u_top(f, i, x->value[i]);
        x->index[k] = i;
        x->value[i] = fabs(v) > LP_VECTOR_TINY ? v : LP_VECTOR_TINY;
        f->mark[i] = 0;
    }
    x->count = wanted->count;
    lp_vector_clear(c);
}

void lp_factor_btran(lp_factor *f, lp_vector *x, lp_expectation *expected, bool keep_row)
{
    lp_vector *c = extract_core(f, x);
    expected = expected ? expected : DENSE(f);
    subtract_tops(f, x, c);
    solve(f, &f->u_rows, f->pivot, &f->u_order, false, c, expected->first, NULL);
    update_expected(&expected->first, c);
    if (keep_row)
        keep_copy(f, &f->row, c);
    apply_row_etas_transposed(f, c);
    solve(f, &f->l_rows, NULL, &f->l_row_order, true, c, expected->second, c);
    update_expected(&expected->second, c);
    return_core(f, x);
}
