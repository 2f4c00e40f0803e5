/* The primal simplex: clean-up after the dual, and general models from a primal feasible
 * basis. Phase 1 minimises the sum of infeasibilities. Steepest edge pricing with weights that are
 * updated as in Devex (Harris 1973) and made exact where a column is about to enter. */
#include "lp/simplex/primal.h"
#include "lp/safe.h"
#include "lp/simplex/compute.h"
#include "lp/simplex/dual.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define PIVOT_DISAGREE 1e-7
#define PIVOT_SMALL 1e-7
#define DUAL_TINY 1e-12   /* smallest reduced cost in phase 1 if there is no proof without it */
#define STALLED 200       /* degenerate pivots before bounds are perturbed */
#define PERTURBATION 1e-7 /* relative size of the perturbation of bounds */
#define RAY_ZERO 1e-11    /* smaller entries of a ray are rounding errors */

/* ---- infeasible reduced costs --------------------------------------------- */

static double dual_violation(const lp_solver *s, const lp_primal_state *l, int j)
{
    const double v = lp_engine_wrong_sign(s, j);
    return v > l->dual_zero ? v : 0.0;
}

static void check_candidate(lp_solver *s, lp_primal_state *l, int j)
{
    if (!l->is_candidate[j] && dual_violation(s, l, j) > 0.0) {
        l->is_candidate[j] = true;
        l->candidate[l->candidates++] = j;
    }
}

static void list_candidates(lp_solver *s, lp_primal_state *l)
{
    l->candidates = 0;
    memset(l->is_candidate, 0, (size_t)s->vars * sizeof *l->is_candidate);
    for (int j = 0; j < s->vars; j++)
        check_candidate(s, l, j);
}

/* d_j -= factor * (alpha, rho)_j for nonbasic j. */
static void subtract_row(lp_solver *s, lp_primal_state *l, double factor)
{
    lp_engine_move_duals(s, factor);
    for (int k = 0; k < lp_engine_row_count(s); k++)
        check_candidate(s, l, lp_engine_row_variable(s, k));
}

/* ---- rebuild -------------------------------------------------------------- */

static signed char phase1_cost(const lp_solver *s, int p)
{
    if (s->infeasibility[p] == 0.0)
        return 0;
    return s->xb[p] < s->lb[p] ? -1 : 1;
}

/* rho := multipliers of the costs of phase 1. */
static void compute_phase1_multipliers(lp_solver *s, const lp_primal_state *l)
{
    lp_vector_clear(&s->rho);
    for (int p = 0; p < s->rows; p++)
        if (l->cost[p] != 0)
            lp_vector_add(&s->rho, p, l->cost[p]);
    lp_factor_btran(s->factor, &s->rho, NULL, false);
}

static void compute_phase1_dual(lp_solver *s, lp_primal_state *l)
{
    compute_phase1_multipliers(s, l);
    lp_engine_price(s);
    memset(s->d, 0, (size_t)s->vars * sizeof *s->d);
    subtract_row(s, l, 1.0);
    s->has_dual = false;
}

/* Called if phase 2 has led to an infeasible basis. The same pivot would lead there again from
 * the feasible basis of phase 1: the column with the smallest pivot becomes doubtful. */
static void doubt_column(lp_primal_state *l)
{
    if (l->smallest >= 0 && l->smallest_pivot < LP_RATE_DOUBTFUL)
        l->is_doubtful[l->smallest] = true;
}

static void rebuild(lp_solver *s, lp_primal_state *l)
{
    const bool second = l->phase == 2;
    const bool was_feasible = second || (l->phase == 1 && lp_engine_is_feasible(s));
    s->has_primal = false;
    if (!s->has_factor || lp_factor_updates(s->factor) > 0)
        lp_engine_refactor(s);
    lp_engine_compute_primal(s);
    l->phase = 2;
    l->dual_zero = s->dual_tolerance;
    for (int p = 0; p < s->rows; p++) {
        l->cost[p] = phase1_cost(s, p);
        if (l->cost[p] != 0)
            l->phase = 1;
    }
    s->counts.troubles += was_feasible && l->phase == 1; /* infeasible by rounding errors only */
    if (second && l->phase == 1)
        doubt_column(l);
    l->smallest = -1;
    if (l->phase == 1)
        compute_phase1_dual(s, l);
    else
        lp_engine_compute_dual(s);
    list_candidates(s, l);
    s->since_recompute = 0;
    s->drift = s->rounding = 0.0;
    l->rebuild = false;
    l->fresh = true;
    l->refused = 0;
    lp_engine_log(s, l->phase == 1 ? "primal1" : "primal2");
}

/* ---- steps of an iteration ------------------------------------------------ */

static void choose_column(lp_solver *s, lp_primal_state *l)
{
    int best = -1, kept = 0;
    double best_violation = 0.0, best_weight = 1.0;
    for (int k = 0; k < l->candidates; k++) {
        int j = l->candidate[k];
        double v = dual_violation(s, l, j);
        if (v == 0.0) {
            l->is_candidate[j] = false;
            continue;
        }
        l->candidate[kept++] = j;
        v *= v;
        if (v * best_weight > best_violation * l->weight[j]) {
            best = j;
            best_violation = v;
            best_weight = l->weight[j];
        }
    }
    l->candidates = kept;
    l->pivot.entering = best;
    s->work += kept;
}

/* Treats the reduced cost of the entering variable as a rounding error of the costs: it is 0
 * until the next rebuild. */
static void treat_as_zero(lp_solver *s, lp_primal_state *l)
{
    l->rate_zero = LP_RATE_ZERO;
    s->d[l->pivot.entering] = 0.0;
}

static void refuse_column(lp_solver *s, lp_primal_state *l)
{
    s->counts.troubles++;
    if (!l->fresh) {
        l->rebuild = true;
        return;
    }
    treat_as_zero(s, l);
    l->refused++;
}

/* Computes the column of the entering variable; false if its reduced cost disagrees. */
static bool ftran_column(lp_solver *s, lp_primal_state *l)
{
    int q = l->pivot.entering;
    const lp_vector *column = &s->column;
    lp_engine_ftran_column(s, q);
    double d = l->phase == 1 ? 0.0 : s->work_cost[q];
    for (int k = 0; k < column->count; k++) {
        int p = column->index[k];
        double cost = l->phase == 1 ? l->cost[p] : s->work_cost[s->head[p]];
        d -= cost * column->value[p];
    }
    bool agrees = d * s->d[q] > 0.0;
    s->d[q] = d;
    l->direction = d < 0.0 ? 1.0 : -1.0;
    return agrees && dual_violation(s, l, q) > 0.0;
}

/* Makes the weight of the entering variable exact: 1 plus the squared length of s->column. True
 * if it was so small that another column may be better: then the choice has to be repeated.
 * O(entries of the column) */
static bool set_exact_weight(lp_solver *s, lp_primal_state *l)
{
    int q = l->pivot.entering;
    double before = l->weight[q];
    l->weight[q] = 1.0 + lp_vector_square(&s->column);
    s->work += s->column.count;
    return before < WEIGHT_TRUST * l->weight[q];
}

/* Computes rho and alpha of the leaving row; false if its pivot disagrees with the column or is
 * too small. */
static bool compute_row(lp_solver *s, lp_primal_state *l)
{
    lp_engine_btran_unit(s, l->pivot.row);
    lp_engine_price(s);
    l->pivot.alpha_row = lp_engine_row_element(s, l->pivot.entering);
    const double error = lp_engine_disagreement(s, l->pivot.alpha_row, l->pivot.alpha_column),
                 col = l->pivot.alpha_column;
    return error <= (l->fresh ? 1e-3 : PIVOT_DISAGREE) &&
           fabs(col) > (l->fresh ? l->rate_zero : PIVOT_SMALL);
}

/* Notes a basic variable that became feasible or infeasible in phase 1. */
static void note_cost(lp_solver *s, lp_primal_state *l, int p)
{
    signed char cost = phase1_cost(s, p);
    if (cost == l->cost[p])
        return;
    lp_vector_add(&l->change, p, cost - l->cost[p]);
    l->cost[p] = cost;
}

static void update_primal(lp_solver *s, lp_primal_state *l)
{
    double move = l->direction * l->step;
    const lp_vector *column = &s->column;
    s->dual_objective += move * s->d[l->pivot.entering];
    for (int k = 0; k < column->count; k++) {
        int p = column->index[k];
        s->xb[p] -= move * column->value[p];
        lp_engine_check_position(s, p);
        if (l->phase == 1 && p != l->pivot.row)
            note_cost(s, l, p);
    }
    s->work += 4.0 * column->count;
    if (l->step < 1e-12)
        s->counts.degenerate++;
}

/* Applies changes of phase 1 costs to d. */
static void update_phase1_dual(lp_solver *s, lp_primal_state *l)
{
    if (l->change.count == 0)
        return;
    lp_vector_copy(&s->rho, &l->change);
    lp_vector_clear(&l->change);
    lp_factor_btran(s->factor, &s->rho, &s->expected.row, false);
    lp_engine_price(s);
    subtract_row(s, l, 1.0);
}

static void flip_entering(lp_solver *s, lp_primal_state *l)
{
    int q = l->pivot.entering;
    bool up = s->status[q] == LP_AT_LOWER;
    s->status[q] = up ? LP_AT_UPPER : LP_AT_LOWER;
    s->value[q] = up ? s->up[q] : s->lo[q];
    update_phase1_dual(s, l);
    l->fresh = false;
}

/* Updates reduced costs and weights after the pivot (row alpha, rho). */
static void update_dual(lp_solver *s, lp_primal_state *l)
{
    int q = l->pivot.entering, out = l->pivot.leaving, p = l->pivot.row;
    double alpha = l->pivot.alpha_row, theta = s->d[q] / alpha, reference = l->weight[q];
    for (int k = 0; k < lp_engine_row_count(s); k++) {
        const int j = lp_engine_row_variable(s, k);
        const double ratio = lp_engine_row_element(s, j) / alpha;
        if (s->status[j] != LP_BASIC)
            l->weight[j] = lp_max(l->weight[j], ratio * ratio * reference);
    }
    subtract_row(s, l, theta);
    s->work += 3.0 * lp_engine_row_count(s);
    s->d[q] = 0.0;
    s->d[out] = -theta - (l->phase == 1 ? l->cost[p] : 0.0);
    l->weight[out] = lp_max(reference / (alpha * alpha), 1.0);
    l->cost[p] = 0;
}

/* Updates the weights of the dual, which may go on from here. Not kept if params.method is the
 * primal, which saves a solve in each step. */
static void update_steepest_edge(lp_solver *s, lp_primal_state *l)
{
    if (s->params.method == LP_METHOD_PRIMAL) {
        s->weight[l->pivot.row] = 1.0;
        return;
    }
    s->weight[l->pivot.row] = lp_vector_square(&s->rho);
    lp_dual_ftran_weights(s);
    lp_dual_update_weights(s, &l->pivot);
}

static void exchange(lp_solver *s, lp_primal_state *l)
{
    int q = l->pivot.entering, p = l->pivot.row;
    double x = s->value[q] + l->direction * l->step;
    lp_engine_exchange(s, p, q, x, l->pivot.to_upper);
    lp_engine_check_position(s, p);
    check_candidate(s, l, l->pivot.leaving);
    s->primal_iterations++;
    if (l->smallest < 0 || fabs(l->pivot.alpha_column) < l->smallest_pivot) {
        l->smallest = q;
        l->smallest_pivot = fabs(l->pivot.alpha_column);
    }
    l->rate_zero = LP_RATE_ZERO;
    if (lp_engine_update_factor(s, l->pivot.row, l->pivot.alpha_column))
        l->rebuild = true;
    l->fresh = false;
}

/* Loosens the bounds of basic variables at random so that degenerate vertices split. */
static void perturb_bounds(lp_solver *s, lp_primal_state *l)
{
    const double size = PERTURBATION;
    for (int p = 0; p < s->rows; p++) {
        int j = s->head[p];
        double a = size * (1.0 + base_rng_double(&s->rng));
        double b = size * (1.0 + base_rng_double(&s->rng));
        s->lb[p] = s->lo[j] -= a * (1.0 + fabs(s->lo[j]));
        s->ub[p] = s->up[j] += b * (1.0 + fabs(s->up[j]));
    }
    s->bounds_perturbed = true;
    lp_engine_check_all(s);
    l->rebuild = true;
    s->counts.degenerate = 0;
}

/* ---- results -------------------------------------------------------------- */

/* Stores the unlimited direction of the entering variable as a ray and returns its course. */
static lp_course store_ray(lp_solver *s, lp_primal_state *l)
{
    lp_results *r = s->results;
    r->ray = base_realloc(r->ray, (size_t)s->cols + 1, sizeof *r->ray);
    memset(r->ray, 0, (size_t)s->cols * sizeof *r->ray);
    int q = l->pivot.entering;
    if (q < s->cols)
        r->ray[q] = l->direction * s->unit[q];
    for (int k = 0; k < s->column.count; k++) {
        int p = s->column.index[k], j = s->head[p];
        if (j < s->cols && fabs(s->column.value[p]) > RAY_ZERO)
            r->ray[j] = -l->direction * s->column.value[p] * s->unit[j];
    }
    return lp_direction_course(s->model, r->ray);
}

/* Searches for another ray, once, if rates between zero and rounding errors spoil the direction. */
static bool search_ray(lp_solver *s, lp_primal_state *l)
{
    lp_ray_search *search = l->find_ray;
    l->find_ray = NULL;
    return search && search(s);
}

/* ---- the loop ------------------------------------------------------------- */

/* Called if no column is left to enter. Returns the final status, LP_UNSOLVED to go on. */
static lp_status no_column(lp_solver *s, lp_primal_state *l)
{
    if (!l->fresh) {
        l->rebuild = true;
        return LP_UNSOLVED;
    }
    if (l->phase == 1) {
        if (!s->bounds_perturbed) {
            compute_phase1_multipliers(s, l);
            if (lp_results_compute_farkas(s, -1.0, true))
                return LP_INFEASIBLE;
        }
        if (l->dual_zero <= DUAL_TINY)
            return LP_NUMERICAL_TROUBLE;
        l->dual_zero = DUAL_TINY;
        list_candidates(s, l);
        return LP_UNSOLVED;
    }
    return l->refused > 0 ? LP_NUMERICAL_TROUBLE : LP_OPTIMAL;
}

/* Called if nothing limits the step. Returns the final status, LP_UNSOLVED to go on. */
static lp_status no_limit(lp_solver *s, lp_primal_state *l)
{
    const bool known = l->phase == 2 && l->fresh;
    const lp_course course = known ? store_ray(s, l) : LP_COURSE_BLOCKED;
    if (course == LP_COURSE_FALLS || (known && search_ray(s, l)))
        return LP_UNBOUNDED;
    if (l->fresh && l->rate_zero > LP_RATE_TINY)
        l->rate_zero = LP_RATE_TINY; /* try again with smaller rates */
    else if (course == LP_COURSE_FLAT)
        treat_as_zero(s, l);
    else
        refuse_column(s, l);
    return LP_UNSOLVED;
}

static lp_status iterate(lp_solver *s, lp_primal_state *l)
{
    s->counts.steps++;
    if (l->rebuild || (l->phase == 1 && lp_engine_is_feasible(s)))
        rebuild(s, l);
    choose_column(s, l);
    if (l->pivot.entering < 0)
        return no_column(s, l);
    lp_status stop = lp_engine_poll(s);
    if (stop != LP_UNSOLVED)
        return stop;
    if (!ftran_column(s, l)) {
        refuse_column(s, l);
        return LP_UNSOLVED;
    }
    if (set_exact_weight(s, l))
        return LP_UNSOLVED;
    lp_primal_ratio_test(s, l);
    if (l->unlimited)
        return no_limit(s, l);
    if (l->pivot.row < 0) {
        update_primal(s, l);
        flip_entering(s, l);
        return LP_UNSOLVED;
    }
    if (!compute_row(s, l)) {
        refuse_column(s, l);
        return LP_UNSOLVED;
    }
    update_primal(s, l);
    update_dual(s, l);
    update_steepest_edge(s, l);
    exchange(s, l);
    update_phase1_dual(s, l);
    if (s->counts.degenerate > STALLED && !s->bounds_perturbed && s->may_perturb)
        perturb_bounds(s, l);
    return LP_UNSOLVED;
}

static lp_primal_state *create_state(const lp_solver *s, lp_ray_search *find_ray)
{
    const size_t vars = (size_t)s->vars + 1, rows = (size_t)s->rows + 1;
    lp_primal_state *l = base_malloc(1, sizeof *l);
    *l = (lp_primal_state){
        .rebuild = true, .smallest = -1, .rate_zero = LP_RATE_ZERO, .find_ray = find_ray};
    l->cost = base_calloc(rows, sizeof *l->cost);
    l->weight = base_malloc(vars, sizeof *l->weight);
    l->candidate = base_malloc(vars, sizeof *l->candidate);
    l->is_candidate = base_calloc(vars, sizeof *l->is_candidate);
    l->is_doubtful = base_calloc(vars, sizeof *l->is_doubtful);
    l->breakpoint = base_malloc(2 * rows, sizeof *l->breakpoint);
    lp_vector_init(&l->change, s->rows);
    for (int j = 0; j < s->vars; j++)
        l->weight[j] = 1.0;
    return l;
}

void lp_primal_forget(lp_solver *s)
{
    lp_primal_state *l = s->stopped;
    s->stopped = NULL;
    if (!l)
        return;
    base_free_all(l->cost, l->weight, l->candidate, l->is_candidate, l->is_doubtful, l->breakpoint);
    lp_vector_free(&l->change);
    base_free(l);
}

lp_status lp_primal_simplex(lp_solver *s, lp_ray_search *find_ray)
{
    lp_status status = LP_UNSOLVED;
    lp_engine_begin_simplex(s, true);
    if (!s->stopped)
        s->stopped = create_state(s, find_ray);
    lp_primal_state *l = s->stopped;
    while (status == LP_UNSOLVED)
        status = lp_engine_is_hopeless(s) ? LP_NUMERICAL_TROUBLE : iterate(s, l);
    if (l->phase == 1)
        s->has_dual = false;
    else
        s->dual_clean = status == LP_OPTIMAL;
    if (!lp_is_stopped(status))
        lp_primal_forget(s);
    return status;
}
