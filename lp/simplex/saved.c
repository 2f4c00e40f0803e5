/* The state at a basis to which lp_set_basis returns repeatedly, as in strong branching. Factors,
 * iterate and weights are copied back instead of computed. */
#include <assert.h>
#include <string.h>

#include "lp/simplex/engine.h"

/* The arrays of the solver that belong to the state, and their extents. */
#define ARRAYS(X)                                                                                  \
    X(head, rows) X(xb, rows) X(weight, rows) X(status, vars) X(value, vars) X(d, vars)

struct lp_saved {
    lp_factor *factor;
    int *head;
    unsigned char *status;
    double *value, *d, *xb, *weight;
    double dual_objective, drift, rounding;
    long since_recompute;
};

void lp_saved_free(lp_solver *s)
{
    lp_saved *k = s->saved;
    s->saved = NULL;
    s->save_wanted = false;
    if (!k)
        return;
    lp_factor_free(k->factor);
#define FREE(a, extent) base_free(k->a);
    ARRAYS(FREE)
    base_free(k);
}

static lp_saved *create_saved(const lp_solver *s)
{
    lp_saved *k = base_calloc(1, sizeof *k);
    k->factor = lp_factor_create(s->rows);
#define NEW(a, extent) k->a = base_malloc((size_t)s->extent + 1, sizeof *k->a);
    ARRAYS(NEW)
    return k;
}

void lp_saved_store(lp_solver *s)
{
    assert(s->has_factor && s->has_primal && s->has_dual && !s->perturbed);
    if (!s->saved)
        s->saved = create_saved(s);
    lp_saved *k = s->saved;
    lp_factor_copy(k->factor, s->factor);
#define SAVE(a, extent) memcpy(k->a, s->a, (size_t)s->extent * sizeof *k->a);
    ARRAYS(SAVE)
    k->dual_objective = s->dual_objective;
    k->drift = s->drift;
    k->rounding = s->rounding;
    k->since_recompute = s->since_recompute;
    s->save_wanted = false;
}

bool lp_saved_restore(lp_solver *s, const unsigned char *status)
{
    const lp_saved *k = s->saved;
    if (!k || !lp_engine_is_same_basis(s, status, k->status))
        return false;
    for (int p = 0; p < s->rows; p++)
        s->place[s->head[p]] = -1;
    const double done = lp_factor_work(s->factor);
    lp_factor_copy(s->factor, k->factor);
    s->work += done - lp_factor_work(s->factor); /* work since the copy still counts */
#define RESTORE(a, extent) memcpy(s->a, k->a, (size_t)s->extent * sizeof *k->a);
    ARRAYS(RESTORE)
    for (int p = 0; p < s->rows; p++)
        s->place[s->head[p]] = p;
    if (s->perturbed)
        memcpy(s->work_cost, s->cost, (size_t)s->vars * sizeof *s->cost);
    s->perturbed = false;
    s->dual_objective = k->dual_objective;
    s->drift = k->drift;
    s->rounding = k->rounding;
    s->since_recompute = k->since_recompute;
    lp_vector_clear(&s->shift);
    s->has_factor = s->has_primal = s->has_dual = true;
    s->bounds_stale = true;
    s->save_wanted = false;
    return true;
}
