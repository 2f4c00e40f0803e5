/* Solutions: the check of offered ones, the incumbent, and its cutoff. */
#include "bnb/incumbent.h"

#include <string.h>

#include "bnb/log.h"
#include "bnb/run.h"
#include "bnb/search.h"
#include "lp/safe.h"

/* True if the computed objective of a solution (the caller's columns) is on a step of the
 * objective, up to BNB_STEP_SHARE. This needs two things: the columns that presolve removed have
 * the values with which the steps were computed, and no large terms cancel. */
static bool is_on_steps(const bnb_search *s, const double *full)
{
    const bnb_instance *in = s->in;
    long double size = 0.0L;
    for (int j = 0; j < in->original_cols; j++) {
        if (in->from_original[j] < 0 && full[j] != in->removed[j])
            return false;
        size += fabsl((long double)s->original->cost[j] * full[j]);
    }
    return size * 0x1p-50L <= BNB_STEP_SHARE * in->step;
}

double bnb_cutoff_for(const bnb_search *s, const double *full, double objective)
{
    const bnb_params *p = &s->params;
    const double best = fmin(objective, p->cutoff);
    if (best == LP_INFINITY)
        return best;
    /* Half the gap, so that pruned nodes leave a bound within the gap. */
    const double tolerance = p->gap_relative * bnb_gap_unit(best, s->least_cost);
    if (objective >= p->cutoff)
        return best - 0.5 * tolerance;
    double cutoff = objective - 0.5 * tolerance;
    if (!s->in || !full)
        return cutoff;
    const double step = s->in->step;
    /* Steps that rounding errors blur by more than the gap are not used. */
    const bool sharp = 2.0 * s->in->step_missed <= 0.5 * tolerance;
    if (step > 1e-6 * fabs(objective) && sharp && is_on_steps(s, full))
        cutoff = fmin(cutoff, objective - step * (1.0 - 1e-6));
    return cutoff;
}

bool bnb_search_set_incumbent(bnb_search *s, const double *full, double objective,
                              const char *source)
{
    if (!(objective < s->best_objective) || objective >= s->params.cutoff)
        return false;
    if (!s->best) {
        s->best = base_malloc((size_t)s->original->cols + 1, sizeof *s->best);
        if (s->guards_itself)
            base_keep(s->best);
    }
    memcpy(s->best, full, (size_t)s->original->cols * sizeof *s->best);
    s->best_objective = objective;
    /* Never raise the cutoff: nodes were pruned at the present one. */
    const double cutoff = fmin(atomic_load(&s->cutoff), bnb_cutoff_for(s, full, objective));
    atomic_store(&s->cutoff, cutoff);
    s->best_proven = cutoff;
    if (cutoff < bnb_cutoff_for(s, NULL, objective)) /* no solution lies between */
        s->best_proven = s->in->step_missed > 0.0
                             ? objective - 2.0 * s->in->step_missed - 0x1p-50 * fabs(objective)
                             : objective;
    bnb_log_line(s, source, true);
    if (s->callbacks->incumbent)
        s->callbacks->incumbent(s->callbacks->user, full, objective, source);
    return true;
}

/* Rounds the integers in place. Returns false if one is too far from an integer or if a bound is
 * violated. */
static bool round_integers(const lp_model *m, double tolerance, double *x)
{
    for (int j = 0; j < m->cols; j++) {
        if (m->integer[j]) {
            const double whole = nearbyint(x[j]);
            if (!(fabs(x[j] - whole) <= tolerance && whole >= m->lower[j] - BNB_INTEGER_SLACK &&
                  whole <= m->upper[j] + BNB_INTEGER_SLACK))
                return false;
            x[j] = whole;
            continue;
        }
        const double slack = 1e-9 * fmax(1.0, fabs(x[j]));
        if (!(x[j] >= m->lower[j] - slack && x[j] <= m->upper[j] + slack))
            return false;
        x[j] = fmin(fmax(x[j], m->lower[j]), m->upper[j]);
    }
    return true;
}

static bool is_solution(const bnb_search *s, const double *x, double *objective)
{
    const bnb_callbacks *cb = s->callbacks;
    *objective = lp_model_objective(s->original, x);
    return cb->accept ? cb->accept(cb->user, x, objective)
                      : lp_largest_miss(s->original, x, s->params.feasibility, NULL) <= 1.0;
}

void bnb_offer_model(bnb_context *c, const double *x, const char *source)
{
    bnb_search *s = c->search;
    double *full = bnb_instance_expand(c->in, x);
    double objective = LP_INFINITY;
    bool improved = round_integers(s->original, 10.0 * BNB_INTEGER_SLACK, full) &&
                    is_solution(s, full, &objective);
    c->offer_was_solution = improved;
    if (improved && s->rounds) {
        improved =
            objective < c->found_objective && bnb_cutoff_for(s, full, objective) < c->domain.cutoff;
        if (improved) {
            memcpy(c->found, full, (size_t)s->original->cols * sizeof *full);
            c->found_objective = objective;
            c->found_source = source;
        }
    } else if (improved) {
        base_lock(&s->lock);
        improved = bnb_search_set_incumbent(s, full, objective, source);
        base_unlock(&s->lock);
    }
    if (improved)
        c->domain.cutoff = fmin(c->domain.cutoff, bnb_cutoff_for(s, full, objective));
    base_free(full);
}

bool bnb_is_refuted(const bnb_context *c)
{
    const lp_model *m = c->search->original;
    bool whole = !c->offer_was_solution && !c->search->params.proof;
    for (int j = 0; whole && j < m->cols; j++)
        whole = m->lower[j] == m->upper[j] || (m->integer[j] && c->in->from_original[j] >= 0);
    return whole;
}

double *bnb_incumbent(const bnb_context *c)
{
    bnb_search *s = c->search;
    const int cols = c->in->model->cols;
    double *x = base_malloc((size_t)cols + 1, sizeof *x);
    base_lock(&s->lock);
    const double *full = s->rounds && c->found_objective < s->best_objective ? c->found : s->best;
    for (int j = 0; full && j < cols; j++)
        x[j] = full[c->in->to_original[j]];
    base_unlock(&s->lock);
    if (full)
        return x;
    base_free(x);
    return NULL;
}
