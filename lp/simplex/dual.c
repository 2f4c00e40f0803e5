/* The dual simplex: cost perturbation against degeneracy, the loop, and phase 1. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lp/simplex/compute.h"
#include "lp/simplex/dual.h"

#define PIVOT_DISAGREE 1e-7 /* relative, row against column */
#define PIVOT_SMALL 1e-7    /* relative to the row; smaller pivots only if there is no other row */
#define ALPHA_ZERO 1e-9     /* row elements up to this size are no candidates */
#define ALPHA_TINY 1e-12    /* in place of ALPHA_ZERO if none is larger and the row is no proof */
#define STALLED 100         /* degenerate pivots before costs are perturbed */
#define CONFIRM_AFTER 100   /* pivots after which an optimum is computed anew */
#define DRIFT_GOOD 1e-9     /* largest disagreement that needs no confirmation of an optimum */
#define FREE_BOX 1000.0     /* phase 1: weight of a free variable; one with one bound has 1 */

typedef struct loop {
    lp_pivot pivot;
    bool rebuild;   /* start over from the basis */
    bool fresh;     /* nothing has happened since the last rebuild */
    double error;   /* relative disagreement of the pivot, at least rounding */
    double passed;  /* row elements up to this size were passed over; 0: none */
    bool any_pivot; /* small pivots are allowed: all hidden rows had no larger ones */
} loop;

/* Makes the reduced costs of nonbasic variables that cannot be flipped feasible. */
static void shift_infeasible(lp_solver *s)
{
    for (int j = 0; j < s->vars; j++) {
        if (lp_engine_wrong_sign(s, j) <= s->dual_tolerance)
            continue;
        s->work_cost[j] -= s->d[j];
        s->d[j] = 0.0;
        s->perturbed = true;
    }
    s->dual_clean = true; /* for the shifted costs */
    lp_engine_compute_objective(s);
}

static void rebuild(lp_solver *s, loop *l)
{
    s->has_primal = false;
    if (!s->has_factor || lp_factor_updates(s->factor) > 0)
        lp_engine_refactor(s);
    lp_engine_compute_dual(s);
    lp_engine_place_all(s);
    if (!s->dual_clean)
        shift_infeasible(s);
    lp_engine_compute_objective(s);
    lp_engine_compute_primal(s);
    s->since_recompute = 0;
    s->drift = s->rounding = 0.0;
    l->rebuild = false;
    l->fresh = true;
    l->any_pivot = false;
    lp_engine_log(s, "dual");
}

/* ---- perturbation ---------------------------------------------------------- */

/* Returns the sign of the cost shift of nonbasic j, away from zero on the side that suits its
 * bounds; 0: no shift. */
static double shift_direction(const lp_solver *s, int j)
{
    const bool low = s->lower[j] > -INFINITY, high = s->upper[j] < INFINITY;
    if (s->status[j] == LP_BASIC || s->lower[j] == s->upper[j] || (!low && !high))
        return 0.0;
    if (low != high)
        return low ? 1.0 : -1.0;
    return s->status[j] == LP_AT_LOWER || (s->status[j] == LP_FIXED && s->d[j] >= 0.0) ? 1.0 : -1.0;
}

/* Perturbs the costs of nonbasic variables, away from zero reduced cost (Koberstein, thesis 2005,
 * section 6.3; sizes in proportion to the costs as in HiGHS, but smaller). If a solve starts from a
 * dual feasible slack basis, larger perturbations save few pivots of the dual, if any. The primal
 * may then take longer to undo them than the dual took in total. */
static void perturb_costs(lp_solver *s)
{
    const lp_tuning *tuning = &s->params.tuning;
    double largest = 0.0;
    for (int j = 0; j < s->cols; j++)
        largest = lp_max(largest, fabs(s->cost[j]));
    double base =
        s->from_nothing && !s->had_phase1 ? tuning->perturbation_cold : tuning->perturbation;
    base *= largest > 100.0 ? sqrt(sqrt(largest)) : fmin(lp_max(largest, 1e-3), 1.0);
    for (int j = 0; j < s->vars; j++) {
        double size = (1.0 + fabs(s->work_cost[j])) * base * (1.0 + base_rng_double(&s->rng));
        if (j >= s->cols)
            size = base * 1e-3 * base_rng_double(&s->rng);
        double shift = size * shift_direction(s, j);
        if (shift == 0.0)
            continue;
        s->work_cost[j] += shift;
        s->d[j] += shift;
        s->dual_objective += shift * s->value[j];
    }
    s->perturbed = true;
}

/* ---- rows and pivots ------------------------------------------------------- */

/* Leaves the row alone until the next rebuild. */
static void hide_row(lp_solver *s, loop *l)
{
    l->pivot.alpha_zero = ALPHA_ZERO;
    s->infeasibility[l->pivot.row] = 0.0;
    s->rows_set_aside++;
    s->hidden++;
}

/* Handles a row that cannot be used: hides it on fresh factors, else requests a rebuild. */
static void refuse_row(lp_solver *s, loop *l)
{
    s->counts.troubles++;
    l->pivot.alpha_zero = ALPHA_ZERO;
    if (l->fresh)
        hide_row(s, l);
    else
        l->rebuild = true;
}

/* Returns the size up to which a pivot element is negligible beside its row: the basis would be
 * nearly singular. */
static double small_pivot(const lp_solver *s, const loop *l)
{
    return PIVOT_SMALL * sqrt(lp_max(s->weight[l->pivot.row], 1.0));
}

/* Chooses the entering column among the larger elements. Variables with passed elements may lose
 * dual feasibility in the step; shifts of their costs restore it. False if there is no larger
 * element. */
static bool choose_larger(lp_solver *s, loop *l)
{
    const double zero = l->pivot.alpha_zero;
    l->pivot.alpha_zero = l->passed = small_pivot(s, l);
    lp_dual_choose_column(s, &l->pivot);
    l->pivot.alpha_zero = zero;
    if (l->pivot.entering < 0)
        l->passed = 0.0;
    return l->pivot.entering >= 0;
}

/* Shows the hidden rows once more, on fresh factors, now with any pivot. False if no row is
 * hidden or this has been tried. */
static bool show_rows(lp_solver *s, loop *l)
{
    if (s->hidden == 0 || !l->fresh || l->any_pivot)
        return false;
    l->any_pivot = true;
    lp_engine_check_all(s);
    return true;
}

/* Computes the entering column; false if its pivot element disagrees with the row or is too
 * small. */
static bool ftran_column(lp_solver *s, loop *l)
{
    lp_engine_ftran_column(s, l->pivot.entering);
    const double col = l->pivot.alpha_column = s->column.value[l->pivot.row];
    const double error = lp_engine_disagreement(s, l->pivot.alpha_row, l->pivot.alpha_column);
    l->error = lp_max(error, DBL_EPSILON);
    if (error > PIVOT_DISAGREE && !(l->fresh && error < 1e-3))
        return false;
    return fabs(col) > l->pivot.alpha_zero;
}

/* Moves the passed variables to their other bounds. */
static void flip_bounds(lp_solver *s, loop *l)
{
    lp_vector_clear(&s->flip);
    for (int k = 0; k < l->pivot.flips; k++) {
        int j = s->flips[k];
        bool up = s->status[j] == LP_AT_LOWER;
        double x = up ? s->up[j] : s->lo[j], move = x - s->value[j];
        assert(isfinite(x));
        s->status[j] = up ? LP_AT_UPPER : LP_AT_LOWER;
        s->value[j] = x;
        s->dual_objective += s->d[j] * move;
        lp_engine_subtract_column(s, &s->flip, j, move);
    }
    if (s->flip.count == 0)
        return;
    lp_factor_ftran(s->factor, &s->flip, &s->expected.flip, false);
    for (int k = 0; k < s->flip.count; k++) {
        int p = s->flip.index[k];
        s->xb[p] += s->flip.value[p];
        lp_engine_check_position(s, p);
    }
}

/* After the step: shifts of costs make variables with skipped elements dual feasible again. */
static void mend_passed(lp_solver *s, const loop *l)
{
    for (int k = 0; k < lp_engine_row_count(s); k++) {
        const int j = lp_engine_row_variable(s, k);
        if (lp_engine_wrong_sign(s, j) <= 0.0 || fabs(lp_engine_row_element(s, j)) > l->passed)
            continue;
        s->work_cost[j] -= s->d[j];
        s->dual_objective -= s->d[j] * s->value[j];
        s->d[j] = 0.0;
        s->perturbed = true;
    }
}

static void update_dual(lp_solver *s, loop *l)
{
    double theta = l->pivot.theta_dual;
    int p = l->pivot.row, out = l->pivot.leaving;
    double bound = l->pivot.to_upper ? s->ub[p] : s->lb[p];
    s->dual_objective += theta * (s->xb[p] - bound);
    if (theta != 0.0) {
        const double largest = lp_engine_move_duals(s, theta);
        s->rounding += l->error * lp_max(largest, fabs(theta));
    }
    if (l->passed > 0.0)
        mend_passed(s, l);
    s->counts.steps++;
    s->counts.degenerate += theta == 0.0;
    s->d[l->pivot.entering] = 0.0;
    s->d[out] = -theta;
}

static void update_primal(lp_solver *s, loop *l)
{
    int p = l->pivot.row;
    double bound = l->pivot.to_upper ? s->ub[p] : s->lb[p];
    double theta = (s->xb[p] - bound) / l->pivot.alpha_column, largest = 0.0;
    const lp_vector *column = &s->column;
    for (int k = 0; k < column->count; k++) {
        int i = column->index[k];
        if (i == p)
            continue;
        double move = theta * column->value[i];
        largest = lp_max(largest, fabs(move));
        s->xb[i] -= move;
        lp_engine_check_position(s, i);
    }
    s->rounding += l->error * lp_max(largest, fabs(theta));
    lp_engine_exchange(s, p, l->pivot.entering, s->value[l->pivot.entering] + theta,
                       l->pivot.to_upper);
    lp_engine_check_position(s, p);
    s->work += 2.0 * column->count;
}

static void update_factor(lp_solver *s, loop *l)
{
    if (lp_engine_update_factor(s, l->pivot.row, l->pivot.alpha_column))
        l->rebuild = true;
    l->fresh = l->any_pivot = false;
    l->pivot.alpha_zero = ALPHA_ZERO;
}

/* Returns the reason to stop before another pivot; LP_UNSOLVED for none. */
static lp_status reason_to_stop(lp_solver *s)
{
    double objective = s->dual_objective / s->cost_unit + s->model->offset;
    return objective > s->cutoff ? LP_CUTOFF : lp_engine_poll(s);
}

/* Called if no row is infeasible. True if the iterate is accurate enough; else requests a
 * rebuild. */
static bool confirm_optimum(lp_solver *s, loop *l)
{
    double rounding = 0.1 * fmin(s->primal_tolerance / s->row_unit, s->dual_tolerance);
    if (l->fresh || (s->hidden == 0 && s->since_recompute <= CONFIRM_AFTER &&
                     s->drift <= DRIFT_GOOD && s->rounding <= rounding))
        return true;
    l->rebuild = true;
    s->counts.troubles++;
    return false;
}

static void start(lp_solver *s, loop *l)
{
    lp_engine_begin_simplex(s, false);
    l->rebuild = !s->has_factor || !s->has_dual || !s->has_primal || s->hidden > 0;
    if (l->rebuild)
        return;
    lp_engine_apply_shift(s);
    if (!s->dual_clean)
        shift_infeasible(s);
}

lp_status lp_dual_simplex(lp_solver *s)
{
    loop l = {.pivot.alpha_zero = ALPHA_ZERO};
    start(s, &l);
    for (;;) {
        if (lp_engine_is_hopeless(s))
            return LP_NUMERICAL_TROUBLE;
        if (l.rebuild)
            rebuild(s, &l);
        if (s->counts.degenerate > STALLED && s->may_perturb && !s->counts.perturbed) {
            perturb_costs(s);
            s->counts.perturbed = true;
        }
        lp_status stop = reason_to_stop(s);
        lp_dual_choose_row(s, &l.pivot);
        if (l.pivot.row < 0) {
            if (show_rows(s, &l))
                continue;
            if (confirm_optimum(s, &l))
                return s->hidden > 0 ? LP_NUMERICAL_TROUBLE : LP_OPTIMAL;
            continue;
        }
        if (stop != LP_UNSOLVED)
            return stop;
        lp_engine_price(s);
        lp_dual_choose_column(s, &l.pivot);
        l.passed = 0.0;
        if (l.pivot.entering < 0) {
            if (lp_results_compute_farkas(s, l.pivot.to_upper ? -1.0 : 1.0, l.fresh))
                return LP_INFEASIBLE;
            if (l.fresh && l.pivot.alpha_zero > ALPHA_TINY)
                l.pivot.alpha_zero = ALPHA_TINY;
            else
                refuse_row(s, &l);
            continue;
        }
        if (fabs(l.pivot.alpha_row) <= small_pivot(s, &l) && !choose_larger(s, &l)) {
            if (!l.any_pivot) {
                hide_row(s, &l);
                continue;
            }
            lp_dual_choose_column(s, &l.pivot);
        }
        if (!ftran_column(s, &l)) {
            refuse_row(s, &l);
            continue;
        }
        flip_bounds(s, &l);
        lp_dual_ftran_weights(s);
        update_dual(s, &l);
        lp_dual_update_weights(s, &l.pivot);
        update_primal(s, &l);
        update_factor(s, &l);
    }
}

/* ---- phase 1: the boxed subproblem (Koberstein, thesis 2005, section 4.3; as "artificial bounds"
 * also in Maros, Computational techniques of the simplex method, 2003) ------------------------ */

/* Sets the bounds of j in the subproblem. A dual infeasibility of size d costs d, for free
 * variables FREE_BOX d. Variables with two bounds cost nothing: they can be placed on the side
 * that suits their reduced cost. */
static void set_box(lp_solver *s, int j)
{
    const bool low = s->lower[j] > -INFINITY, high = s->upper[j] < INFINITY;
    const double size = low || high ? 1.0 : FREE_BOX;
    s->lo[j] = low ? 0.0 : -size;
    s->up[j] = high ? 0.0 : size;
}

double lp_dual_infeasibility(const lp_solver *s)
{
    double largest = 0.0;
    for (int j = 0; j < s->vars; j++)
        largest = lp_max(largest, lp_engine_wrong_sign(s, j));
    return largest;
}

/* Sets the bounds of the subproblem. */
static void begin_phase1(lp_solver *s)
{
    for (int j = 0; j < s->vars; j++)
        set_box(s, j);
    s->bounds_perturbed = s->had_phase1 = true;
    lp_engine_place_all(s);
    lp_engine_compute_objective(s);
    lp_engine_compute_primal(s);
}

lp_status lp_dual_phase1(lp_solver *s)
{
    const double cutoff = s->cutoff;
    if (!s->goes_on)
        begin_phase1(s);
    s->cutoff = INFINITY;
    lp_status status = lp_dual_simplex(s);
    s->cutoff = cutoff;
    s->progress.runs_phase1 = lp_is_stopped(status);
    return status;
}
