/* Builds an LP with one more column for each column at a bound, its first small step. Solves it
 * on a copy of the solver from the present basis. */
#include "lp/pick.h"

#include <string.h>

#include "lp/simplex/engine.h"

#define PIVOTS 2 /* iterations per column with a side */
#define STEP 1e-4

/* The columns u of lp/pick.h. */
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

static pieces make_pieces(const lp_model *m, const signed char *side, double enough)
{
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
        if (side[j] == 0)
            continue;
        p.cost[p.count] = side[j] * m->cost[j] - enough;
        p.upper[p.count] = STEP;
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            p.row[used] = m->index[k];
            p.value[used++] = side[j] * m->value[k];
        }
        p.start[++p.count] = used;
    }
    return p;
}

/* Solves the LP with the pieces, nonbasic at their upper bounds at first. */
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

bool lp_pick_duals(const lp_solver *lp, const signed char *side, double enough, double *y,
                   long *iterations)
{
    pieces p = make_pieces(lp->model, side, enough);
    lp_solver *copy = lp_solver_copy(lp);
    const long before = lp_iterations(copy);
    const lp_status status = solve_with_pieces(copy, &p);
    const bool good = status == LP_OPTIMAL || status == LP_ITERATION_LIMIT;
    *iterations += lp_iterations(copy) - before;
    if (good)
        memcpy(y, lp_dual(copy), (size_t)lp_rows(copy) * sizeof *y);
    lp_solver_free(copy);
    pieces_free(&p);
    return good;
}
