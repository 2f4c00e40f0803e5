/* The iterate and its parts from scratch, price, and the exchange of basic variables. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lp/simplex/compute.h"

#define POLL_WORK 2e5       /* touched entries between two checks of the clock */
#define STEPS_PER_ENTRY 2.5 /* steps of base_work per touched entry */
#define REFINEMENTS 2
#define RESIDUAL_GOOD 1e-12  /* scaled residual that needs no refinement */
#define RESIDUAL_SHARE 0.1   /* part of the tolerance of a row that needs no refinement */
#define UPDATE_DISAGREE 1e-6 /* relative error of the new diagonal of U that is a trouble */
#define TROUBLES 100         /* troubles before a simplex may give up */
#define FREQUENT 50          /* steps per trouble below which it then gives up */
#define PATIENCE_BASE 5000   /* steps after which a simplex gives up */
#define PATIENCE 20          /* additional steps per variable */

void lp_engine_subtract_column(const lp_solver *s, lp_vector *v, int j, double factor)
{
    if (j >= s->cols) {
        lp_vector_add(v, j - s->cols, -factor);
        return;
    }
    const lp_model *m = s->model;
    for (int e = m->start[j]; e < m->start[j + 1]; e++)
        lp_vector_add(v, m->index[e], -factor * s->a_value[e]);
}

/* ---- factorisation -------------------------------------------------------- */

void lp_engine_refactor(lp_solver *s)
{
    double *by_var = s->scratch;
    for (int p = 0; p < s->rows; p++)
        by_var[s->head[p]] = s->weight[p];
    lp_columns a = {s->rows, s->cols, s->model->start, s->model->index, s->a_value};
    for (int p = 0; p < s->rows; p++)
        s->place[s->head[p]] = -1;
    int *before = base_copy(s->head, (size_t)s->rows, sizeof *before);
    int replaced = lp_factor_build(s->factor, &a, s->head, s->threshold);
    for (int p = 0; p < s->rows; p++)
        s->place[s->head[p]] = p;
    if (replaced > 0) {
        for (int p = 0; p < s->rows; p++) {
            int j = before[p];
            if (s->place[j] < 0) {
                s->status[j] = LP_AT_LOWER;
                s->value[j] = 0.0;
                s->d[j] = 0.0;
            }
        }
        for (int p = 0; p < s->rows; p++) {
            int j = s->head[p];
            if (s->status[j] != LP_BASIC) {
                s->status[j] = LP_BASIC;
                by_var[j] = 1.0;
            }
        }
        s->has_primal = s->has_dual = false;
        lp_engine_place_all(s);
    }
    base_free(before);
    for (int p = 0; p < s->rows; p++) {
        int j = s->head[p];
        s->weight[p] = by_var[j];
        s->lb[p] = s->lo[j];
        s->ub[p] = s->up[j];
    }
    s->has_factor = true;
    if (s->has_primal) { /* xb and infeasibilities moved */
        lp_engine_compute_primal(s);
    }
}

/* ---- primal --------------------------------------------------------------- */

void lp_engine_check_position(lp_solver *s, int p)
{
    double x = s->xb[p], violation = lp_max(s->lb[p] - x, x - s->ub[p]);
    if (violation <= s->primal_tolerance) {
        s->infeasibility[p] = 0.0;
        return;
    }
    s->infeasibility[p] = violation * violation;
    if (!s->is_candidate[p]) {
        s->is_candidate[p] = true;
        s->candidate[s->candidates++] = p;
    }
    if (s->infeasibility[p] >= s->top_least * s->weight[p] && !s->is_top[p]) {
        s->is_top[p] = true;
        s->top[s->tops++] = p;
    }
}

void lp_engine_check_all(lp_solver *s)
{
    s->candidates = s->tops = s->hidden = 0;
    s->top_least = INFINITY;
    memset(s->is_top, 0, (size_t)s->rows * sizeof *s->is_top);
    memset(s->is_candidate, 0, (size_t)s->rows * sizeof *s->is_candidate);
    for (int p = 0; p < s->rows; p++)
        lp_engine_check_position(s, p);
}

bool lp_engine_is_feasible(const lp_solver *s)
{
    for (int k = 0; k < s->candidates; k++)
        if (s->infeasibility[s->candidate[k]] > 0.0)
            return false;
    return true;
}

/* left := right - B xb; returns its largest entry. */
static double primal_residual(const lp_solver *s, const lp_vector *right, lp_vector *left)
{
    double largest = 0.0;
    lp_vector_copy(left, right);
    for (int p = 0; p < s->rows; p++)
        if (s->xb[p] != 0.0)
            lp_engine_subtract_column(s, left, s->head[p], s->xb[p]);
    for (int i = 0; i < s->rows; i++)
        largest = lp_max(largest, fabs(left->value[i]));
    return largest;
}

void lp_engine_compute_primal(lp_solver *s)
{
    lp_vector *right = &s->tau, *left = &s->flip, *b = &s->column;
    lp_vector_clear(right);
    right->count = -1;
    for (int j = 0; j < s->vars; j++)
        if (s->status[j] != LP_BASIC && s->value[j] != 0.0)
            lp_engine_subtract_column(s, right, j, s->value[j]);
    memset(s->xb, 0, (size_t)s->rows * sizeof *s->xb);
    const double good = fmin(RESIDUAL_GOOD, RESIDUAL_SHARE * s->primal_tolerance / s->row_unit);
    double last = INFINITY, residual = 0.0, largest = 0.0;
    for (int round = 0; round <= REFINEMENTS; round++) {
        lp_vector_copy(b, round == 0 ? right : left);
        lp_vector_pack(b);
        lp_factor_ftran(s->factor, b, NULL, false);
        for (int k = 0; k < b->count; k++)
            s->xb[b->index[k]] += b->value[b->index[k]];
        residual = primal_residual(s, right, left);
        if (residual <= good || residual >= 0.5 * last)
            break;
        last = residual;
    }
    lp_vector_clear(right);
    lp_vector_clear(left);
    lp_vector_clear(b);
    lp_vector_clear(&s->shift);
    for (int p = 0; p < s->rows; p++) {
        s->lb[p] = s->lo[s->head[p]];
        s->ub[p] = s->up[s->head[p]];
        largest = lp_max(largest, fabs(s->xb[p]));
    }
    s->residual = lp_max(0.0, residual - RESIDUAL_GOOD * largest);
    lp_engine_check_all(s);
    s->has_primal = true;
    s->work += 4.0 * s->vars + 2.0 * s->model->start[s->cols];
}

void lp_engine_apply_shift(lp_solver *s)
{
    lp_vector *b = &s->shift;
    if (b->count == 0)
        return;
    lp_factor_ftran(s->factor, b, &s->expected.flip, false);
    for (int k = 0; k < b->count; k++) {
        int p = b->index[k];
        s->xb[p] += b->value[p];
        lp_engine_check_position(s, p);
    }
    lp_vector_clear(b);
}

/* ---- dual ----------------------------------------------------------------- */

void lp_engine_compute_objective(lp_solver *s)
{
    double sum = 0.0;
    for (int j = 0; j < s->vars; j++)
        if (s->status[j] != LP_BASIC)
            sum += s->d[j] * s->value[j];
    s->dual_objective = sum;
}

double lp_engine_reduced_cost(const lp_solver *s, int j, const double *y)
{
    const lp_model *m = s->model;
    double sum = 0.0;
    if (j >= s->cols)
        return s->work_cost[j] - y[j - s->cols];
    for (int e = m->start[j]; e < m->start[j + 1]; e++)
        sum += s->a_value[e] * y[m->index[e]];
    return s->work_cost[j] - sum;
}

void lp_engine_compute_dual(lp_solver *s)
{
    lp_vector *y = &s->rho, *right = &s->tau;
    lp_vector_clear(y);
    lp_vector_clear(right);
    for (int p = 0; p < s->rows; p++)
        if (s->work_cost[s->head[p]] != 0.0)
            lp_vector_add(right, p, s->work_cost[s->head[p]]);
    double last = INFINITY;
    for (int round = 0; round <= REFINEMENTS && right->count > 0; round++) {
        double residual = 0.0;
        lp_factor_btran(s->factor, right, NULL, false);
        for (int k = 0; k < right->count; k++)
            lp_vector_add(y, right->index[k], right->value[right->index[k]]);
        lp_vector_clear(right);
        for (int p = 0; p < s->rows; p++) {
            double d = lp_engine_reduced_cost(s, s->head[p], y->value);
            if (d != 0.0)
                lp_vector_add(right, p, d);
            residual = lp_max(residual, fabs(d));
        }
        if (residual <= RESIDUAL_GOOD || residual >= 0.5 * last)
            break;
        last = residual;
    }
    for (int j = 0; j < s->vars; j++)
        s->d[j] = s->status[j] == LP_BASIC ? 0.0 : lp_engine_reduced_cost(s, j, y->value);
    lp_vector_clear(y);
    lp_vector_clear(right);
    lp_engine_compute_objective(s);
    s->has_dual = true;
    s->work += 4.0 * s->vars + 2.0 * s->model->start[s->cols];
}

void lp_engine_restore_costs(lp_solver *s)
{
    memcpy(s->work_cost, s->cost, (size_t)s->vars * sizeof *s->cost);
    s->perturbed = false;
    s->has_dual = false;
}

void lp_engine_restore_bounds(lp_solver *s)
{
    if (!s->bounds_perturbed)
        return;
    memcpy(s->lo, s->lower, (size_t)s->vars * sizeof *s->lo);
    memcpy(s->up, s->upper, (size_t)s->vars * sizeof *s->up);
    s->bounds_perturbed = false;
    s->has_primal = false;
}

/* ---- nonbasic variables --------------------------------------------------- */

bool lp_engine_place_nonbasic(lp_solver *s, int j)
{
    double lo = s->lo[j], up = s->up[j], d = s->has_dual ? s->d[j] : 0.0;
    unsigned char to;
    bool feasible = true;
    if (lo == up) {
        to = LP_FIXED;
    } else if (lo > -INFINITY && up < INFINITY) {
        if (d > s->dual_tolerance)
            to = LP_AT_LOWER;
        else if (d < -s->dual_tolerance)
            to = LP_AT_UPPER;
        else if (s->status[j] == LP_AT_LOWER || s->status[j] == LP_AT_UPPER)
            to = s->status[j];
        else
            to = d < 0.0 || (d == 0.0 && fabs(up) < fabs(lo)) ? LP_AT_UPPER : LP_AT_LOWER;
    } else if (lo > -INFINITY) {
        to = LP_AT_LOWER;
        feasible = d >= -s->dual_tolerance;
    } else if (up < INFINITY) {
        to = LP_AT_UPPER;
        feasible = d <= s->dual_tolerance;
    } else {
        to = LP_FREE;
        feasible = fabs(d) <= s->dual_tolerance;
    }
    double x = to == LP_FREE ? 0.0 : to == LP_AT_UPPER ? up : lo, move = x - s->value[j];
    s->status[j] = to;
    s->value[j] = x;
    if (move != 0.0 && s->has_primal) {
        lp_engine_subtract_column(s, &s->shift, j, move);
        s->dual_objective += d * move;
    }
    return feasible;
}

void lp_engine_place_all(lp_solver *s)
{
    bool clean = true;
    for (int j = 0; j < s->vars; j++)
        if (s->status[j] != LP_BASIC && !lp_engine_place_nonbasic(s, j))
            clean = false;
    if (s->has_dual)
        s->dual_clean = clean;
}

/* ---- price and exchange --------------------------------------------------- */

void lp_engine_btran_unit(lp_solver *s, int p)
{
    lp_vector_clear(&s->rho);
    lp_vector_add(&s->rho, p, 1.0);
    lp_factor_btran(s->factor, &s->rho, &s->expected.row, true);
}

void lp_engine_ftran_column(lp_solver *s, int j)
{
    lp_vector_clear(&s->column);
    lp_engine_subtract_column(s, &s->column, j, -1.0);
    lp_factor_ftran(s->factor, &s->column, &s->expected.column, true);
}

double lp_engine_move_duals(lp_solver *s, double theta)
{
    double largest = 0.0;
    for (int k = 0; k < lp_engine_row_count(s); k++) {
        const int j = lp_engine_row_variable(s, k);
        if (s->status[j] == LP_BASIC)
            continue;
        const double move = theta * lp_engine_row_element(s, j);
        largest = lp_max(largest, fabs(move));
        s->d[j] -= move;
    }
    return largest;
}

double lp_engine_disagreement(lp_solver *s, double row, double column)
{
    const double error = fabs(row - column) / lp_max(fmin(fabs(row), fabs(column)), 1e-300);
    s->drift = lp_max(s->drift, error);
    return error;
}

bool lp_engine_update_factor(lp_solver *s, int p, double alpha)
{
    const double error = lp_factor_update(s->factor, p, alpha);
    s->drift = lp_max(s->drift, error);
    s->counts.troubles += error > UPDATE_DISAGREE;
    return error > UPDATE_DISAGREE || lp_factor_is_worn(s->factor);
}

void lp_engine_price(lp_solver *s)
{
    const lp_vector *rho = &s->rho;
    lp_vector *alpha = &s->alpha;
    lp_vector_clear(alpha);
    double touched = rho->count;
    for (int k = 0; k < rho->count; k++) {
        int r = rho->index[k], end = s->by_rows.start[r + 1];
        double y = rho->value[r];
        for (int e = s->by_rows.start[r]; e < end; e++) {
            int j = s->by_rows.col[e];
            double old = alpha->value[j], sum = old + y * s->by_rows.value[e];
            if (old == 0.0)
                alpha->index[alpha->count++] = j;
            alpha->value[j] = sum == 0.0 ? LP_VECTOR_TINY : sum;
        }
        touched += end - s->by_rows.start[r];
    }
    s->work += touched;
    lp_vector_pack(alpha);
}

void lp_engine_exchange(lp_solver *s, int p, int q, double entering_value, bool to_upper)
{
    int out = s->head[p];
    assert(s->status[q] != LP_BASIC && s->status[out] == LP_BASIC);
    s->head[p] = q;
    s->place[q] = p;
    s->place[out] = -1;
    s->status[q] = LP_BASIC;
    s->status[out] = s->lo[out] == s->up[out] ? LP_FIXED : to_upper ? LP_AT_UPPER : LP_AT_LOWER;
    s->value[out] = to_upper ? s->up[out] : s->lo[out];
    s->xb[p] = entering_value;
    s->lb[p] = s->lo[q];
    s->ub[p] = s->up[q];
    s->iterations++;
    s->since_recompute++;
}

/* ---- limits --------------------------------------------------------------- */

void lp_engine_charge(lp_solver *s)
{
    const double now = s->work + lp_factor_work(s->factor);
    assert(now >= s->charged);
    base_work_count((size_t)(STEPS_PER_ENTRY * (now - s->charged)));
    s->charged = now;
}

lp_status lp_engine_poll(lp_solver *s)
{
    if (s->iterations >= s->iteration_end)
        return LP_ITERATION_LIMIT;
    double now = s->work + lp_factor_work(s->factor);
    if (now < s->next_poll)
        return LP_UNSOLVED;
    s->next_poll = now + POLL_WORK;
    lp_engine_charge(s);
    return lp_limit_status(base_limits_check(&s->params.limits));
}

void lp_engine_begin_simplex(lp_solver *s, bool primal)
{
    if (!s->goes_on)
        s->counts = (lp_counts){0};
    s->goes_on = false;
    s->progress.runs_primal = primal;
}

bool lp_is_stopped(lp_status status)
{
    return status == LP_ITERATION_LIMIT || lp_status_limit(status) != BASE_GO;
}

bool lp_engine_is_hopeless(const lp_solver *s)
{
    const long steps = s->counts.steps, troubles = s->counts.troubles;
    return steps > PATIENCE_BASE + PATIENCE * (long)s->vars ||
           (troubles > TROUBLES && troubles > steps / FREQUENT);
}

/* ---- log ------------------------------------------------------------------ */

void lp_engine_log(const lp_solver *s, const char *phase)
{
    if (!s->params.log)
        return;
    double sum = 0.0;
    int count = 0;
    for (int k = 0; k < s->candidates; k++) {
        double v = s->infeasibility[s->candidate[k]];
        count += v > 0.0;
        sum += sqrt(v);
    }
    fprintf(stderr, "%-7s %9ld  obj %18.10g  inf %5d %10.3g\n", phase, s->iterations,
            s->dual_objective / s->cost_unit + s->model->offset, count, sum);
}
