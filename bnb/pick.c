/* Reduced-cost fixing by duals that were picked for it. A degenerate LP has many optimal duals,
 * and the simplex ends with any of them: most of their reduced costs are zero, though nearly every
 * column at a bound has a positive one in some. Those that are wanted maximise the sum over these
 * columns of min(|d_j|, gap), the gap being what suffices to fix a column. They are the duals of
 * the same LP in which the first `step` that a column moves from its bound is paid with gap:
 *
 *     x_j = l_j + v_j + u_j,  0 <= u_j <= step,  the cost of u_j is c_j - gap
 *
 * (at an upper bound with signs changed): for a small step the bound of these duals in the true LP
 * is the optimum again. Idea: Bajgiran, Cire, Rousseau, A First Look at Picking Dual Variables for
 * Maximizing Reduced Cost Fixing (CPAIOR 2017). */
#include <string.h>

#include "bnb/search.h"

#define STEP 1e-4      /* times the number of columns: what part of the gap the bound may lose */
#define ABOVE_GAP 1.01 /* a little more than the gap is what fixes */
#define AT_BOUND 1e-9  /* distance */

enum { PIVOTS = 2 }; /* iterations allowed per column */

/* The columns u: copies of columns that may yet be fixed. */
typedef struct pieces {
    int count, *start, *row;
    double *value, *cost, *lower, *upper;
} pieces;

static void pieces_free(pieces *p)
{
    base_free(p->start);
    base_free(p->row);
    base_free(p->value);
    base_free(p->cost);
    base_free(p->lower);
    base_free(p->upper);
}

/* 1: the integer column j is at its lower bound, -1: at the upper; 0: neither, or it is fixed. */
static int at_bound(const bnb_context *c, int j)
{
    const double l = c->domain.lower[j], u = c->domain.upper[j];
    if (!c->in->model->integer[j] || l == u)
        return 0;
    return c->x[j] <= l + AT_BOUND ? 1 : c->x[j] >= u - AT_BOUND ? -1 : 0;
}

static pieces make_pieces(const bnb_context *c, double gap)
{
    const lp_model *m = c->lp.mirror;
    const size_t cols = (size_t)m->cols + 1;
    const size_t entries = (size_t)m->start[m->cols] + 1;
    pieces p = {.start = base_calloc(cols, sizeof(int)),
                .row = base_malloc(entries, sizeof(int)),
                .value = base_malloc(entries, sizeof(double)),
                .cost = base_malloc(cols, sizeof(double)),
                .lower = base_calloc(cols, sizeof(double)),
                .upper = base_malloc(cols, sizeof(double))};
    int used = 0;
    for (int j = 0; j < m->cols; j++) {
        const int sign = at_bound(c, j);
        if (sign == 0)
            continue;
        p.cost[p.count] = sign * m->cost[j] - ABOVE_GAP * gap;
        p.upper[p.count] = STEP;
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            p.row[used] = m->index[k];
            p.value[used++] = sign * m->value[k];
        }
        p.start[++p.count] = used;
    }
    return p;
}

/* The LP with the pieces, which begin at the end that their costs ask for. */
static lp_status solve_with_pieces(lp_solver *lp, const pieces *p)
{
    const int cols = lp_cols(lp), rows = lp_rows(lp);
    unsigned char *status = base_malloc((size_t)(cols + p->count + rows) + 1, sizeof *status);
    lp_get_basis(lp, status);
    memmove(status + cols + p->count, status + cols, (size_t)rows);
    memset(status + cols, LP_AT_UPPER, (size_t)p->count);
    lp_add_cols(lp, p->count, p->cost, p->lower, p->upper, p->start, p->row, p->value);
    lp_set_basis(lp, status);
    base_free(status);
    lp_solver_params(lp)->cutoff = LP_INFINITY;
    lp_solver_params(lp)->iteration_limit = PIVOTS * (long)p->count;
    return lp_solve(lp);
}

/* Fixes by the duals of lp, whose rows are those of the context's LP; c->y, c->d and their bound
 * are as before afterwards. */
static bool fix_by_duals_of(bnb_context *c, const lp_solver *lp)
{
    const size_t cols = (size_t)c->in->model->cols;
    double *y = bnb_duals_save(c), *d = base_malloc(cols + 1, sizeof *d);
    const double bound = c->dual_bound;
    const int mark = bnb_domain_mark(&c->domain);
    memcpy(d, c->d, cols * sizeof *d);
    memcpy(c->y, lp_dual(lp), (size_t)lp_rows(lp) * sizeof *c->y);
    c->dual_bound = lp_safe_bound(c->lp.mirror, c->domain.lower, c->domain.upper, c->y, c->d);
    const bool changed = bnb_fix_by_reduced_cost(c);
    bnb_proof_deduce(c, mark);
    bnb_duals_restore(c, y, lp_rows(lp));
    memcpy(c->d, d, cols * sizeof *d);
    c->dual_bound = bound;
    base_free(d);
    return changed;
}

bool bnb_fix_by_picked_duals(bnb_context *c)
{
    const double gap = c->cutoff - c->dual_bound;
    const int least = c->search->params.picked_duals;
    if (least == 0 || !(gap < LP_INFINITY) || gap <= 0.0)
        return false;
    bool changed = false;
    pieces p = make_pieces(c, gap);
    if (p.count >= least) {
        lp_solver *lp = lp_solver_copy(c->lp.solver);
        const long before = lp_iterations(lp);
        const lp_status status = solve_with_pieces(lp, &p);
        atomic_fetch_add(&c->search->iterations, lp_iterations(lp) - before);
        if (status == LP_OPTIMAL || status == LP_ITERATION_LIMIT)
            changed = fix_by_duals_of(c, lp);
        lp_solver_free(lp);
    }
    pieces_free(&p);
    return changed;
}
