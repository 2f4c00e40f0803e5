/* The multipliers of a node's LP: storing and evaluating them. The state that trials restore. */
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
    const int rows = lp_solver_model(c->lp.solver)->rows;
    reserve_duals(c, rows + 1);
    return base_copy(c->y, (size_t)rows, sizeof *c->y);
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
    return (c->search->params.proof ? c->dual_bound : c->bound) >= c->domain.cutoff;
}

/* ---- trials --------------------------------------------------------------- */

bnb_saved bnb_save(bnb_context *c)
{
    const size_t cols = (size_t)c->in->model->cols,
                 rows = (size_t)lp_solver_model(c->lp.solver)->rows;
    bnb_saved s = {.bound = c->bound,
                   .dual_bound = c->dual_bound,
                   .objective = c->objective,
                   .rows = (int)rows};
    s.basis = base_malloc(cols + rows + 1, sizeof *s.basis);
    s.x = base_copy(c->x, cols, sizeof *s.x);
    s.d = base_copy(c->d, cols, sizeof *s.d);
    s.y = bnb_duals_save(c);
    lp_get_basis(c->lp.solver, s.basis);
    return s;
}

void bnb_restore_basis(bnb_context *c, const bnb_saved *s)
{
    const lp_model *m = lp_solver_model(c->lp.solver);
    unsigned char *basis = base_malloc((size_t)(m->cols + m->rows) + 1, sizeof *basis);
    bnb_relaxation_sync(c);
    memcpy(basis, s->basis, (size_t)m->cols + (size_t)s->rows);
    memset(basis + m->cols + s->rows, LP_BASIC, (size_t)(m->rows - s->rows));
    lp_set_basis(c->lp.solver, basis);
    base_free(basis);
}

void bnb_restore(bnb_context *c, bnb_saved *s)
{
    const size_t cols = (size_t)c->in->model->cols;
    const int rows = lp_solver_model(c->lp.solver)->rows;
    memcpy(c->x, s->x, cols * sizeof *s->x);
    memcpy(c->d, s->d, cols * sizeof *s->d);
    reserve_duals(c, rows + 1);
    c->y_is_farkas = false;
    memset(c->y, 0, (size_t)rows * sizeof *c->y); /* of rows added since then */
    memcpy(c->y, s->y, (size_t)(s->rows < rows ? s->rows : rows) * sizeof *c->y);
    c->bound = s->bound;
    c->dual_bound = s->dual_bound;
    c->objective = s->objective;
    base_free_all(s->basis, s->x, s->d, s->y);
}
