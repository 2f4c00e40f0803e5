/* The LP of a thread: model rows, then cut rows, and a mirror of both on which bounds are
 * recomputed safely, whatever the simplex claims. */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "bnb/search.h"

void bnb_relaxation_init(bnb_relaxation *r, const bnb_search *s, const bnb_context *like)
{
    const lp_model *m = s->in->model;
    *r = (bnb_relaxation){.model_rows = s->in->core_rows};
    if (!like) {
        lp_params p = lp_params_default();
        p.limits = s->params.limits;
        p.seed = s->params.seed;
        p.tuning = s->params.lp;
        r->mirror = lp_model_copy(m);
        if (r->model_rows < m->rows) {
            bool *drop = base_calloc((size_t)m->rows, sizeof *drop);
            memset(drop + r->model_rows, true, (size_t)(m->rows - r->model_rows));
            lp_model_delete_rows(r->mirror, drop);
            base_free(drop);
        }
        r->solver = lp_solver_create(r->mirror, &p);
        return;
    }
    r->solver = lp_solver_copy(like->lp.solver);
    r->mirror = lp_model_copy(like->lp.mirror);
    r->cuts = r->capacity = like->lp.cuts;
    r->cut = base_malloc((size_t)r->cuts + 1, sizeof(bnb_poolcut *));
    r->age = base_malloc((size_t)r->cuts + 1, sizeof *r->age);
    for (int k = 0; k < r->cuts; k++) {
        r->cut[k] = like->lp.cut[k];
        r->age[k] = like->lp.age[k];
        bnb_poolcut_hold(r->cut[k]);
    }
}

void bnb_relaxation_clear(bnb_relaxation *r)
{
    for (int k = 0; k < r->cuts; k++)
        bnb_poolcut_release(r->cut[k]);
    base_free(r->cut);
    base_free(r->age);
    lp_solver_free(r->solver);
    lp_model_free(r->mirror);
    *r = (bnb_relaxation){0};
}

/* ---- cut rows ----------------------------------------------------------- */

void bnb_relaxation_add_cuts(bnb_relaxation *r, bnb_poolcut *const *cut, int count)
{
    if (count == 0)
        return;
    int entries = 0;
    for (int k = 0; k < count; k++)
        entries += cut[k]->count;
    int *start = base_malloc((size_t)count + 1, sizeof *start);
    int *col = base_malloc((size_t)entries + 1, sizeof *col);
    double *value = base_malloc((size_t)entries + 1, sizeof *value);
    double *lower = base_malloc((size_t)count, sizeof *lower);
    double *upper = base_malloc((size_t)count, sizeof *upper);
    if (r->cuts + count > r->capacity) {
        r->capacity = 2 * (r->cuts + count);
        r->cut = base_realloc(r->cut, (size_t)r->capacity, sizeof(bnb_poolcut *));
        r->age = base_realloc(r->age, (size_t)r->capacity, sizeof *r->age);
    }
    start[0] = 0;
    for (int k = 0; k < count; k++) {
        const bnb_poolcut *c = cut[k];
        start[k + 1] = start[k] + c->count;
        memcpy(col + start[k], c->col, (size_t)c->count * sizeof *col);
        memcpy(value + start[k], c->value, (size_t)c->count * sizeof *value);
        lower[k] = c->lower;
        upper[k] = c->upper;
        bnb_poolcut_hold(cut[k]);
        r->age[r->cuts] = 0;
        r->cut[r->cuts++] = cut[k];
    }
    lp_add_rows(r->solver, count, lower, upper, start, col, value);
    lp_model_add_rows(r->mirror, count, lower, upper, start, col, value, NULL);
    base_free(start);
    base_free(col);
    base_free(value);
    base_free(lower);
    base_free(upper);
}

void bnb_relaxation_drop_cuts(bnb_relaxation *r, const bool *drop)
{
    bool *row = base_calloc((size_t)(r->model_rows + r->cuts) + 1, sizeof *row);
    int kept = 0, dropped = 0;
    for (int k = 0; k < r->cuts; k++) {
        if (drop[k]) {
            row[r->model_rows + k] = true;
            bnb_poolcut_release(r->cut[k]);
            dropped++;
            continue;
        }
        r->cut[kept] = r->cut[k];
        r->age[kept++] = r->age[k];
    }
    r->cuts = kept;
    if (dropped > 0) {
        lp_delete_rows(r->solver, row);
        lp_model_delete_rows(r->mirror, row);
    }
    base_free(row);
}

void bnb_relaxation_age(bnb_context *c, int limit)
{
    bnb_relaxation *r = &c->lp;
    if (r->cuts == 0)
        return;
    const double *activity = lp_activity(r->solver);
    const double *y = lp_dual(r->solver);
    bool *drop = base_calloc((size_t)r->cuts, sizeof *drop);
    bool any = false;
    for (int k = 0; k < r->cuts; k++) {
        const bnb_poolcut *cut = r->cut[k];
        const double a = activity[r->model_rows + k];
        const double slack = fmin(a - cut->lower, cut->upper - a) / fmax(cut->norm, 1e-12);
        r->age[k] = y[r->model_rows + k] != 0.0 || slack < 1e-7 ? 0 : r->age[k] + 1;
        drop[k] = r->age[k] > limit;
        any = any || drop[k];
    }
    if (any)
        bnb_relaxation_drop_cuts(r, drop);
    base_free(drop);
}

/* ---- states ------------------------------------------------------------- */

bnb_lpstate *bnb_relaxation_state(const bnb_context *c)
{
    const bnb_relaxation *r = &c->lp;
    const int variables = lp_cols(r->solver) + lp_rows(r->solver);
    unsigned char *status = base_malloc((size_t)variables + 1, sizeof *status);
    lp_get_basis(r->solver, status);
    bnb_lpstate *s = bnb_lpstate_create(status, variables, r->cuts, r->cut);
    base_free(status);
    return s;
}

static int cut_position(bnb_poolcut *const *cut, int count, const bnb_poolcut *wanted, int guess)
{
    if (guess < count && cut[guess] == wanted)
        return guess;
    for (int k = 0; k < count; k++)
        if (cut[k] == wanted)
            return k;
    return -1;
}

bool bnb_relaxation_has(const bnb_relaxation *r, const bnb_poolcut *cut)
{
    return cut_position(r->cut, r->cuts, cut, 0) >= 0;
}

/* Makes the LP's cut rows those of the state (in any order). */
static void exchange_cuts(bnb_relaxation *r, const bnb_lpstate *state)
{
    const int cuts = state ? state->cuts : 0;
    bool *drop = base_calloc((size_t)r->cuts + 1, sizeof *drop);
    for (int k = 0; k < r->cuts; k++)
        drop[k] = cuts == 0 || cut_position(state->cut, cuts, r->cut[k], k) < 0;
    bnb_relaxation_drop_cuts(r, drop);
    base_free(drop);
    bnb_poolcut **missing = base_malloc((size_t)cuts + 1, sizeof(bnb_poolcut *));
    int count = 0;
    for (int k = 0; k < cuts; k++)
        if (cut_position(r->cut, r->cuts, state->cut[k], k) < 0)
            missing[count++] = state->cut[k];
    bnb_relaxation_add_cuts(r, missing, count);
    base_free(missing);
}

void bnb_relaxation_restore(bnb_context *c, const bnb_lpstate *state)
{
    bnb_relaxation *r = &c->lp;
    exchange_cuts(r, state);
    const int cols = lp_cols(r->solver), fixed = cols + r->model_rows;
    unsigned char *status = base_malloc((size_t)(fixed + r->cuts) + 1, sizeof *status);
    for (int v = 0; v < fixed; v++)
        status[v] = state ? bnb_lpstate_status(state, v) : v < cols ? LP_AT_LOWER : LP_BASIC;
    for (int k = 0; k < r->cuts; k++) {
        const int at = state ? cut_position(state->cut, state->cuts, r->cut[k], k) : -1;
        status[fixed + k] = at < 0 ? LP_BASIC : bnb_lpstate_status(state, fixed + at);
    }
    lp_set_basis(r->solver, status);
    base_free(status);
}

/* ---- solving ------------------------------------------------------------ */

void bnb_relaxation_sync(bnb_context *c)
{
    bnb_domain *d = &c->domain;
    for (int k = 0; k < d->dirty_count; k++) {
        const int j = d->dirty[k];
        d->is_dirty[j] = false;
        lp_set_bounds(c->lp.solver, j, d->lower[j], d->upper[j]);
    }
    d->dirty_count = 0;
}

long double bnb_reduced_cost(const bnb_context *c, int j, long double *error)
{
    const lp_model *m = c->lp.mirror;
    long double sum = 0.0L, magnitude = fabs(m->cost[j]);
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const long double term = (long double)c->y[m->index[k]] * m->value[k];
        sum += term;
        magnitude += fabsl(term);
    }
    *error = magnitude * (m->start[j + 1] - m->start[j] + 8) * 0x1p-64L;
    return m->cost[j] - sum;
}

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

static void keep(bnb_context *c, const double *y)
{
    const int rows = c->lp.model_rows + c->lp.cuts;
    reserve_duals(c, rows + 1);
    if (rows > 0)
        memcpy(c->y, y, (size_t)rows * sizeof *c->y);
}

void bnb_keep_farkas(bnb_context *c, const double *y)
{
    keep(c, y);
    c->y_is_farkas = true;
}

double bnb_take_duals(bnb_context *c, const double *y)
{
    keep(c, y);
    c->y_is_farkas = false;
    const double bound = lp_safe_bound_mend(c->lp.mirror, c->domain.lower, c->domain.upper, c->y,
                                            c->d, &c->dual_bound);
    return c->dual_bound > -LP_INFINITY ? bound : fmax(bound, bnb_interior_bound(c));
}

void bnb_take_no_duals(bnb_context *c)
{
    double *zeros = base_calloc((size_t)c->lp.mirror->rows + 1, sizeof *zeros);
    bnb_take_duals(c, zeros);
    base_free(zeros);
}

bool bnb_bound_prunes(const bnb_context *c)
{
    return (c->search->params.proof ? c->dual_bound : c->bound) >= c->cutoff;
}

/* Improves c->bound by the multipliers of the last LP; true when that prunes. */
static bool evaluate_duals(bnb_context *c)
{
    c->bound = fmax(c->bound, bnb_take_duals(c, lp_dual(c->lp.solver)));
    return bnb_bound_prunes(c);
}

static bool evaluate_farkas(bnb_context *c)
{
    bnb_keep_farkas(c, lp_farkas(c->lp.solver));
    return lp_farkas_is_proof(c->lp.mirror, c->domain.lower, c->domain.upper, c->y);
}

/* A limit ended the LP: what its duals prove by then holds all the same. */
static bnb_outcome stop(bnb_context *c, bnb_status reason)
{
    if (c->domain.trial == 0)
        evaluate_duals(c);
    bnb_search_stop(c->search, reason);
    return BNB_LP_STOPPED;
}

static bnb_outcome evaluate(bnb_context *c, lp_status status)
{
    lp_solver *lp = c->lp.solver;
    switch (status) {
    case LP_OPTIMAL:
        c->objective = lp_objective(lp);
        if (evaluate_duals(c))
            return BNB_LP_PRUNED;
        memcpy(c->x, lp_primal(lp), (size_t)c->in->model->cols * sizeof *c->x);
        return BNB_LP_SOLVED;
    case LP_CUTOFF:
        c->objective = lp_dual_objective(lp);
        return evaluate_duals(c) ? BNB_LP_PRUNED : BNB_LP_UNPROVEN;
    case LP_ITERATION_LIMIT:
        c->objective = lp_dual_objective(lp);
        return evaluate_duals(c) ? BNB_LP_PRUNED : BNB_LP_ITERATIONS;
    case LP_INFEASIBLE:
        return evaluate_farkas(c) ? BNB_LP_PRUNED : BNB_LP_UNPROVEN;
    case LP_UNBOUNDED:
        return BNB_LP_UNBOUNDED;
    case LP_TIME_LIMIT:
        return stop(c, BNB_LIMIT_TIME);
    case LP_MEMORY_LIMIT:
        return stop(c, BNB_LIMIT_MEMORY);
    case LP_INTERRUPTED:
        return stop(c, BNB_INTERRUPTED);
    default:
        return BNB_LP_UNPROVEN;
    }
}

/* From the slack basis, without a cutoff: what a failed solve is repeated with. */
static lp_status solve_afresh(bnb_context *c, bool primal)
{
    lp_solver *lp = c->lp.solver;
    lp_params *p = lp_solver_params(lp);
    lp_set_slack_basis(lp);
    p->cutoff = LP_INFINITY;
    p->iteration_limit = LONG_MAX;
    p->method = primal ? LP_METHOD_PRIMAL : LP_METHOD_DUAL;
    const lp_status result = lp_solve(lp);
    p->method = LP_METHOD_DUAL;
    return result;
}

void bnb_relaxation_set_basis(bnb_context *c, const unsigned char *status, int count)
{
    const int variables = lp_cols(c->lp.solver) + lp_rows(c->lp.solver);
    assert(count <= variables);
    unsigned char *all = base_malloc((size_t)variables + 1, sizeof *all);
    memcpy(all, status, (size_t)count);
    memset(all + count, LP_BASIC, (size_t)(variables - count));
    lp_set_basis(c->lp.solver, all);
    base_free(all);
}

/* Within tolerances a direction may cost less than nothing that does not: only where a model is too
 * large for more are they believed. */
static bnb_outcome confirm_unbounded(bnb_context *c)
{
    const bnb_outcome exact = bnb_relaxation_solve_exactly(c);
    if (exact != BNB_LP_UNPROVEN || c->lp.mirror->rows <= BNB_MOST_EXACT_ROWS ||
        lp_last_status(c->lp.solver) != LP_UNBOUNDED)
        return exact;
    return lp_ray_is_proof(c->lp.mirror, lp_ray(c->lp.solver)) ? BNB_LP_UNBOUNDED : exact;
}

static bnb_outcome solve_present_rows(bnb_context *c, long limit)
{
    lp_params *p = lp_solver_params(c->lp.solver);
    const long before = lp_iterations(c->lp.solver);
    bnb_relaxation_sync(c);
    /* A little beyond the cutoff, so that the safe bound gets there too. */
    p->cutoff = c->cutoff + 1e-7 * fmax(1e-3, fabs(c->cutoff));
    p->iteration_limit = limit;
    bnb_outcome outcome = evaluate(c, lp_solve(c->lp.solver));
    if (outcome == BNB_LP_UNPROVEN && limit == LONG_MAX) {
        p->cutoff = LP_INFINITY;
        outcome = evaluate(c, lp_solve(c->lp.solver));
    }
    for (int attempt = 0; attempt < 2 && outcome == BNB_LP_UNPROVEN && limit == LONG_MAX; attempt++)
        outcome = evaluate(c, solve_afresh(c, attempt == 1));
    if (outcome == BNB_LP_UNPROVEN && limit == LONG_MAX)
        outcome = bnb_relaxation_solve_exactly(c);
    if (outcome == BNB_LP_UNBOUNDED)
        outcome = confirm_unbounded(c);
    if (outcome == BNB_LP_SOLVED && limit == LONG_MAX && c->objective >= c->cutoff)
        outcome = bnb_bound_exactly(c);
    atomic_fetch_add(&c->search->iterations, lp_iterations(c->lp.solver) - before);
    c->lp_solves++;
    return outcome;
}

/* Whether the objective, once `first` and `before` a round of lazy rows, will hardly move. */
static bool stands_still(const bnb_context *c, double first, double before)
{
    const bnb_tuning *p = &c->search->params.tuning;
    const double left = c->cutoff - c->objective;
    return c->objective - before < p->lazy_still * left ||
           left < p->lazy_arrived * (c->cutoff - first);
}

/* Of the violated lazy rows those enter the LP whose violation is a part of the worst, a smaller
 * one each time that some do: a few rows more cost less than another round. After some rounds those
 * come too that x just satisfies: along a chain of rows they are next. */
bnb_outcome bnb_relaxation_solve(bnb_context *c, long limit)
{
    const bnb_tuning *p = &c->search->params.tuning;
    const long start = lp_iterations(c->lp.solver);
    bnb_outcome outcome = solve_present_rows(c, limit);
    const double first = c->objective;
    double part = p->lazy_first, before = -LP_INFINITY;
    int still = 0;
    c->lp.rows_missing = false;
    for (int round = 0; outcome == BNB_LP_SOLVED && c->in->core_rows < c->in->model->rows;
         round++) {
        still += stands_still(c, first, before);
        c->lp.rows_missing = c->lp.patience > 0 && still >= c->lp.patience;
        if (c->lp.rows_missing ||
            bnb_lazy_add_violated(c, part, round >= p->lazy_violated_rounds) == 0)
            break;
        before = c->objective;
        part *= p->lazy_next;
        const long used = lp_iterations(c->lp.solver) - start;
        outcome = solve_present_rows(c, limit == LONG_MAX ? limit
                                        : limit > used    ? limit - used
                                                          : 1);
    }
    return outcome;
}
