/* Builds an LP with one more column for each column at a bound, its first small step. Solves it
 * from the present basis. */
#include "lp/pick.h"

#include <string.h>

#include "lp/simplex/engine.h"

#define PIVOTS 2 /* iterations per column with a side */
#define STEP 1e-4

/* Returns the model of lp with the columns u of lp/pick.h at its end. */
static lp_model *with_pieces(const lp_model *m, const signed char *side, double enough)
{
    lp_model *more = lp_model_copy(m);
    double *value = base_malloc((size_t)m->rows + 1, sizeof *value);
    for (int j = 0; j < m->cols; j++) {
        const int first = m->start[j], count = m->start[j + 1] - first;
        for (int k = 0; k < count; k++)
            value[k] = side[j] * m->value[first + k];
        if (side[j] != 0)
            lp_model_add_col(more, side[j] * m->cost[j] - enough, 0.0, STEP, false, count,
                             m->index + first, value, NULL);
    }
    base_free(value);
    return more;
}

/* Sets the basis of lp, the pieces nonbasic at their upper bounds. */
static void start_from(lp_solver *s, const lp_solver *lp)
{
    const size_t cols = (size_t)lp->cols, rows = (size_t)lp->rows;
    const size_t pieces = (size_t)s->cols - cols;
    unsigned char *status = base_malloc(cols + pieces + rows + 1, sizeof *status);
    lp_get_basis(lp, status);
    memmove(status + cols + pieces, status + cols, rows);
    memset(status + cols, LP_AT_UPPER, pieces);
    lp_set_basis(s, status);
    base_free(status);
}

bool lp_pick_duals(const lp_solver *lp, const signed char *side, double enough, double *y,
                   long *iterations)
{
    lp_model *more = with_pieces(lp->model, side, enough);
    lp_params params = lp->params;
    params.cutoff = LP_INFINITY;
    params.iteration_limit = PIVOTS * (long)(more->cols - lp->cols);
    lp_solver *s = lp_solver_create(more, &params);
    lp_model_free(more);
    start_from(s, lp);
    const lp_status status = lp_solve(s);
    const bool good = status == LP_OPTIMAL || status == LP_ITERATION_LIMIT;
    *iterations += lp_iterations(s);
    if (good)
        memcpy(y, lp_dual(s), (size_t)lp->rows * sizeof *y);
    lp_solver_free(s);
    return good;
}
