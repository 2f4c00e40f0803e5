/* Magnifies the violations of a nearly optimal pair, solves for the correction from the same
 * basis, and adds it. The correction has one more column per row, its activity, with the
 * multiplier of the row as cost. The multipliers of its own rows therefore begin at 0. */
#include "lp/refine.h"

#include <string.h>

#include "lp/safe.h"
#include "lp/simplex/engine.h"

#define MOST_MAGNIFIED 0x1p40
#define COST_CAP 0x1p24 /* bound on magnified costs; beyond it only the sign matters */

/* Largest violation of a bound or side, and largest reduced cost of the wrong sign. */
typedef struct misfit {
    double primal, dual;
} misfit;

/* Notes the reduced cost d of a variable with this status. */
static void note_cost(misfit *f, double d, unsigned char status)
{
    const double wrong = status == LP_AT_LOWER   ? -d
                         : status == LP_AT_UPPER ? d
                         : status == LP_FIXED    ? 0.0
                                                 : fabs(d);
    f->dual = fmax(f->dual, wrong);
}

/* Returns the side that the basis holds row r at, or its activity if it is basic or free. A solve
 * that did not end may hold it at a side that it does not have. */
static long double held_at(const lp_model *m, int r, unsigned char status, long double activity)
{
    const double side = status == LP_AT_UPPER                         ? m->row_upper[r]
                        : status == LP_AT_LOWER || status == LP_FIXED ? m->row_lower[r]
                                                                      : LP_INFINITY;
    return isfinite(side) ? side : activity;
}

/* Adds the columns of the correction, not yet magnified: the columns of m, then the activities. */
static void add_columns(const lp_model *m, const unsigned char *basis, const double *x,
                        const double *y, const double *low, lp_model *k, long double *activity,
                        misfit *f)
{
    for (int j = 0; j < m->cols; j++) {
        const int first = m->start[j], count = m->start[j + 1] - first;
        long double d = m->cost[j];
        for (int e = first; e < first + count; e++) {
            d -= (long double)m->value[e] * y[m->index[e]];
            d -= (long double)m->value[e] * low[m->index[e]];
            activity[m->index[e]] += (long double)m->value[e] * x[j];
        }
        note_cost(f, (double)d, basis[j]);
        lp_model_add_col(k, (double)d, (double)((long double)m->lower[j] - x[j]),
                         (double)((long double)m->upper[j] - x[j]), false, count, m->index + first,
                         m->value + first, NULL);
    }
    for (int r = 0; r < m->rows; r++) {
        const unsigned char status = basis[m->cols + r];
        const long double at = held_at(m, r, status, activity[r]);
        const double minus = -1.0;
        note_cost(f, y[r], status);
        lp_model_add_col(k, y[r], (double)(m->row_lower[r] - at), (double)(m->row_upper[r] - at),
                         false, 1, &r, &minus, NULL);
        k->row_lower[r] = k->row_upper[r] = (double)(at - activity[r]);
    }
}

/* Returns the model of the correction, not yet magnified. */
static lp_model *make_correction(const lp_model *m, const unsigned char *basis, const double *x,
                                 const double *y, const double *low, misfit *f)
{
    lp_model *k = lp_model_create();
    long double *activity = base_calloc((size_t)m->rows + 1, sizeof *activity);
    for (int r = 0; r < m->rows; r++)
        lp_model_add_row(k, 0.0, 0.0, NULL);
    add_columns(m, basis, x, y, low, k, activity, f);
    for (int j = 0; j < k->cols; j++)
        f->primal = fmax(f->primal, fmax(k->lower[j], -k->upper[j]));
    for (int r = 0; r < k->rows; r++)
        f->primal = fmax(f->primal, fabs(k->row_lower[r]));
    base_free(activity);
    return k;
}

/* Returns the power of two that brings the largest violation to about one. */
static double magnifier(double largest)
{
    return exp2(floor(log2(fmin(MOST_MAGNIFIED, fmax(1.0, 1.0 / largest)))));
}

static void magnify(lp_model *k, double primal, double dual)
{
    for (int j = 0; j < k->cols; j++) {
        k->cost[j] = fmax(-COST_CAP, fmin(COST_CAP, dual * k->cost[j]));
        k->lower[j] *= primal;
        k->upper[j] *= primal;
    }
    for (int r = 0; r < k->rows; r++)
        k->row_lower[r] = k->row_upper[r] = primal * k->row_lower[r];
}

/* x += part * change; nonbasic columns go to their bounds in m. True if an entry of x changed. */
static bool correct(const lp_model *m, const unsigned char *basis, const double *change,
                    double part, double *x)
{
    bool changed = false;
    for (int j = 0; j < m->cols; j++) {
        const double before = x[j];
        x[j] = basis[j] == LP_AT_LOWER   ? m->lower[j]
               : basis[j] == LP_AT_UPPER ? m->upper[j]
                                         : x[j] + part * change[j];
        changed |= x[j] != before;
    }
    return changed;
}

/* y + low += part * change; true if an entry changed. */
static bool correct_duals(int rows, const double *change, double part, double *y, double *low)
{
    bool changed = false;
    for (int r = 0; r < rows; r++) {
        const double high = y[r], rest = low[r];
        const long double sum = (long double)high + rest + (long double)part * change[r];
        y[r] = (double)sum;
        low[r] = (double)(sum - y[r]);
        changed |= y[r] != high || low[r] != rest;
    }
    return changed;
}

/* Returns a solver of the correction that starts from the basis of m; the slacks of its rows are
 * nonbasic and fixed. */
static lp_solver *begin_correction(const lp_solver *s, const lp_model *k,
                                   const unsigned char *basis)
{
    unsigned char *status = base_malloc((size_t)k->cols + (size_t)k->rows + 1, sizeof *status);
    memcpy(status, basis, (size_t)k->cols);
    memset(status + k->cols, LP_FIXED, (size_t)k->rows);
    lp_params params = s->params;
    params.cutoff = INFINITY;
    params.method = LP_METHOD_DUAL;
    lp_solver *correction = lp_solver_create(k, &params);
    lp_set_basis(correction, status);
    base_free(status);
    return correction;
}

/* Takes the statuses of the columns and rows of m from the basis of the correction. False if a
 * slack of the correction is basic: then m has too few basic variables. */
static bool copy_basis(const lp_solver *correction, unsigned char *basis)
{
    const int cols = lp_solver_model(correction)->cols, rows = lp_solver_model(correction)->rows;
    unsigned char *status = base_malloc((size_t)cols + (size_t)rows + 1, sizeof *status);
    lp_get_basis(correction, status);
    const bool complete = memchr(status + cols, LP_BASIC, (size_t)rows) == NULL;
    if (complete)
        memcpy(basis, status, (size_t)cols);
    base_free(status);
    return complete;
}

/* Applies an optimum of the correction. LP_UNSOLVED if nothing changes. */
static lp_status apply_correction(const lp_solver *correction, const lp_model *m, double primal,
                                  double dual, unsigned char *basis, double *x, double *y,
                                  double *low)
{
    if (!copy_basis(correction, basis))
        return LP_UNSOLVED;
    bool changed = correct(m, basis, lp_primal(correction), 1.0 / primal, x);
    changed |= correct_duals(m->rows, lp_dual(correction), 1.0 / dual, y, low);
    return changed ? LP_OPTIMAL : LP_UNSOLVED;
}

lp_status lp_refine(const lp_solver *s, unsigned char *basis, double *x, double *y, double *low)
{
    misfit f = {0.0, 0.0};
    lp_model *k = make_correction(s->model, basis, x, y, low, &f);
    const double primal = magnifier(f.primal), dual = magnifier(f.dual);
    magnify(k, primal, dual);
    lp_solver *correction = begin_correction(s, k, basis);
    lp_status status = lp_solve(correction);
    if (status == LP_OPTIMAL) {
        status = apply_correction(correction, s->model, primal, dual, basis, x, y, low);
    } else if (status == LP_INFEASIBLE &&
               lp_farkas_is_proof(s->model, NULL, NULL, lp_farkas(correction))) {
        memcpy(y, lp_farkas(correction), (size_t)s->rows * sizeof *y);
    } else {
        status = LP_UNSOLVED;
    }
    lp_solver_free(correction);
    lp_model_free(k);
    return status;
}
