/* lp_presolve_solve: presolve, simplex, postsolve, and the simplex on the model itself where
 * the result is not good enough. */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "lp/presolve.h"
#include "lp/rational.h"
#include "lp/safe.h"

#define ROUNDING 1e-12 /* of a sum, relative to its terms, beyond the tolerances */

static double *copied(const double *from, int extent)
{
    double *to = base_malloc((size_t)extent + 1, sizeof *to);
    memcpy(to, from, (size_t)extent * sizeof *to);
    return to;
}

static unsigned char *statuses(int extent)
{
    return base_malloc((size_t)extent + 1, sizeof(unsigned char));
}

/* ---- judging what came back ---------------------------------------------------------- */

/* Fills a's activity and makes zeros of x positive; true when x is within the bounds and
 * sides. */
static bool primal_holds(const lp_model *m, lp_answer *a, double tolerance)
{
    bool holds = true;
    double *size = base_calloc((size_t)m->rows + 1, sizeof *size);
    a->activity = base_calloc((size_t)m->rows + 1, sizeof *a->activity);
    for (int j = 0; j < m->cols; j++) {
        double x = a->x[j] += 0.0, room = tolerance + ROUNDING * fabs(x);
        holds = holds && x >= m->lower[j] - room && x <= m->upper[j] + room;
        for (int e = m->start[j]; x != 0.0 && e < m->start[j + 1]; e++) {
            double term = m->value[e] * x;
            a->activity[m->index[e]] += term;
            size[m->index[e]] += fabs(term);
        }
    }
    for (int r = 0; r < m->rows; r++) {
        double room = tolerance + ROUNDING * size[r];
        holds = holds && a->activity[r] >= m->row_lower[r] - room &&
                a->activity[r] <= m->row_upper[r] + room;
    }
    base_free(size);
    return holds;
}

/* Whether a dual value suits the status of its variable. */
static bool sign_holds(unsigned char status, double dual, double room)
{
    switch (status) {
    case LP_AT_LOWER:
        return dual >= -room;
    case LP_AT_UPPER:
        return dual <= room;
    case LP_FIXED:
        return isfinite(dual);
    default:
        return fabs(dual) <= room;
    }
}

/* Reduced costs afresh from the multipliers; true when all signs are right. */
static bool dual_holds(const lp_model *m, lp_answer *a, double tolerance)
{
    bool holds = true;
    for (int r = 0; r < m->rows; r++)
        holds = holds && sign_holds(a->basis[m->cols + r], a->y[r], tolerance);
    for (int j = 0; j < m->cols; j++) {
        double d = m->cost[j], size = fabs(d);
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            double term = m->value[e] * a->y[m->index[e]];
            d -= term;
            size += fabs(term);
        }
        double room = tolerance + ROUNDING * size;
        holds = holds && sign_holds(a->basis[j], d, room);
        a->d[j] = a->basis[j] == LP_BASIC && fabs(d) <= room ? 0.0 : d;
    }
    return holds;
}

/* Objectives of the point; true when they agree. */
static bool objectives_agree(const lp_model *m, lp_answer *a)
{
    long double dual = m->offset;
    double size = fabs(m->offset);
    for (int k = 0; k < m->cols + m->rows; k++) {
        bool is_col = k < m->cols;
        int i = is_col ? k : k - m->cols;
        double value = is_col ? a->d[i] : a->y[i];
        double lower = is_col ? m->lower[i] : m->row_lower[i];
        double upper = is_col ? m->upper[i] : m->row_upper[i];
        double bound = value > 0.0 ? lower : upper;
        if (value == 0.0 || isinf(bound))
            continue;
        dual += (long double)value * bound;
        size += fabs(value * bound);
    }
    a->objective = lp_model_objective(m, a->x);
    a->dual_objective = (double)dual;
    return fabs(a->objective - a->dual_objective) <=
           1e-9 * (1.0 + fabs(a->objective)) + ROUNDING * size;
}

static bool basis_is_full(const lp_model *m, const lp_answer *a)
{
    int basic = 0;
    for (int k = 0; k < m->cols + m->rows; k++)
        basic += a->basis[k] == LP_BASIC;
    return basic == m->rows;
}

/* ---- solving ---------------------------------------------------------------------------- */

/* A solve of m with presolve. */
typedef struct lp_run {
    const lp_model *m;
    lp_params params;
    lp_presolve *presolve;
    lp_model *small; /* the reduced model */
    long iterations; /* of the reduced model */
    double bound;    /* dual objective of the reduced model */
} lp_run;

/* The simplex on the model itself, from a basis (NULL: none). Frees start. */
static lp_answer *solve_itself(const lp_run *run, lp_answer *start)
{
    lp_params params = run->params;
    if (params.iteration_limit < LONG_MAX)
        params.iteration_limit -=
            run->iterations < params.iteration_limit ? run->iterations : params.iteration_limit;
    lp_solver *s = lp_solver_create(run->m, &params);
    if (start)
        lp_set_basis(s, start->basis);
    lp_solve(s);
    lp_answer *a = lp_answer_of(s);
    a->cleaned_up = true;
    a->clean_up_iterations = a->iterations;
    a->iterations += run->iterations;
    if (a->status != LP_OPTIMAL)
        a->dual_objective = fmax(a->dual_objective, run->bound);
    lp_solver_free(s);
    lp_answer_free(start);
    return a;
}

/* The basic solution of the reduced model (s NULL: nothing is left of it) taken back. */
static lp_answer *restored(const lp_run *run, const lp_solver *s, lp_status status)
{
    const lp_model *m = run->m;
    lp_answer *a = lp_answer_create(status);
    a->iterations = run->iterations;
    a->x = base_malloc((size_t)m->cols + 1, sizeof *a->x);
    a->d = base_malloc((size_t)m->cols + 1, sizeof *a->d);
    a->y = base_malloc((size_t)m->rows + 1, sizeof *a->y);
    a->basis = statuses(m->rows + m->cols);
    lp_point to = {a->x, a->d, a->y, a->basis}, from = {0};
    if (s) {
        int rows = lp_rows(s), cols = lp_cols(s);
        from = (lp_point){copied(lp_primal(s), cols), copied(lp_reduced_cost(s), cols),
                          copied(lp_dual(s), rows), statuses(rows + cols)};
        lp_get_basis(s, from.basis);
    }
    lp_presolve_restore(run->presolve, &from, &to);
    base_free(from.x);
    base_free(from.d);
    base_free(from.y);
    base_free(from.basis);
    return a;
}

/* The optimum taken back. */
static lp_answer *take_back(const lp_run *run, const lp_solver *s)
{
    const lp_model *m = run->m;
    lp_answer *a = restored(run, s, LP_OPTIMAL);
    bool primal = primal_holds(m, a, run->params.primal_tolerance);
    bool dual = dual_holds(m, a, run->params.dual_tolerance);
    if (objectives_agree(m, a) && primal && dual && basis_is_full(m, a) &&
        !lp_rational_is_wanted(m, a->x, a->y, &run->params))
        return a;
    return solve_itself(run, a);
}

/* A direction without end taken back, with the point that it starts from; NULL when it is
 * none of the model. */
static lp_answer *take_ray_back(const lp_run *run, const lp_solver *s)
{
    const lp_model *m = run->m;
    lp_answer *a = restored(run, s, LP_UNBOUNDED);
    a->ray = base_malloc((size_t)m->cols + 1, sizeof *a->ray);
    lp_presolve_restore_ray(run->presolve, lp_ray(s), a->ray);
    if (!primal_holds(m, a, run->params.primal_tolerance) || !lp_ray_is_proof(m, a->ray)) {
        lp_answer_free(a);
        return NULL;
    }
    a->objective = lp_model_objective(m, a->x);
    base_free(a->d);
    base_free(a->y);
    base_free(a->basis);
    a->d = a->y = NULL;
    a->basis = NULL;
    return a;
}

/* A proof of infeasibility taken back; NULL when it is none of the model. */
static lp_answer *take_farkas_back(const lp_run *run, const lp_solver *s)
{
    lp_answer *a = lp_answer_create(LP_INFEASIBLE);
    a->iterations = run->iterations;
    a->farkas = base_calloc((size_t)run->m->rows + 1, sizeof *a->farkas);
    lp_presolve_restore_farkas(run->presolve, run->small, lp_farkas(s), a->farkas);
    if (lp_farkas_is_proof(run->m, NULL, NULL, a->farkas))
        return a;
    lp_answer_free(a);
    return NULL;
}

static lp_answer *solve_reduced(lp_run *run)
{
    run->small = lp_presolve_take_model(run->presolve);
    lp_solver *s = lp_solver_create(run->small, &run->params);
    lp_status status = lp_solve(s);
    run->iterations = lp_iterations(s);
    run->bound = lp_dual_objective(s);
    lp_answer *a = NULL;
    switch (status) {
    case LP_OPTIMAL:
        a = take_back(run, s);
        break;
    case LP_INFEASIBLE:
        a = take_farkas_back(run, s);
        break;
    case LP_UNBOUNDED:
        a = take_ray_back(run, s);
        break;
    case LP_NUMERICAL_TROUBLE:
        break;
    default: /* cutoff or a limit: the bound holds for the model too */
        a = lp_answer_create(status);
        a->dual_objective = run->bound;
        a->iterations = run->iterations;
    }
    lp_solver_free(s);
    if (a)
        return a;
    run->bound = -LP_INFINITY;
    return solve_itself(run, NULL);
}

static lp_answer *solve(lp_run *run)
{
    lp_presolve_size left = lp_presolve_reduced_size(run->presolve);
    if (lp_presolve_stopped(run->presolve) != BASE_GO)
        return lp_answer_create(lp_limit_status(lp_presolve_stopped(run->presolve)));
    if (left.rows == 0 && left.cols == 0 && !lp_presolve_failed(run->presolve))
        return take_back(run, NULL);
    return solve_reduced(run);
}

static void report(const lp_run *run)
{
    lp_presolve_size left = lp_presolve_reduced_size(run->presolve);
    fprintf(stderr, "presolve: %d rows, %d columns, %d entries left of %d, %d, %d\n", left.rows,
            left.cols, left.entries, run->m->rows, run->m->cols, run->m->start[run->m->cols]);
}

lp_answer *lp_presolve_solve(const lp_model *m, const lp_params *params)
{
    lp_run run = {.m = m, .params = params ? *params : lp_params_default(), .bound = -LP_INFINITY};
    run.presolve = lp_presolve_create(m, &run.params.tuning, &run.params.limits);
    if (run.params.log > 0)
        report(&run);
    lp_answer *a = solve(&run);
    a->reduced = lp_presolve_reduced_size(run.presolve);
    lp_presolve_free(run.presolve);
    lp_model_free(run.small);
    return a;
}
