/* lp_solve: brings the iterate up to date with changes of the model, runs the dual simplex and
 * cleans up with the primal. */
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "lp/safe.h"
#include "lp/simplex/compute.h"
#include "lp/simplex/dual.h"
#include "lp/simplex/primal.h"

#define ROUNDS 10      /* rounds of simplex, clean-up and tightened tolerances */
#define SHIFTED 1e-6   /* wrong reduced costs up to this are shifted to zero */
#define ROUNDINGS 32.0 /* rounding of a reduced cost, in DBL_EPSILON of the largest cost */
#define RELAXED 1e-7   /* primal tolerance after repeated trouble */
#define DRIFTED 1e-7   /* relative to its terms: a larger error of a reduced cost is trouble */
#define RAY_LENGTH 1048576.0 /* large, so that the absolute tolerances are small beside it */

/* ---- bringing the iterate up to date -------------------------------------- */

static void apply_changed_bounds(lp_solver *s)
{
    for (int k = 0; k < s->changes; k++) {
        int j = s->changed[k], p = s->place[j];
        s->is_changed[j] = false;
        if (p < 0) {
            if (!lp_engine_place_nonbasic(s, j))
                s->dual_clean = false;
        } else if (s->has_primal) {
            s->lb[p] = s->lo[j];
            s->ub[p] = s->up[j];
            lp_engine_check_position(s, p);
        }
    }
    s->changes = 0;
}

static void reload_basic_bounds(lp_solver *s)
{
    for (int p = 0; p < s->rows; p++) {
        s->lb[p] = s->lo[s->head[p]];
        s->ub[p] = s->up[s->head[p]];
    }
    lp_engine_check_all(s);
}

/* Returns the size below which rounding errors hide a reduced cost, a difference of terms as
 * large as the costs. */
static double cost_rounding(const lp_solver *s)
{
    double largest = 0.0;
    for (int j = 0; j < s->cols; j++)
        largest = lp_max(largest, fabs(s->cost[j]));
    return ROUNDINGS * DBL_EPSILON * largest;
}

/* Sets LP_TOLERANCE; the dual one is at least the rounding error of the costs. */
static void reset_tolerances(lp_solver *s)
{
    s->primal_tolerance = LP_TOLERANCE;
    s->dual_tolerance = lp_max(LP_TOLERANCE * fmin(1.0, s->cost_unit), cost_rounding(s));
}

static void prepare_solve(lp_solver *s)
{
    reset_tolerances(s);
    if (!s->has_factor) {
        s->has_primal = false;
        lp_engine_refactor(s);
    }
    if (s->perturbed)
        lp_engine_restore_costs(s);
    lp_engine_restore_bounds(s);
    bool all = !s->has_dual || !s->dual_clean || !s->has_primal || s->bounds_stale;
    if (s->params.method == LP_METHOD_PRIMAL &&
        !s->has_dual) { /* nonbasic variables stay where they are */
        apply_changed_bounds(s);
        lp_engine_place_all(s);
        all = s->dual_clean = false;
    }
    if (!s->has_dual)
        lp_engine_compute_dual(s);
    apply_changed_bounds(s);
    if (all)
        lp_engine_place_all(s);
    if (s->bounds_stale && s->has_primal)
        reload_basic_bounds(s);
    s->bounds_stale = false;
    if (!s->has_primal) {
        lp_engine_compute_objective(s);
        lp_engine_compute_primal(s);
        s->since_recompute = 0;
        s->drift = s->rounding = 0.0;
    } else {
        lp_engine_apply_shift(s);
    }
    if (s->save_wanted)
        lp_saved_store(s);
}

/* ---- a ray ------------------------------------------------------------------ */

static double cone_side(double side, double box)
{
    return isfinite(side) ? 0.0 : box;
}

/* Returns a model of the unlimited directions of m, of length at most RAY_LENGTH, with the costs
 * of m. */
static lp_model *directions_without_end(const lp_model *m)
{
    lp_model *cone = lp_model_copy(m);
    cone->offset = 0.0;
    for (int j = 0; j < m->cols; j++) {
        cone->lower[j] = cone_side(m->lower[j], -RAY_LENGTH);
        cone->upper[j] = cone_side(m->upper[j], RAY_LENGTH);
    }
    for (int r = 0; r < m->rows; r++) {
        cone->row_lower[r] = cone_side(m->row_lower[r], -LP_INFINITY);
        cone->row_upper[r] = cone_side(m->row_upper[r], LP_INFINITY);
    }
    return cone;
}

/* Called if rounding errors spoil the unlimited direction that the simplex found. Searches for
 * another one by a separate linear programme. True if results then hold a ray that proves itself.
 */
static bool find_ray(lp_solver *s)
{
    lp_results *r = s->results;
    lp_params params = lp_params_default();
    params.limits = s->params.limits;
    params.iteration_limit = s->iteration_end - s->iterations;
    lp_model *cone = directions_without_end(s->model);
    lp_solver *search = lp_solver_create(cone, &params);
    lp_model_free(cone);
    const bool found =
        lp_solve(search) == LP_OPTIMAL && lp_ray_is_proof(s->model, lp_primal(search));
    if (found) {
        r->ray = base_realloc(r->ray, (size_t)s->cols + 1, sizeof *r->ray);
        memcpy(r->ray, lp_primal(search), (size_t)s->cols * sizeof *r->ray);
    }
    s->iterations += lp_iterations(search);
    lp_solver_free(search);
    return found;
}

/* ---- the course of a solve ------------------------------------------------ */

/* Runs the primal after the true costs are restored. A wider tolerance keeps rounding errors from
 * sending it back to phase 1. The dual removes the infeasibilities that remain. */
static lp_status run_clean_up(lp_solver *s)
{
    const double tolerance = s->primal_tolerance;
    s->primal_tolerance = 10.0 * tolerance;
    lp_status status = lp_primal_simplex(s, find_ray);
    s->primal_tolerance = tolerance;
    s->progress.cleans_up = lp_is_stopped(status);
    if (s->progress.cleans_up)
        return status;
    lp_engine_check_all(s);
    return status == LP_OPTIMAL && !lp_engine_is_feasible(s) ? lp_dual_simplex(s) : status;
}

/* After an optimum for shifted costs: restores the true costs, and runs the primal if the basis
 * is then dual infeasible. */
static lp_status clean_up(lp_solver *s)
{
    lp_engine_restore_costs(s);
    lp_engine_compute_dual(s);
    s->dual_clean = lp_dual_infeasibility(s) <= s->dual_tolerance;
    return s->dual_clean ? LP_OPTIMAL : run_clean_up(s);
}

/* True if the bound with the true costs passes the cutoff too; else restores the true costs.
 * Gives up the cutoff if they are not dual feasible, or in the second attempt: then the objective
 * of shifted costs would stop the dual simplex again. */
static bool confirm_cutoff(lp_solver *s, bool again)
{
    if (!s->perturbed || lp_results_dual_bound(s) > s->cutoff)
        return true;
    lp_engine_restore_costs(s);
    prepare_solve(s);
    s->may_perturb = false;
    if (again || !s->dual_clean)
        s->cutoff = INFINITY;
    return false;
}

/* True if the violations in the units of the model are within LP_TOLERANCE. Else
 * tightens the tolerances of the solve. */
static bool within_tolerances(lp_solver *s)
{
    if (!s->has_units && s->cost_unit >= 1.0)
        return true;
    double primal = 0.0, dual = 0.0, zero = cost_rounding(s);
    for (int p = 0; p < s->rows; p++) {
        double v = lp_max(s->lb[p] - s->xb[p], s->xb[p] - s->ub[p]);
        if (v > 0.0)
            primal = lp_max(primal, v * s->unit[s->head[p]]);
    }
    for (int j = 0; j < s->vars; j++) {
        const double v = lp_engine_wrong_sign(s, j);
        if (v > zero)
            dual = lp_max(dual, v / (s->unit[j] * s->cost_unit));
    }
    bool good = true;
    if (primal > LP_TOLERANCE) {
        s->primal_tolerance *= lp_max(1e-4, 0.5 * LP_TOLERANCE / primal);
        good = false;
    }
    if (dual > LP_TOLERANCE && s->dual_tolerance > zero) {
        s->dual_tolerance *= lp_max(1e-4, 0.5 * LP_TOLERANCE / dual);
        s->dual_tolerance = lp_max(s->dual_tolerance, zero);
        good = false;
    }
    if (!good) {
        lp_engine_check_all(s);
        s->dual_clean = lp_dual_infeasibility(s) <= s->dual_tolerance;
    }
    return good;
}

/* Ends the perturbation of bounds: restores the true bounds and computes xb anew. True if there
 * was one: then the status of the simplex belongs to other bounds. */
static bool end_perturbed_bounds(lp_solver *s)
{
    if (!s->bounds_perturbed)
        return false;
    if (!s->has_dual)
        lp_engine_compute_dual(s);
    lp_engine_restore_bounds(s);
    lp_engine_place_all(s);
    lp_engine_compute_objective(s);
    lp_engine_compute_primal(s);
    return true;
}

/* Starts over with stricter pivoting from the present basis. With `nowhere` starts from the slack
 * basis and with new units, since rows, columns and entries may have changed since the units were
 * chosen. */
static void start_over(lp_solver *s, bool nowhere)
{
    assert(!s->bounds_perturbed);
    s->threshold = fmin(0.9, s->threshold * 2.0);
    s->may_perturb = !s->may_perturb; /* the setting not tried last */
    s->has_factor = s->has_dual = false;
    if (nowhere) {
        lp_vector_clear(&s->shift);
        lp_saved_free(s);
        lp_engine_begin(s);
    }
    prepare_solve(s);
}

/* Runs the dual simplex, after its phase 1 if reduced costs have the wrong sign beyond rounding. */
static lp_status run_dual(lp_solver *s)
{
    if (s->goes_on ? s->progress.runs_phase1
                   : !s->dual_clean && lp_dual_infeasibility(s) > SHIFTED) {
        lp_status status = lp_dual_phase1(s);
        if (lp_is_stopped(status))
            return status;
        end_perturbed_bounds(s);
        if (status != LP_OPTIMAL)
            return status;
    }
    return lp_dual_simplex(s);
}

static lp_status choose_simplex(lp_solver *s, bool primal)
{
    if (!primal)
        primal = !s->dual_clean && !s->from_nothing && lp_engine_is_feasible(s);
    return primal ? lp_primal_simplex(s, find_ray) : run_dual(s);
}

/* Goes on with the simplex that a limit ended. */
static lp_status go_on(lp_solver *s)
{
    if (s->progress.cleans_up)
        return run_clean_up(s);
    return s->progress.runs_primal ? lp_primal_simplex(s, find_ray) : run_dual(s);
}

/* True if the status is infeasible and the multipliers prove it only up to rounding errors. */
static bool is_doubtful(const lp_solver *s, lp_status status)
{
    return status == LP_INFEASIBLE && !s->results->farkas_proves;
}

/* After a doubtful claim: runs the other simplex to find a proof without doubt. If it finds none,
 * the first multipliers stay, which prove the claim up to rounding errors. */
static void seek_proof(lp_solver *s, bool primal)
{
    double *first = base_copy(lp_farkas(s), (size_t)s->rows, sizeof *first);
    lp_status status = choose_simplex(s, primal);
    if (end_perturbed_bounds(s))
        status = LP_NUMERICAL_TROUBLE;
    if (status != LP_INFEASIBLE || is_doubtful(s, status))
        lp_results_store_farkas(s, first);
    base_free(first);
}

static double own_reduced_cost(const lp_solver *s, int j)
{
    return s->place[j] >= 0 ? 0.0 : s->d[j];
}

/* True if the primal may have set the reduced cost of j to 0 along an unlimited flat direction. */
static bool is_set_to_zero(const lp_solver *s, int j)
{
    return s->place[j] < 0 && s->d[j] == 0.0 && (isinf(s->lower[j]) || isinf(s->upper[j]));
}

/* True if a reduced cost disagrees with the costs and the multipliers. O(entries) */
static bool duals_have_drifted(const lp_solver *s)
{
    const lp_model *m = s->model;
    for (int j = 0; j < s->cols; j++) {
        double d = s->work_cost[j], size = fabs(d);
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            const double term = s->a_value[e] * own_reduced_cost(s, s->cols + m->index[e]);
            d += term;
            size += fabs(term);
        }
        if (!is_set_to_zero(s, j) &&
            fabs(d - own_reduced_cost(s, j)) > s->dual_tolerance + DRIFTED * size)
            return true;
    }
    return false;
}

static lp_status solve_rounds(lp_solver *s)
{
    lp_progress *p = &s->progress;
    lp_status status = LP_NUMERICAL_TROUBLE;
    for (; p->round < ROUNDS; p->round++) {
        status = s->goes_on ? go_on(s) : choose_simplex(s, p->primal);
        if (lp_is_stopped(status))
            break; /* bounds stay perturbed */
        if (end_perturbed_bounds(s)) {
            s->may_perturb = false;
            if (status == LP_OPTIMAL || status == LP_UNBOUNDED) {
                p->primal = status == LP_UNBOUNDED;
                continue;
            }
        }
        if (status == LP_CUTOFF && !confirm_cutoff(s, p->unconfirmed)) {
            p->unconfirmed = true;
            status = LP_NUMERICAL_TROUBLE;
            continue;
        }
        if (status == LP_OPTIMAL && s->perturbed) {
            s->may_perturb = false;
            status = clean_up(s);
            if (status == LP_OPTIMAL && s->perturbed && p->round + 2 < ROUNDS)
                continue;
        }
        if (status == LP_OPTIMAL && p->troubles == 0 && !within_tolerances(s) &&
            p->round + 2 < ROUNDS)
            continue;
        /* a nearly singular basis may leave values or multipliers that do not solve their
         * equations */
        if (status == LP_OPTIMAL && (s->residual > s->primal_tolerance || duals_have_drifted(s)))
            status = LP_NUMERICAL_TROUBLE;
        if (is_doubtful(s, status))
            seek_proof(s, !p->primal);
        if (status != LP_NUMERICAL_TROUBLE || p->round + 1 == ROUNDS)
            break;
        bool nowhere = s->iterations == p->stuck_at || ++p->troubles == 3;
        start_over(s, nowhere);
        reset_tolerances(s); /* which may have been tightened for the units of the model */
        if (p->troubles >= 3)
            s->primal_tolerance = lp_max(s->primal_tolerance, RELAXED);
        p->stuck_at = s->iterations;
        /* from the slack basis: the simplex that was not the first one */
        p->primal = nowhere ? s->params.method != LP_METHOD_PRIMAL : !p->primal;
    }
    return status;
}

/* Begins a solve, or goes on with the last one if a limit ended it and nothing has changed. */
static void begin_solve(lp_solver *s)
{
    lp_progress *p = &s->progress;
    s->goes_on =
        lp_is_stopped(s->last) && p->cutoff == s->params.cutoff && p->method == s->params.method;
    lp_results_reset(s);
    if (s->goes_on)
        return;
    lp_primal_forget(s);
    *p = (lp_progress){.stuck_at = -1,
                       .primal = s->params.method == LP_METHOD_PRIMAL,
                       .cutoff = s->params.cutoff,
                       .method = s->params.method};
    s->cutoff = p->cutoff;
    s->from_nothing = s->cold;
    s->had_phase1 = s->cold = false;
    s->may_perturb = true;
}

lp_status lp_solve(lp_solver *s)
{
    begin_solve(s);
    long limit = s->params.iteration_limit;
    s->iteration_end = limit < LONG_MAX - s->iterations ? s->iterations + limit : LONG_MAX;
    s->next_poll = 0.0;
    s->last_dual_bound = -INFINITY;
    if (s->crossed > 0) {
        s->last = LP_INFEASIBLE;
        return s->last;
    }
    if (!s->goes_on)
        prepare_solve(s);
    s->last = solve_rounds(s);
    if (s->last != LP_UNBOUNDED && s->last != LP_INFEASIBLE && s->has_dual)
        s->last_dual_bound = fmax(s->last_dual_bound, lp_results_dual_bound(s));
    lp_engine_charge(s);
    return s->last;
}
