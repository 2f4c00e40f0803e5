/* Exact verdicts: integers are fixed at a point and the rest is solved in rational arithmetic,
 * or all integer points are enumerated. */
#include "tests/bnb/mip_judge.h"

#include <string.h>

#include "tests/lp/exact_lp.h"
#include "tests/lp/owned.h"

void mip_truth_init(mip_truth *t, const lp_model *m)
{
    *t = (mip_truth){0};
    mpq_init(t->objective);
    t->x = base_calloc((size_t)m->cols + 1, sizeof *t->x);
}

void mip_truth_clear(mip_truth *t)
{
    mpq_clear(t->objective);
    base_free(t->x);
}

static void widen(double *lower, double *upper, int extent, double tolerance)
{
    for (int k = 0; k < extent; k++) {
        lower[k] -= isinf(lower[k]) ? 0.0 : tolerance * (1.0 + fabs(lower[k]));
        upper[k] += isinf(upper[k]) ? 0.0 : tolerance * (1.0 + fabs(upper[k]));
    }
}

/* m with its integers fixed at x rounded; NULL when these are not within their bounds. */
static lp_model *fix_integers(const lp_model *m, const double *x, double tolerance)
{
    lp_model *fixed = lp_model_copy(m);
    bool within = true;
    if (tolerance > 0.0) {
        widen(fixed->row_lower, fixed->row_upper, m->rows, tolerance);
        widen(fixed->lower, fixed->upper, m->cols, tolerance);
    }
    for (int j = 0; j < m->cols; j++) {
        const double whole = nearbyint(x[j]);
        if (!m->integer[j])
            continue;
        within = within && whole >= fixed->lower[j] && whole <= fixed->upper[j];
        fixed->lower[j] = fixed->upper[j] = whole;
    }
    if (within)
        return fixed;
    lp_model_free(fixed);
    return NULL;
}

static void keep(mip_truth *t, const lp_model *m, const double *x, const mpq_t objective)
{
    if (t->feasible && mpq_cmp(t->objective, objective) <= 0)
        return;
    t->feasible = true;
    mpq_set(t->objective, objective);
    memcpy(t->x, x, (size_t)m->cols * sizeof *x);
}

mip_fate mip_judge(const lp_model *m, const double *x, double tolerance, mip_truth *t,
                   mpq_t *objective)
{
    for (int pass = 0; pass < 2; pass++) {
        lp_model *fixed = fix_integers(m, x, pass == 0 ? 0.0 : tolerance);
        if (!fixed)
            continue;
        exact_lp_answer a = exact_lp_solve(fixed);
        const lp_status status = a.status;
        if (status == LP_OPTIMAL) {
            if (pass == 0)
                keep(t, m, a.x, a.objective);
            if (objective)
                mpq_set(*objective, a.objective);
        } else if (status == LP_UNBOUNDED && pass == 0) {
            t->endless = true;
        }
        exact_lp_clear(&a);
        lp_model_free(fixed);
        if (status == LP_UNSOLVED)
            return MIP_UNJUDGED;
        if (status == LP_OPTIMAL || status == LP_UNBOUNDED)
            return pass == 0 ? MIP_SOLUTION : MIP_NEARLY;
    }
    return MIP_NO_SOLUTION;
}

double mip_least_nearly(const lp_model *m, const double *x, double tolerance)
{
    lp_model *fixed = fix_integers(m, x, tolerance);
    if (!fixed)
        return LP_INFINITY;
    exact_lp_answer a = exact_lp_solve(fixed);
    const double least = a.status == LP_OPTIMAL      ? mpq_get_d(a.objective)
                         : a.status == LP_INFEASIBLE ? LP_INFINITY
                                                     : -LP_INFINITY;
    exact_lp_clear(&a);
    lp_model_free(fixed);
    return least;
}

static bool enumerate_from(const lp_model *m, int j, double *x, mip_truth *t)
{
    while (j < m->cols && !m->integer[j])
        j++;
    if (j == m->cols)
        return mip_judge(m, x, 0.0, t, NULL) != MIP_UNJUDGED;
    bool all = true;
    for (double v = ceil(m->lower[j]); all && v <= m->upper[j]; v += 1.0) {
        x[j] = v;
        all = enumerate_from(m, j + 1, x, t);
    }
    return all;
}

void mip_enumerate(const lp_model *m, double most, mip_truth *t)
{
    double points = 1.0;
    for (int j = 0; j < m->cols; j++)
        if (m->integer[j])
            points *= fmax(0.0, floor(m->upper[j]) - ceil(m->lower[j]) + 1.0);
    if (!(points <= most))
        return;
    OWNED(double) *x = base_calloc((size_t)m->cols + 1, sizeof *x);
    t->complete = enumerate_from(m, 0, x, t);
}

int mip_relaxation(const lp_model *m, double tolerance)
{
    lp_model *relaxed = lp_model_copy(m);
    if (tolerance > 0.0) {
        widen(relaxed->row_lower, relaxed->row_upper, m->rows, tolerance);
        widen(relaxed->lower, relaxed->upper, m->cols, tolerance);
    }
    exact_lp_answer a = exact_lp_solve(relaxed);
    lp_model_free(relaxed);
    const lp_status status = a.status;
    exact_lp_clear(&a);
    return (int)status;
}

static double cone(double side, double none)
{
    return isfinite(side) ? 0.0 : none;
}

bool mip_has_direction(const lp_model *m, double tolerance)
{
    OWNED(lp_model) *d = lp_model_copy(m);
    double *size = base_calloc((size_t)m->rows + 1, sizeof *size), costs = 0.0;
    for (int j = 0; j < m->cols; j++) {
        d->lower[j] = cone(m->lower[j], -1.0);
        d->upper[j] = cone(m->upper[j], 1.0);
        costs += fabs(m->cost[j]);
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            size[m->index[k]] += fabs(m->value[k]);
    }
    for (int r = 0; r < m->rows; r++) {
        d->row_lower[r] = cone(m->row_lower[r], -LP_INFINITY) - tolerance * size[r];
        d->row_upper[r] = cone(m->row_upper[r], LP_INFINITY) + tolerance * size[r];
    }
    d->offset = 0.0;
    exact_lp_answer a = exact_lp_solve(d);
    const bool falls = a.status == LP_OPTIMAL && mpq_get_d(a.objective) < -tolerance * costs;
    exact_lp_clear(&a);
    base_free(size);
    return falls;
}
