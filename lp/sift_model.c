/* Sifting a model in memory: the rounds, and what is made of them. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "lp/safe.h"
#include "lp/sift_internal.h"

#define GAP 1e-7      /* relative difference of primal and dual objective that is accepted */
#define SETTLED 0.02  /* relative fall of the optimum below which it has settled */
#define FEASIBLE 1e-8 /* relative violation of a row that is accepted */

enum {
    START_COLUMNS = 4, /* per row that the resting columns violate */
    LATE = 2           /* directions that took too long, after which none is looked for */
};

lp_sift_params lp_sift_params_default(void)
{
    return (lp_sift_params){.lp = lp_params_default(),
                            .add_least = 2000,
                            .add_share = 0.5,
                            .whole_from = 0.6,
                            .round_limit = 200};
}

void lp_sift_result_clear(lp_sift_result *r)
{
    base_free(r->x);
    base_free(r->y);
    base_free(r->basis);
    *r = (lp_sift_result){0};
}

/* ---- life ----------------------------------------------------------------------- */

static double rest_value(double lower, double upper)
{
    if (lower == -INFINITY && upper == INFINITY)
        return 0.0;
    return fabs(lower) <= fabs(upper) ? lower : upper;
}

static void create(lp_sift *s, const lp_model *m, const lp_sift_params *params)
{
    size_t cols = (size_t)m->cols + 1, rows = (size_t)m->rows + 1;
    *s = (lp_sift){.m = m, .params = params ? *params : lp_sift_params_default()};
    s->iteration_limit = s->params.lp.iteration_limit;
    s->params.lp.cutoff = INFINITY; /* a restricted model's bound is none of the whole */
    lp_model_by_rows(m, &s->row_start, &s->row_col, &s->row_value);
    s->working = base_calloc(cols, sizeof *s->working);
    s->apart = base_calloc(cols, sizeof *s->apart);
    s->rest = base_malloc(cols, sizeof *s->rest);
    s->shift = base_calloc(rows, sizeof *s->shift);
    s->status = base_calloc(cols + rows, 1);
    s->idle = base_calloc(cols, sizeof *s->idle);
    s->dropped = base_calloc(cols, sizeof *s->dropped);
    s->x = base_calloc(cols, sizeof *s->x);
    s->d = base_calloc(cols, sizeof *s->d);
    s->activity = base_calloc(rows, sizeof *s->activity);
    s->y = base_calloc(rows, sizeof *s->y);
    s->queued = base_calloc(cols, sizeof *s->queued);
    s->seen = base_calloc(cols, sizeof *s->seen);
    s->stack = base_malloc(cols, sizeof *s->stack);
    s->debt_head = base_malloc(cols, sizeof *s->debt_head);
    s->pass_row = base_malloc(cols, sizeof *s->pass_row);
    s->pass_up = base_malloc(cols, sizeof *s->pass_up);
    s->dead_end = base_calloc(cols, sizeof *s->dead_end);
    s->y_start = base_malloc(rows, sizeof *s->y_start);
    s->wanted = base_malloc(cols, sizeof *s->wanted);
    s->objective = INFINITY;
    s->result.bound = -INFINITY;
    s->result.y = base_calloc(rows, sizeof *s->result.y);
    s->rests_at_zero = true;
    for (int j = 0; j < m->cols; j++) {
        s->rest[j] = rest_value(m->lower[j], m->upper[j]);
        s->rests_at_zero = s->rests_at_zero && s->rest[j] == 0.0;
        s->status[j] = s->rest[j] == m->lower[j] ? LP_AT_LOWER : LP_AT_UPPER;
    }
    memset(s->status + m->cols, LP_BASIC, (size_t)m->rows);
}

static void destroy(lp_sift *s)
{
    lp_solver_free(s->lp);
    lp_sift_restriction_clear(&s->now);
    void *all[] = {s->row_start, s->row_col, s->row_value, s->working,  s->rest,    s->shift,
                   s->status,    s->idle,    s->dropped,   s->x,        s->d,       s->activity,
                   s->y,         s->queued,  s->debt_head, s->pass_row, s->pass_up, s->wanted,
                   s->dead_end,  s->y_start, s->debt,      s->seen,     s->apart,   s->stack,
                   s->move,      s->carried};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        base_free(all[k]);
}

/* ---- the first working set -------------------------------------------------------- */

/* The cheapest columns that help row r, whose activity lacks something in the direction sign. */
static void start_row(lp_sift *s, int r, double sign)
{
    int best[START_COLUMNS], count = 0;
    double price[START_COLUMNS];
    for (int e = s->row_start[r]; e < s->row_start[r + 1]; e++) {
        int j = s->row_col[e];
        double a = sign * s->row_value[e];
        bool can = a > 0.0 ? s->m->upper[j] > s->rest[j] : s->m->lower[j] < s->rest[j];
        if (!can)
            continue;
        double p = s->m->cost[j] / a;
        int k = count < START_COLUMNS ? count++ : count;
        for (; k > 0 && price[k - 1] > p; k--) /* insertion; what is worst falls off the end */
            if (k < START_COLUMNS) {
                price[k] = price[k - 1];
                best[k] = best[k - 1];
            }
        if (k < START_COLUMNS) {
            price[k] = p;
            best[k] = j;
        }
    }
    for (int k = 0; k < count; k++)
        s->working[best[k]] = true;
}

static void start_set(lp_sift *s, const bool *seed)
{
    const lp_model *m = s->m;
    s->seeded = seed != NULL;
    double *activity = base_calloc((size_t)m->rows + 1, sizeof *activity);
    for (int j = 0; j < m->cols; j++) {
        s->working[j] = (seed && seed[j]) || (m->lower[j] == -INFINITY && m->upper[j] == INFINITY);
        for (int e = m->start[j]; s->rest[j] != 0.0 && e < m->start[j + 1]; e++)
            activity[m->index[e]] += m->value[e] * s->rest[j];
    }
    for (int r = 0; !seed && r < m->rows; r++) {
        if (activity[r] < m->row_lower[r])
            start_row(s, r, 1.0);
        else if (activity[r] > m->row_upper[r])
            start_row(s, r, -1.0);
    }
    base_free(activity);
}

static int count_working(const lp_sift *s)
{
    int count = 0;
    for (int j = 0; j < s->m->cols; j++)
        count += s->working[j];
    return count;
}

/* ---- a round ------------------------------------------------------------------------ */

static void compute_activity(lp_sift *s)
{
    const lp_model *m = s->m;
    memset(s->activity, 0, (size_t)m->rows * sizeof *s->activity);
    for (int j = 0; j < m->cols; j++) {
        double x = s->x[j];
        if (x == 0.0)
            continue;
        for (int e = m->start[j]; e < m->start[j + 1]; e++)
            s->activity[m->index[e]] += m->value[e] * x;
        s->work += m->start[j + 1] - m->start[j];
    }
}

/* The statuses of the restricted basis for the columns and rows of the whole model. */
static void take_basis(lp_sift *s)
{
    const lp_sift_restriction *now = &s->now;
    int cols = now->model->cols, rows = now->model->rows;
    unsigned char *status = base_malloc((size_t)(cols + rows) + 1, 1);
    lp_get_basis(s->lp, status);
    for (int j = 0; j < s->m->cols; j++)
        if (now->group[j] >= 0)
            s->status[j] = status[now->group[j]];
    for (int r = 0; r < s->m->rows; r++)
        s->status[s->m->cols + r] = now->row_of[r] >= 0 ? status[cols + now->row_of[r]] : LP_BASIC;
    base_free(status);
}

/* x and y of the whole model from those of the restricted one. */
static void expand(lp_sift *s, const double *x, const double *y)
{
    for (int j = 0; j < s->m->cols; j++)
        s->x[j] = s->now.group[j] < 0 ? s->rest[j] : x[s->now.group[j]];
    for (int r = 0; r < s->m->rows; r++)
        s->y[r] = s->now.row_of[r] < 0 ? 0.0 : y[s->now.row_of[r]];
    compute_activity(s);
}

/* A bound from y as it is, rounding errors aside; keeps the best y. */
static void note_bound(lp_sift *s)
{
    const lp_model *m = s->m;
    double sum = m->offset;
    for (int r = 0; r < m->rows; r++)
        if (s->y[r] != 0.0)
            sum += s->y[r] * (s->y[r] > 0.0 ? m->row_lower[r] : m->row_upper[r]);
    for (int j = 0; j < m->cols; j++)
        if (fabs(s->d[j]) > s->params.lp.dual_tolerance)
            sum += s->d[j] * (s->d[j] > 0.0 ? m->lower[j] : m->upper[j]);
    if (sum > s->result.bound || s->result.bound == -INFINITY) {
        s->result.bound = sum;
        memcpy(s->result.y, s->y, (size_t)m->rows * sizeof *s->y);
    }
}

/* Working columns that have not been of use for long rest again. */
static void drop_idle(lp_sift *s)
{
    if (s->params.drop_after <= 0)
        return;
    for (int j = 0; j < s->m->cols; j++) {
        bool idle = s->working[j] && s->status[j] != LP_BASIC && s->x[j] == s->rest[j] &&
                    fabs(s->d[j]) > s->params.lp.dual_tolerance;
        s->idle[j] = idle ? s->idle[j] + 1 : 0;
        if (idle && s->idle[j] >= s->params.drop_after && !s->dropped[j]) {
            s->working[j] = false;
            s->dropped[j] = true;
        }
    }
}

/* Wanted columns become working, unless some have: added. When there are none to take, all columns
 * do, each apart: that ends it. False when even that has been done. */
static bool grow(lp_sift *s, int added)
{
    int count = count_working(s), cols = s->m->cols;
    int limit = (int)fmin(fmax(s->params.add_least, s->params.add_share * count), cols);
    if (added == 0 && s->wanted_count > 0)
        added = lp_sift_admit(s, limit);
    if (added > 0 && count_working(s) < s->params.whole_from * cols &&
        s->result.rounds < s->params.round_limit)
        return true;
    if (s->complete)
        return false;
    s->complete = true;
    s->wanted_count = 0;
    for (int j = 0; j < cols; j++)
        s->working[j] = s->apart[j] = true;
    return true;
}

static lp_status limit_status(const lp_sift *s)
{
    return lp_limit_status(base_limits_check(&s->params.lp.limits));
}

static void log_round(const lp_sift *s, lp_status status)
{
    if (s->params.lp.log < 1)
        return;
    fprintf(stderr, "sift    %3d  %d columns (%d apart), %d rows: %s, %ld iterations",
            s->result.rounds, s->now.model->cols, count_working(s), s->now.model->rows,
            lp_status_name(status), s->result.iterations);
    if (status == LP_OPTIMAL)
        fprintf(stderr, ", obj %.10g", lp_objective(s->lp));
    fprintf(stderr, ", %d wanted\n", s->wanted_count);
}

/* ---- what a round's status means ------------------------------------------------------- */

static bool is_feasible(const lp_sift *s)
{
    const lp_model *m = s->m;
    for (int r = 0; r < m->rows; r++) {
        double low = m->row_lower[r], high = m->row_upper[r], a = s->activity[r];
        if (a < low - FEASIBLE * (1.0 + fabs(low)) || a > high + FEASIBLE * (1.0 + fabs(high)))
            return false;
    }
    return true;
}

/* All columns price out: the whole model is solved if the two objectives agree. With all columns
 * in the restricted model the solver's word counts. */
static bool is_solved(lp_sift *s)
{
    double objective = lp_model_objective(s->m, s->x);
    double bound = lp_safe_bound(s->m, NULL, NULL, s->y, NULL);
    if (!s->complete && (!is_feasible(s) || objective - bound > GAP * (1.0 + fabs(objective))))
        return false;
    s->result.objective = objective;
    s->result.bound = bound;
    memcpy(s->result.y, s->y, (size_t)s->m->rows * sizeof *s->y);
    s->result.x = s->x;
    s->x = NULL;
    return true;
}

/* LP_UNSOLVED: another round is to follow. */
static lp_status after_optimum(lp_sift *s)
{
    expand(s, lp_primal(s->lp), lp_dual(s->lp));
    lp_sift_price(s, s->m->cost);
    bool priced = s->complete || lp_sift_repair(s);
    note_bound(s);
    log_round(s, LP_OPTIMAL);
    if (!priced)
        return limit_status(s);
    if (s->wanted_count == 0 && is_solved(s))
        return LP_OPTIMAL;
    drop_idle(s);
    int added = 0;
    if (s->settled && s->wanted_count > 0 && s->late_directions < LATE) {
        lp_status status = lp_sift_direct(s, &added);
        if (status == LP_OPTIMAL && is_solved(s))
            return LP_OPTIMAL;
        if (status != LP_OPTIMAL && status != LP_UNSOLVED)
            return status;
        note_bound(s);
    }
    return grow(s, added) ? LP_UNSOLVED : LP_NUMERICAL_TROUBLE;
}

/* The bound at which column k of the restricted model makes d_k x_k least. */
static double worst_value(const lp_model *m, int k, const double *y)
{
    double d = 0.0;
    for (int e = m->start[k]; e < m->start[k + 1]; e++)
        d -= y[m->index[e]] * m->value[e];
    double x = d < 0.0 ? m->upper[k] : m->lower[k];
    return isfinite(x) ? x : rest_value(m->lower[k], m->upper[k]);
}

static lp_status after_infeasible(lp_sift *s)
{
    const lp_model *restricted = s->now.model;
    const double *farkas = lp_farkas(s->lp);
    double *x = base_malloc((size_t)restricted->cols + 1, sizeof *x);
    for (int k = 0; k < restricted->cols; k++)
        x[k] = worst_value(restricted, k, farkas);
    expand(s, x, farkas);
    base_free(x);
    lp_sift_price(s, NULL);
    bool priced = s->complete || lp_sift_repair(s);
    log_round(s, LP_INFEASIBLE);
    if (!priced)
        return limit_status(s);
    /* With all columns there the solver's word counts: free columns may leave a proof within
     * rounding only. */
    if (s->complete || (s->wanted_count == 0 && lp_farkas_is_proof(s->m, NULL, NULL, s->y))) {
        memcpy(s->result.y, s->y, (size_t)s->m->rows * sizeof *s->y);
        return LP_INFEASIBLE;
    }
    return grow(s, 0) ? LP_UNSOLVED : LP_NUMERICAL_TROUBLE;
}

static lp_status after_unbounded(lp_sift *s)
{
    const double *ray = lp_ray(s->lp);
    for (int j = 0; j < s->m->cols; j++)
        s->x[j] = s->now.group[j] < 0 ? 0.0 : ray[s->now.group[j]];
    s->wanted_count = 0;
    log_round(s, LP_UNBOUNDED);
    if (lp_ray_is_proof(s->m, s->x)) {
        s->result.x = s->x;
        s->x = NULL;
        return LP_UNBOUNDED;
    }
    return grow(s, 0) ? LP_UNSOLVED : LP_NUMERICAL_TROUBLE;
}

static lp_status round_once(lp_sift *s)
{
    lp_status status = limit_status(s);
    if (status != LP_UNSOLVED)
        return status;
    long left = s->iteration_limit - s->result.iterations;
    s->params.lp.iteration_limit = left > 0 ? left : 0;
    lp_sift_restrict(s);
    status = lp_solve(s->lp);
    s->had_optimum = status == LP_OPTIMAL;
    double objective = s->had_optimum ? lp_objective(s->lp) : INFINITY;
    s->settled = (s->seeded && s->had_optimum && s->result.rounds == 0) ||
                 s->objective - objective <= SETTLED * fabs(objective);
    s->objective = objective;
    s->result.rounds++;
    s->result.columns = s->now.model->cols;
    s->result.rows = s->now.model->rows;
    s->result.iterations += lp_iterations(s->lp);
    take_basis(s);
    switch (status) {
    case LP_OPTIMAL:
        return after_optimum(s);
    case LP_INFEASIBLE:
        return after_infeasible(s);
    case LP_UNBOUNDED:
        return after_unbounded(s);
    case LP_NUMERICAL_TROUBLE:
        s->wanted_count = 0;
        return grow(s, 0) ? LP_UNSOLVED : LP_NUMERICAL_TROUBLE;
    default:
        return status;
    }
}

lp_sift_result lp_sift_model(const lp_model *m, const bool *seed, const lp_sift_params *params)
{
    lp_sift s;
    create(&s, m, params);
    start_set(&s, seed);
    lp_status status = LP_UNSOLVED;
    while (status == LP_UNSOLVED)
        status = round_once(&s);
    s.result.status = status;
    if (status != LP_OPTIMAL && s.result.bound > -INFINITY)
        s.result.bound = lp_safe_bound(m, NULL, NULL, s.result.y, NULL);
    lp_sift_split_all(&s);
    s.result.basis = s.status;
    s.status = NULL;
    lp_sift_result result = s.result;
    destroy(&s);
    return result;
}
