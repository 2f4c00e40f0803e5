/* Unscaled results of the iterate, computed on request. */
#include <math.h>
#include <string.h>

#include "lp/safe.h"
#include "lp/simplex/engine.h"

#define FARKAS_ZERO 1e-13

void lp_results_reset(lp_solver *s)
{
    lp_results *r = s->results;
    r->have_primal = r->have_dual = r->have_farkas = false;
    s->last = LP_UNSOLVED;
}

void lp_results_free(lp_results *r)
{
    base_free_all(r->x, r->activity, r->y, r->farkas, r->ray, r);
}

/* Makes *array all zero, with this extent. */
static double *reserve_zeros(double **array, int extent)
{
    *array = base_realloc(*array, (size_t)extent + 1, sizeof **array);
    return memset(*array, 0, (size_t)extent * sizeof **array);
}

static double scaled_value(const lp_solver *s, int j)
{
    return s->place[j] >= 0 ? s->xb[s->place[j]] : s->value[j];
}

/* ---- primal --------------------------------------------------------------- */

static void make_primal(const lp_solver *s)
{
    lp_results *r = s->results;
    if (r->have_primal)
        return;
    const lp_model *m = s->model;
    reserve_zeros(&r->x, s->cols);
    reserve_zeros(&r->activity, s->rows);
    for (int j = 0; j < s->cols; j++) {
        double x = r->x[j] = scaled_value(s, j) * s->unit[j];
        if (x == 0.0)
            continue;
        for (int e = m->start[j]; e < m->start[j + 1]; e++)
            r->activity[m->index[e]] += m->value[e] * x;
    }
    r->have_primal = true;
}

const double *lp_primal(const lp_solver *s)
{
    make_primal(s);
    return s->results->x;
}

const double *lp_activity(const lp_solver *s)
{
    make_primal(s);
    return s->results->activity;
}

double lp_objective(const lp_solver *s)
{
    return lp_model_objective(s->model, lp_primal(s));
}

/* ---- dual ----------------------------------------------------------------- */

/* Returns the reduced cost of j for the true costs, with the present multipliers. */
static double true_reduced_cost(const lp_solver *s, int j)
{
    double d = s->place[j] >= 0 ? 0.0 : s->d[j];
    return s->perturbed ? d + (s->cost[j] - s->work_cost[j]) : d;
}

const double *lp_dual(const lp_solver *s)
{
    lp_results *r = s->results;
    if (r->have_dual)
        return r->y;
    reserve_zeros(&r->y, s->rows);
    for (int i = 0; i < s->rows; i++)
        r->y[i] = -true_reduced_cost(s, s->cols + i) / (s->unit[s->cols + i] * s->cost_unit);
    r->have_dual = true;
    return r->y;
}

double lp_results_dual_bound(lp_solver *s)
{
    if (!s->perturbed && !s->bounds_perturbed && s->dual_clean)
        return s->dual_objective / s->cost_unit + s->model->offset;
    double sum = 0.0;
    for (int j = 0; j < s->vars; j++) {
        double d = true_reduced_cost(s, j);
        if (d == 0.0)
            continue;
        double bound = d > 0.0 ? s->lower[j] : s->upper[j];
        if (isfinite(bound))
            sum += d * bound;
        else if (fabs(d) > s->dual_tolerance)
            return -INFINITY;
    }
    return sum / s->cost_unit + s->model->offset;
}

double lp_dual_objective(const lp_solver *s)
{
    return s->last_dual_bound;
}

/* ---- infeasibility and unboundedness -------------------------------------- */

/* Rough strength of a proof by multipliers. */
typedef struct proof {
    double bound; /* y'(sides) + d'(bounds), > 0 if there is no feasible point */
    double size;  /* magnitude of its terms */
    double moved; /* decrease of bound if all sides and bounds are wider by 1 */
    bool endless; /* a multiplier or reduced cost beyond rounding meets infinity */
} proof;

static void add_term(proof *p, double multiplier, double lower, double upper, double zero)
{
    double side = multiplier > 0.0 ? lower : upper;
    if (multiplier == 0.0)
        return;
    if (isfinite(side)) {
        p->bound += multiplier * side;
        p->size += fabs(multiplier * side);
        p->moved += fabs(multiplier);
    } else if (fabs(multiplier) > zero) {
        p->endless = true;
    }
}

static proof measure_farkas(const lp_model *m, const double *y)
{
    proof p = {0};
    double largest = 0.0;
    for (int r = 0; r < m->rows; r++)
        largest = fmax(largest, fabs(y[r]));
    for (int r = 0; r < m->rows; r++)
        add_term(&p, y[r], m->row_lower[r], m->row_upper[r], FARKAS_ZERO * largest);
    for (int j = 0; j < m->cols; j++) {
        double d = 0.0, terms = 0.0;
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            double term = y[m->index[e]] * m->value[e];
            d -= term;
            terms += fabs(term);
        }
        add_term(&p, d, m->lower[j], m->upper[j], FARKAS_ZERO * (terms + largest));
    }
    return p;
}

/* Accepts a proof by lp_farkas_is_proof, unless it proves no more than rounding errors of the
 * numbers of the model: rows that are parallel except for the last digits contradict one another
 * that little. within_rounding also accepts a proof in which tiny reduced costs at infinite
 * bounds count as zero, since free columns leave no other way. Such a proof must hold with sides
 * and bounds wider by the tolerance. */
bool lp_results_compute_farkas(lp_solver *s, double sign, bool within_rounding)
{
    lp_results *r = s->results;
    reserve_zeros(&r->farkas, s->rows);
    for (int k = 0; k < s->rho.count; k++) {
        int i = s->rho.index[k];
        r->farkas[i] = -sign * s->rho.value[i] / s->unit[s->cols + i];
    }
    proof p = measure_farkas(s->model, r->farkas);
    bool beyond = p.bound > FARKAS_ZERO * p.size;
    r->farkas_proves = beyond && lp_farkas_is_proof(s->model, NULL, NULL, r->farkas);
    r->have_farkas = r->farkas_proves ||
                     (within_rounding && beyond && !p.endless && p.bound > LP_TOLERANCE * p.moved);
    return r->have_farkas;
}

void lp_results_store_farkas(lp_solver *s, const double *y)
{
    memcpy(reserve_zeros(&s->results->farkas, s->rows), y, (size_t)s->rows * sizeof *y);
    s->results->have_farkas = true;
    s->results->farkas_proves = lp_farkas_is_proof(s->model, NULL, NULL, y);
}

const double *lp_farkas(const lp_solver *s)
{
    lp_results *r = s->results;
    if (!r->have_farkas) /* crossed bounds need no multipliers */
        reserve_zeros(&r->farkas, s->rows);
    return r->farkas;
}

const double *lp_ray(const lp_solver *s)
{
    return s->results->ray;
}

/* ---- state ---------------------------------------------------------------- */

lp_status lp_last_status(const lp_solver *s)
{
    return s->last;
}

long lp_iterations(const lp_solver *s)
{
    return s->iterations;
}
