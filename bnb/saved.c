/* Saves and restores the LP state of a node around a trial. */
#include "bnb/saved.h"

#include <string.h>

#include "bnb/duals.h"
#include "bnb/search.h"

bnb_saved bnb_save(bnb_context *c)
{
    const size_t cols = (size_t)c->in->model->cols, rows = (size_t)lp_rows(c->lp.solver);
    bnb_saved s = {.bound = c->bound,
                   .dual_bound = c->dual_bound,
                   .objective = c->objective,
                   .rows = (int)rows};
    s.basis = base_malloc(cols + rows + 1, sizeof *s.basis);
    s.x = base_malloc(cols + 1, sizeof *s.x);
    s.d = base_malloc(cols + 1, sizeof *s.d);
    s.y = bnb_duals_save(c);
    lp_get_basis(c->lp.solver, s.basis);
    memcpy(s.x, c->x, cols * sizeof *s.x);
    memcpy(s.d, c->d, cols * sizeof *s.d);
    return s;
}

void bnb_restore_basis(bnb_context *c, const bnb_saved *s)
{
    bnb_relaxation_sync(c);
    bnb_relaxation_set_basis(c, s->basis, c->in->model->cols + s->rows);
}

void bnb_restore(bnb_context *c, bnb_saved *s)
{
    const size_t cols = (size_t)c->in->model->cols;
    memcpy(c->x, s->x, cols * sizeof *s->x);
    memcpy(c->d, s->d, cols * sizeof *s->d);
    bnb_duals_restore(c, s->y, s->rows);
    c->bound = s->bound;
    c->dual_bound = s->dual_bound;
    c->objective = s->objective;
    base_free_all(s->basis, s->x, s->d);
}
