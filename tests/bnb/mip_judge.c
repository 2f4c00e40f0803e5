/* Exact verdicts: integers are fixed at a point and the rest is solved in rational arithmetic,
 * or all integer points are enumerated. */
#include "tests/bnb/mip_judge.h"

#include <string.h>

#include "lp/rational.h"

#define RATIONAL_WORK 1e7 /* for which lp_rational_solve takes up to a second */

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

/* Exact, from the basis that floating point ends with. */
static lp_answer *solve_exactly(const lp_model *m)
{
    lp_solver *s = lp_solver_create(m, NULL);
    unsigned char *basis = base_malloc((size_t)(m->rows + m->cols) + 1, sizeof *basis);
    lp_solve(s);
    lp_get_basis(s, basis);
    lp_answer *a = lp_rational_solve(m, basis, NULL, RATIONAL_WORK);
    base_free(basis);
    lp_solver_free(s);
    return a;
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
        lp_answer *a = solve_exactly(fixed);
        const lp_status status = a->status;
        if (status == LP_OPTIMAL) {
            mpq_t value;
            mpq_init(value);
            mpq_set_str(value, a->exact_objective, 10);
            mpq_canonicalize(value);
            if (pass == 0)
                keep(t, m, a->x, value);
            if (objective)
                mpq_set(*objective, value);
            mpq_clear(value);
        } else if (status == LP_UNBOUNDED && pass == 0) {
            t->endless = true;
        }
        lp_answer_free(a);
        lp_model_free(fixed);
        if (status == LP_ITERATION_LIMIT)
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
    lp_answer *a = solve_exactly(fixed);
    const double least = a->status == LP_OPTIMAL      ? a->objective
                         : a->status == LP_INFEASIBLE ? LP_INFINITY
                                                      : -LP_INFINITY;
    lp_answer_free(a);
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
    double *x = base_calloc((size_t)m->cols + 1, sizeof *x);
    t->complete = enumerate_from(m, 0, x, t);
    base_free(x);
}

int mip_relaxation(const lp_model *m, double tolerance)
{
    lp_model *relaxed = lp_model_copy(m);
    if (tolerance > 0.0) {
        widen(relaxed->row_lower, relaxed->row_upper, m->rows, tolerance);
        widen(relaxed->lower, relaxed->upper, m->cols, tolerance);
    }
    lp_answer *a = solve_exactly(relaxed);
    lp_model_free(relaxed);
    const lp_status status = a->status;
    lp_answer_free(a);
    return status == LP_ITERATION_LIMIT ? LP_UNSOLVED : (int)status;
}
