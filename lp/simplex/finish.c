/* What double precision cannot decide of a small model is decided in rational arithmetic. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "lp/rational.h"
#include "lp/safe.h"
#include "lp/simplex/finish.h"
#include "lp/simplex/results.h"

enum { MOST_ROWS = 100, MOST_ENTRIES = 5000 }; /* of a small model */

#define WORK 1e6       /* some tenths of a second */
#define ROUNDING 1e-12 /* of a sum, relative to its terms, beyond the tolerances */
#define RELAXED 1e-7   /* tolerances where rounding errors leave nothing within those asked for */

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

/* Largest sizes of what the optimality conditions of an optimum add up. */
typedef struct sizes {
    double row_terms, column_terms; /* a row's sum of |a x|, a column's of |a y| */
    double side, cost;              /* of the model; at least 1 */
} sizes;

static sizes measure(const lp_model *m, const double *x, const double *y)
{
    double terms[MOST_ROWS] = {0.0};
    sizes z = {.side = 1.0, .cost = largest_of(m->cost, m->cols, 1.0)};
    for (int j = 0; j < m->cols; j++) {
        double dual_terms = 0.0;
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            terms[m->index[e]] += fabs(m->value[e] * x[j]);
            dual_terms += fabs(m->value[e] * y[m->index[e]]);
        }
        z.column_terms = lp_max(z.column_terms, dual_terms);
    }
    z.row_terms = largest_of(terms, m->rows, 0.0);
    z.side = largest_of(m->row_lower, m->rows, largest_of(m->row_upper, m->rows, z.side));
    z.side = largest_of(m->lower, m->cols, largest_of(m->upper, m->cols, z.side));
    return z;
}

/* Whether x and y meet the optimality conditions within tolerances. */
static bool is_optimum(const lp_model *m, const double *x, const double *y, const sizes *z,
                       double primal, double dual)
{
    const lp_kkt kkt = lp_kkt_check(m, x, y);
    return fmax(kkt.primal_row, kkt.primal_bound) <= primal + ROUNDING * z->row_terms &&
           kkt.dual <= dual + ROUNDING * z->column_terms && kkt.complementarity <= RELAXED;
}

bool lp_rational_is_wanted(const lp_model *m, const double *x, const double *y,
                           const lp_params *params)
{
    if (!is_small(m))
        return false;
    const double primal = params->primal_tolerance, dual = params->dual_tolerance;
    const sizes z = measure(m, x, y);
    return DBL_EPSILON * z.row_terms > primal * z.side ||
           DBL_EPSILON * z.column_terms > dual * z.cost || !is_optimum(m, x, y, &z, primal, dual);
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
    r->have_farkas = r->farkas_proves = a->status == LP_INFEASIBLE;
    r->have_ray = a->status == LP_UNBOUNDED;
    r->objective = a->objective;
    r->exact_proof = a->exact_proof;
    a->exact_proof = NULL;
    if (a->status == LP_OPTIMAL)
        s->last_dual_bound = a->dual_objective;
}

/* Whether a solve that ended so is to go on in rational arithmetic. */
static bool is_undecided(const lp_solver *s, lp_status status)
{
    if (status == LP_NUMERICAL_TROUBLE ||
        (status == LP_INFEASIBLE && !s->results->farkas_proves && s->results->have_farkas))
        return is_small(s->model);
    return status == LP_OPTIMAL &&
           lp_rational_is_wanted(s->model, lp_primal(s), lp_dual(s), &s->params);
}

/* Whether the point and multipliers of an exact optimum are one after rounding too. */
static bool survives_rounding(const lp_model *m, const lp_answer *a)
{
    const sizes z = measure(m, a->x, a->y);
    const lp_kkt kkt = lp_kkt_check(m, a->x, a->y);
    return fmax(kkt.primal_row, kkt.primal_bound) <= RELAXED * z.side &&
           kkt.dual <= RELAXED * z.cost && kkt.complementarity <= RELAXED;
}

/* Whether an exact answer counts after a solve that ended so. An optimum that is one but for
 * rounding stays one where only sides that are wider by as much make the model feasible, or where a
 * direction without end improves it by less than the tolerance. Infeasibility that is proven but
 * for rounding stays where all there is instead are points so far off that rounding spoils them. */
static bool is_decided(const lp_solver *s, lp_status status, const lp_answer *a)
{
    if (a->status != LP_OPTIMAL && a->status != LP_INFEASIBLE && a->status != LP_UNBOUNDED)
        return false;
    if (status == LP_INFEASIBLE)
        return a->status == LP_INFEASIBLE ||
               (a->status == LP_OPTIMAL && survives_rounding(s->model, a));
    if (a->status == LP_OPTIMAL || status == LP_NUMERICAL_TROUBLE ||
        (a->status == LP_UNBOUNDED && lp_ray_is_proof(s->model, a->ray)))
        return true;
    const sizes z = measure(s->model, lp_primal(s), lp_dual(s));
    return !is_optimum(s->model, lp_primal(s), lp_dual(s), &z, RELAXED, RELAXED);
}

lp_status lp_engine_finish(lp_solver *s, lp_status status)
{
    if (!is_undecided(s, status))
        return status;
    unsigned char *basis = base_malloc((size_t)s->vars + 1, sizeof *basis);
    lp_params params = s->params;
    params.iteration_limit = s->iteration_end - s->iterations;
    lp_get_basis(s, basis);
    lp_answer *a = lp_rational_solve(s->model, basis, &params, WORK);
    base_free(basis);
    s->iterations += a->iterations;
    if (is_decided(s, status, a)) {
        status = a->status;
        take(s, a);
    }
    lp_answer_free(a);
    return status;
}
