/* What double precision cannot decide of a small model is decided in rational arithmetic. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "lp/engine.h"
#include "lp/rational.h"
#include "lp/safe.h"

enum { MOST_ROWS = 100, MOST_ENTRIES = 5000 }; /* of a small model */

#define WORK 1e6 /* some tenths of a second */

static double largest_of(const double *values, int count, double so_far)
{
    for (int k = 0; k < count; k++)
        if (isfinite(values[k]))
            so_far = lp_max(so_far, fabs(values[k]));
    return so_far;
}

static bool is_small(const lp_model *m)
{
    return m->rows <= MOST_ROWS && m->start[m->cols] <= MOST_ENTRIES;
}

bool lp_rational_is_wanted(const lp_model *m, const double *x, const double *y,
                           const lp_params *params)
{
    if (!is_small(m))
        return false;
    double terms[MOST_ROWS] = {0.0}, most = 0.0;
    for (int j = 0; j < m->cols; j++) {
        double dual_terms = 0.0;
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            terms[m->index[e]] += fabs(m->value[e] * x[j]);
            dual_terms += fabs(m->value[e] * y[m->index[e]]);
        }
        most = lp_max(most, dual_terms);
    }
    const double cost = largest_of(m->cost, m->cols, 1.0);
    if (DBL_EPSILON * most > params->dual_tolerance * cost)
        return true;
    most = largest_of(terms, m->rows, 0.0);
    double side = largest_of(m->row_lower, m->rows, largest_of(m->row_upper, m->rows, 1.0));
    side = largest_of(m->lower, m->cols, largest_of(m->upper, m->cols, side));
    return DBL_EPSILON * most > params->primal_tolerance * side;
}

static double *taken(double **from)
{
    double *array = *from;
    *from = NULL;
    return array;
}

/* Makes the answer the solver's results, and its basis the one to start from. */
static void take(lp_solver *s, lp_answer *a)
{
    lp_results *r = s->results;
    if (a->basis)
        lp_set_basis(s, a->basis);
    lp_results_reset(s);
    double **to[] = {&r->x, &r->activity, &r->d, &r->y, &r->farkas, &r->ray};
    double **from[] = {&a->x, &a->activity, &a->d, &a->y, &a->farkas, &a->ray};
    for (size_t k = 0; k < sizeof to / sizeof *to; k++)
        if (*from[k]) {
            base_free(*to[k]);
            *to[k] = taken(from[k]);
        }
    r->have_primal = r->have_objective = a->status == LP_OPTIMAL || a->status == LP_UNBOUNDED;
    r->have_dual = a->status == LP_OPTIMAL;
    r->have_farkas = a->status == LP_INFEASIBLE;
    r->have_ray = a->status == LP_UNBOUNDED;
    r->objective = a->objective;
    if (a->status == LP_OPTIMAL)
        s->last_dual_bound = a->dual_objective;
}

/* Whether a solve that ended so is to go on in rational arithmetic. */
static bool is_undecided(const lp_solver *s, lp_status status)
{
    if (status == LP_NUMERICAL_TROUBLE)
        return is_small(s->model);
    return status == LP_OPTIMAL &&
           lp_rational_is_wanted(s->model, lp_primal(s), lp_dual(s), &s->params);
}

lp_status lp_engine_finish(lp_solver *s, lp_status status)
{
    if (!is_undecided(s, status))
        return status;
    unsigned char *basis = base_malloc((size_t)s->vars + 1, sizeof *basis);
    lp_params params = s->params;
    params.iteration_limit = s->iteration_end - s->statistics.iterations;
    lp_get_basis(s, basis);
    lp_answer *a = lp_rational_solve(s->model, basis, &params, WORK);
    base_free(basis);
    s->statistics.iterations += a->iterations;
    /* an optimum within the tolerances stays one where sides that are wider by them make a model
     * feasible, or a direction without end improves it by less than they are */
    bool decided = a->status == LP_OPTIMAL;
    if (a->status == LP_INFEASIBLE)
        decided = status == LP_NUMERICAL_TROUBLE;
    else if (a->status == LP_UNBOUNDED)
        decided = status == LP_NUMERICAL_TROUBLE || lp_ray_is_proof(s->model, a->ray);
    if (decided) {
        status = a->status;
        take(s, a);
    }
    lp_answer_free(a);
    return status;
}
