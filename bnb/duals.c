/* The multipliers of a node's LP: storing, evaluating and restoring them. */
#include "bnb/duals.h"

#include <string.h>

#include "bnb/search.h"
#include "lp/safe.h"

static void reserve_duals(bnb_context *c, int rows)
{
    if (rows <= c->y_capacity)
        return;
    const int old = c->y_capacity;
    c->y_capacity = 2 * rows;
    c->y = base_realloc(c->y, (size_t)c->y_capacity, sizeof *c->y);
    memset(c->y + old, 0, (size_t)(c->y_capacity - old) * sizeof *c->y);
}

double *bnb_duals_save(bnb_context *c)
{
    const int rows = lp_rows(c->lp.solver);
    double *y = base_malloc((size_t)rows + 1, sizeof *y);
    reserve_duals(c, rows + 1);
    memcpy(y, c->y, (size_t)rows * sizeof *y);
    return y;
}

void bnb_duals_restore(bnb_context *c, double *y, int rows)
{
    const int now = lp_rows(c->lp.solver);
    reserve_duals(c, now + 1);
    c->y_is_farkas = false;
    memset(c->y, 0, (size_t)now * sizeof *c->y);
    memcpy(c->y, y, (size_t)(rows < now ? rows : now) * sizeof *c->y);
    base_free(y);
}

static void copy_duals(bnb_context *c, const double *y)
{
    const int rows = c->lp.model_rows + c->lp.cuts;
    reserve_duals(c, rows + 1);
    if (rows > 0)
        memcpy(c->y, y, (size_t)rows * sizeof *c->y);
}

void bnb_keep_farkas(bnb_context *c, const double *y)
{
    copy_duals(c, y);
    c->y_is_farkas = true;
}

double bnb_store_duals(bnb_context *c, const double *y)
{
    copy_duals(c, y);
    c->y_is_farkas = false;
    c->dual_bound = lp_safe_bound_mend(lp_solver_model(c->lp.solver), c->domain.lower,
                                       c->domain.upper, c->y, c->d);
    return c->dual_bound;
}

void bnb_store_zero_duals(bnb_context *c)
{
    double *zeros = base_calloc((size_t)lp_solver_model(c->lp.solver)->rows + 1, sizeof *zeros);
    bnb_store_duals(c, zeros);
    base_free(zeros);
}

bool bnb_bound_prunes(const bnb_context *c)
{
    return (c->search->params.proof ? c->dual_bound : c->bound) >= c->cutoff;
}
