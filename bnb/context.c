/* The context of a thread, and the functions that callbacks may call on it. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bnb/search.h"
#include "bnb/sum.h"

bnb_context *bnb_context_create(bnb_search *s, int thread, const bnb_context *like)
{
    const lp_model *m = s->in->model;
    const size_t cols = (size_t)m->cols + 1, full = (size_t)s->original->cols + 1;
    bnb_context *c = base_calloc(1, sizeof *c);
    c->search = s;
    c->in = s->in;
    c->thread = thread;
    c->cutoff = atomic_load(&s->cutoff);
    c->global_lower = base_malloc(cols, sizeof *c->global_lower);
    c->global_upper = base_malloc(cols, sizeof *c->global_upper);
    memcpy(c->global_lower, like ? like->global_lower : m->lower, (cols - 1) * sizeof(double));
    memcpy(c->global_upper, like ? like->global_upper : m->upper, (cols - 1) * sizeof(double));
    bnb_domain_init(&c->domain, s->in, c->cutoff);
    c->domain.integers_only = s->params.proof != NULL;
    bnb_relaxation_init(&c->lp, s, like);
    bnb_pseudo_init(&c->pseudo, m->cols);
    bnb_separation_init(&c->separation, s->in, &s->params.tuning);
    c->x = base_calloc(cols, sizeof *c->x);
    c->d = base_calloc(cols, sizeof *c->d);
    c->view_x = base_calloc(full, sizeof *c->view_x);
    c->view_d = base_calloc(full, sizeof *c->view_d);
    c->found = base_malloc(full, sizeof *c->found);
    c->found_objective = LP_INFINITY;
    c->globally_fixed_at = LP_INFINITY;
    if (like) {
        for (int k = 0; k < like->pool.count; k++)
            bnb_pool_add(&c->pool, like->pool.cut[k]);
        for (int i = 0; i < 2; i++) {
            memcpy(c->pseudo.sum[i], like->pseudo.sum[i], (cols - 1) * sizeof(double));
            memcpy(c->pseudo.count[i], like->pseudo.count[i], (cols - 1) * sizeof(double));
            c->pseudo.total[i] = like->pseudo.total[i];
            c->pseudo.totals[i] = like->pseudo.totals[i];
        }
        for (int j = 0; j < m->cols; j++) /* the copied LP has like's bounds */
            lp_set_bounds(c->lp.solver, j, m->lower[j], m->upper[j]);
        c->rins_node = like->rins_node;
        if (like->interior) {
            const size_t rows = (size_t)like->lp.model_rows;
            c->interior = base_malloc(rows + 1, sizeof *c->interior);
            memcpy(c->interior, like->interior, rows * sizeof *c->interior);
        }
        c->interior_known = like->interior_known;
    }
    return c;
}

void bnb_context_free(bnb_context *c)
{
    if (!c)
        return;
    bnb_domain_clear(&c->domain);
    bnb_relaxation_clear(&c->lp);
    bnb_pseudo_clear(&c->pseudo);
    bnb_pool_clear(&c->pool);
    bnb_separation_clear(&c->separation);
    for (int k = 0; k < c->outbox.count; k++)
        bnb_poolcut_release(c->outbox.item[k].cut);
    base_free(c->outbox.item);
    base_free(c->global_lower);
    base_free(c->global_upper);
    base_free(c->x);
    base_free(c->d);
    base_free(c->y);
    base_free(c->view_x);
    base_free(c->view_d);
    base_free(c->found);
    base_free(c->interior);
    base_free(c);
}

bool bnb_context_load(bnb_context *c, bnb_node *n)
{
    const int cols = c->in->model->cols;
    double *lower = base_malloc((size_t)cols + 1, sizeof *lower);
    double *upper = base_malloc((size_t)cols + 1, sizeof *upper);
    memcpy(lower, c->global_lower, (size_t)cols * sizeof *lower);
    memcpy(upper, c->global_upper, (size_t)cols * sizeof *upper);
    const bool possible = bnb_node_apply(n, lower, upper);
    c->node = n;
    c->bound = n->bound;
    c->dual_bound = -LP_INFINITY;
    c->cut_round = 0;
    c->reductions = 0;
    c->domain.cutoff = c->cutoff;
    bnb_domain_load(&c->domain, lower, upper);
    base_free(lower);
    base_free(upper);
    return possible;
}

void bnb_global_tighten(bnb_context *c, int col, bool upper, double value)
{
    double *bound = upper ? &c->global_upper[col] : &c->global_lower[col];
    if (upper ? value >= *bound : value <= *bound)
        return;
    if (c->in->debug && c->in->debug_objective < c->cutoff &&
        (upper ? c->in->debug[col] > value : c->in->debug[col] < value)) {
        fprintf(stderr, "bnb: column %d: global %s bound %.17g loses the debug solution's %.17g\n",
                col, upper ? "upper" : "lower", value, c->in->debug[col]);
        abort();
    }
    *bound = value;
    const bnb_message m = {BNB_MESSAGE_BOUND, c->thread, col, upper, value, NULL};
    bnb_post(c, &m);
}

/* ---- solutions ---------------------------------------------------------- */

/* Whether the objective of a solution (the caller's columns), computed, is one of the objective's
 * steps but for BNB_STEP_SHARE: the columns that presolve removed have the values with which the
 * steps were counted, and no large terms cancel. */
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
    /* Half the gap: what is pruned must leave a bound within it. */
    const double tolerance = fmax(p->gap_absolute, p->gap_relative * fabs(best));
    if (objective >= p->cutoff)
        return best - 0.5 * tolerance;
    double cutoff = objective - 0.5 * tolerance;
    if (!s->in || !full)
        return cutoff;
    const double step = s->in->step;
    if (step > 1e-6 * fmax(1.0, fabs(objective)) && is_on_steps(s, full))
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
        s->first_incumbent_seconds = base_seconds() - s->start_seconds;
    }
    memcpy(s->best, full, (size_t)s->original->cols * sizeof *s->best);
    s->best_objective = objective;
    s->best_version++;
    const double cutoff = bnb_cutoff_for(s, full, objective);
    atomic_store(&s->cutoff, cutoff);
    s->best_settled = cutoff;
    if (cutoff < bnb_cutoff_for(s, NULL, objective)) /* no step lies between */
        s->best_settled = s->in->step_missed > 0.0
                              ? objective - 2.0 * s->in->step_missed - 0x1p-50 * fabs(objective)
                              : objective;
    bnb_log_line(s, source, true);
    if (s->callbacks->incumbent)
        s->callbacks->incumbent(s->callbacks->user, full, objective, source);
    return true;
}

/* Rounds the integers in place; false when one is too far from an integer or a bound is
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

static bool judge(bnb_search *s, const double *x, double *objective)
{
    const bnb_callbacks *cb = s->callbacks;
    *objective = lp_model_objective(s->original, x);
    if (!cb->accept)
        return bnb_model_satisfied(s->original, x, s->params.feasibility);
    if (cb->accept(cb->user, x, objective))
        return true;
    atomic_fetch_add(&s->rejected, 1);
    return false;
}

bool bnb_offer(bnb_context *c, const double *x, const char *source)
{
    bnb_search *s = c->search;
    const size_t bytes = (size_t)s->original->cols * sizeof(double);
    double *full = base_malloc((size_t)s->original->cols + 1, sizeof *full);
    memcpy(full, x, bytes);
    double objective = LP_INFINITY;
    bool improved = round_integers(s->original, 10.0 * s->params.integrality, full) &&
                    judge(s, full, &objective);
    c->offer_was_solution = improved;
    if (improved && !s->callbacks->accept && objective < bnb_incumbent_objective(c))
        bnb_complete_exactly(c, full, &objective);
    if (improved && s->rounds) {
        improved = objective < c->found_objective && bnb_cutoff_for(s, full, objective) < c->cutoff;
        if (improved) {
            memcpy(c->found, full, bytes);
            c->found_objective = objective;
            c->found_source = source;
        }
    } else if (improved) {
        base_lock(&s->lock);
        improved = bnb_search_set_incumbent(s, full, objective, source);
        base_unlock(&s->lock);
    }
    if (improved) {
        c->cutoff = fmin(c->cutoff, bnb_cutoff_for(s, full, objective));
        c->domain.cutoff = c->cutoff;
    }
    base_free(full);
    return improved;
}

bool bnb_offer_model(bnb_context *c, const double *x, const char *source)
{
    double *full = base_malloc((size_t)c->in->original_cols + 1, sizeof *full);
    bnb_instance_expand(c->in, x, full);
    const bool improved = bnb_offer(c, full, source);
    base_free(full);
    return improved;
}

/* ---- what callbacks may ask --------------------------------------------- */

double bnb_incumbent_objective(const bnb_context *c)
{
    bnb_search *s = c->search;
    if (s->rounds)
        return fmin(c->found_objective, s->best_objective);
    base_lock(&s->lock);
    const double objective = s->best_objective;
    base_unlock(&s->lock);
    return objective;
}

bool bnb_incumbent(const bnb_context *c, double *x)
{
    bnb_search *s = c->search;
    const size_t bytes = (size_t)s->original->cols * sizeof *x;
    if (s->rounds && c->found_objective < s->best_objective) {
        memcpy(x, c->found, bytes);
        return true;
    }
    base_lock(&s->lock);
    const bool any = s->best != NULL;
    if (any)
        memcpy(x, s->best, bytes);
    base_unlock(&s->lock);
    return any;
}

int bnb_thread(const bnb_context *c)
{
    return c->thread;
}

void bnb_add_cut(bnb_context *c, const bnb_cut *cut)
{
    const bnb_instance *in = c->in;
    if (!c->separating)
        return;
    int *col = base_malloc((size_t)cut->count + 1, sizeof *col);
    double *value = base_malloc((size_t)cut->count + 1, sizeof *value);
    bnb_sum moved = {0.0L, 0.0L};
    int count = 0;
    for (int k = 0; k < cut->count; k++) {
        const int full = cut->col[k], j = in->from_original[full];
        assert(full >= 0 && full < in->original_cols);
        if (cut->value[k] == 0.0)
            continue;
        if (j >= 0) {
            col[count] = j;
            value[count++] = cut->value[k];
        } else {
            bnb_sum_add_product(&moved, cut->value[k], in->removed[full]);
        }
    }
    const double lower = bnb_lower_less(cut->lower, &moved);
    const double upper = bnb_upper_less(cut->upper, &moved);
    if (bnb_poolcut_says_something(count, lower, upper)) {
        bnb_poolcut *pool = bnb_poolcut_create(in->model, count, col, value, lower, upper, "user");
        pool->tag = cut->tag;
        bnb_separation_store(&c->separation, pool);
    }
    base_free(col);
    base_free(value);
}
