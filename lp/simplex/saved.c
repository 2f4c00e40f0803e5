/* The state at a basis to which lp_set_basis returns repeatedly, as in strong branching. Factors,
 * iterate and weights are copied back instead of computed. */
#include <assert.h>
#include <string.h>

#include "lp/simplex/saved.h"

struct lp_saved {
    int rows, vars;
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
    base_free(k->head);
    base_free(k->status);
    base_free(k->value);
    base_free(k->d);
    base_free(k->xb);
    base_free(k->weight);
    base_free(k);
}

static lp_saved *create_saved(const lp_solver *s)
{
    size_t rows = (size_t)s->rows + 1, vars = (size_t)s->vars + 1;
    lp_saved *k = base_calloc(1, sizeof *k);
    k->rows = s->rows;
    k->vars = s->vars;
    k->factor = lp_factor_create(s->rows);
    k->head = base_malloc(rows, sizeof *k->head);
    k->status = base_malloc(vars, sizeof *k->status);
    k->value = base_malloc(vars, sizeof *k->value);
    k->d = base_malloc(vars, sizeof *k->d);
    k->xb = base_malloc(rows, sizeof *k->xb);
    k->weight = base_malloc(rows, sizeof *k->weight);
    return k;
}

void lp_saved_store(lp_solver *s)
{
    assert(s->has_factor && s->has_primal && s->has_dual && !s->perturbed);
    if (!s->saved)
        s->saved = create_saved(s);
    lp_saved *k = s->saved;
    assert(k->rows == s->rows && k->vars == s->vars);
    size_t rows = (size_t)s->rows, vars = (size_t)s->vars;
    lp_factor_copy(k->factor, s->factor);
    memcpy(k->head, s->head, rows * sizeof *k->head);
    memcpy(k->status, s->status, vars * sizeof *k->status);
    memcpy(k->value, s->value, vars * sizeof *k->value);
    memcpy(k->d, s->d, vars * sizeof *k->d);
    memcpy(k->xb, s->xb, rows * sizeof *k->xb);
    memcpy(k->weight, s->weight, rows * sizeof *k->weight);
    k->dual_objective = s->dual_objective;
    k->drift = s->drift;
    k->rounding = s->rounding;
    k->since_recompute = s->since_recompute;
    s->save_wanted = false;
}

bool lp_saved_matches(const lp_solver *s, const unsigned char *status)
{
    const lp_saved *k = s->saved;
    if (!k)
        return false;
    for (int j = 0; j < s->vars; j++)
        if ((status[j] == LP_BASIC) != (k->status[j] == LP_BASIC))
            return false;
    return true;
}

void lp_saved_restore(lp_solver *s)
{
    const lp_saved *k = s->saved;
    size_t rows = (size_t)s->rows, vars = (size_t)s->vars;
    for (int p = 0; p < s->rows; p++)
        s->place[s->head[p]] = -1;
    const double done = lp_factor_work(s->factor);
    lp_factor_copy(s->factor, k->factor);
    s->work += done - lp_factor_work(s->factor); /* work since the copy still counts */
    memcpy(s->head, k->head, rows * sizeof *k->head);
    memcpy(s->status, k->status, vars * sizeof *k->status);
    memcpy(s->value, k->value, vars * sizeof *k->value);
    memcpy(s->d, k->d, vars * sizeof *k->d);
    memcpy(s->xb, k->xb, rows * sizeof *k->xb);
    memcpy(s->weight, k->weight, rows * sizeof *k->weight);
    for (int p = 0; p < s->rows; p++)
        s->place[s->head[p]] = p;
    if (s->perturbed)
        memcpy(s->work_cost, s->cost, vars * sizeof *s->cost);
    s->perturbed = false;
    s->dual_objective = k->dual_objective;
    s->drift = k->drift;
    s->rounding = k->rounding;
    s->since_recompute = k->since_recompute;
    lp_vector_clear(&s->shift);
    s->has_factor = s->has_primal = s->has_dual = true;
    s->bounds_stale = true;
    s->save_wanted = false;
}
