/* Reduced-cost fixing. Multipliers y prove the bound z, and column j is at a bound with reduced
 * cost d_j. Moving it by k costs at least k |d_j|. Values at which z + k |d_j| reaches the cutoff
 * are cut off. d_j is recomputed with a bound on its error. */
#include "bnb/fixing.h"
#include "bnb/duals.h"
#include "bnb/proof.h"
#include "bnb/search.h"
#include "lp/pick.h"

/* Values beyond this are not changed: sums with them are not exact. */
static const double largest_exact = 0x1p52;

/* A column moves away from the bound `from` at a cost of at least d > 0 per unit. Returns the
 * bound up to which the cost is within the gap >= 0; NAN: none. */
static double bound_beyond(double from, bool upward, double d, double gap, bool integer)
{
    const double moves = gap / d * (1.0 + 1e-12) + 1e-12;
    if (!(fabs(from) < largest_exact) || !(moves < largest_exact))
        return NAN;
    if (integer) { /* more than `moves` is cut off */
        const double kept = floor(moves);
        return upward ? from + kept : from - kept;
    }
    const double room = moves * (1.0 + 1e-9) + 1e-9 * fmax(1.0, fabs(from));
    return upward ? from + room : from - room;
}

/* Returns the new bound of column j, counted from its lower (d > 0) or upper bound; NAN: none. */
static double fixed_bound(const bnb_context *c, int j, double lower, double upper, double gap)
{
    if (fabs(c->d[j]) * (upper - lower) <= gap)
        return NAN;
    long double error;
    const long double exact = bnb_reduced_cost(c, j, &error);
    const double d = (double)((fabsl(exact) - error) * (1.0L - 0x1p-40L));
    if (!(d > 0.0) || (exact > 0.0L) != (c->d[j] > 0.0))
        return NAN;
    return bound_beyond(exact > 0.0L ? lower : upper, exact > 0.0L, d, gap,
                        c->in->model->integer[j]);
}

bool bnb_fix_by_reduced_cost(bnb_context *c)
{
    const lp_model *m = c->in->model;
    bnb_domain *d = &c->domain;
    /* A little more than the gap, so that nothing depends on the last digits. */
    const double gap = c->domain.cutoff - c->dual_bound + 1e-10 * fabs(c->domain.cutoff);
    if (!c->search->params.tuning.reduced_cost_fixing || !(gap < LP_INFINITY) || gap < 0.0)
        return false;
    bool changed = false;
    for (int j = 0; j < m->cols && !d->empty; j++) {
        const double l = d->lower[j], u = d->upper[j];
        if (c->d[j] == 0.0 || l == u || isinf(c->d[j] > 0.0 ? l : u) ||
            (d->integers_only && !m->integer[j]))
            continue;
        const double bound = fixed_bound(c, j, l, u, gap);
        if (isnan(bound))
            continue;
        changed |= bnb_domain_tighten(d, j, c->d[j] > 0.0, bound, BNB_BY_REDUCED_COST, -1);
    }
    return changed;
}

void bnb_remember_root_costs(bnb_context *c)
{
    bnb_search *s = c->search;
    const int cols = c->in->model->cols;
    /* In a certificate, deductions belong to their node. */
    if (s->params.proof || !isfinite(c->dual_bound) ||
        (s->root_cost && s->root_cost_bound >= c->dual_bound))
        return;
    if (!s->root_cost)
        s->root_cost = base_malloc((size_t)cols + 1, sizeof *s->root_cost);
    s->root_cost_bound = c->dual_bound;
    for (int j = 0; j < cols; j++) {
        long double error;
        const long double d = bnb_reduced_cost(c, j, &error);
        s->root_cost[j] = (double)copysignl(fmaxl(0.0L, fabsl(d) - error), d);
    }
}

void bnb_fix_by_root_costs(const bnb_context *c, double *lower, double *upper)
{
    const bnb_search *s = c->search;
    const bnb_instance *in = c->in;
    const double gap = c->domain.cutoff - s->root_cost_bound;
    if (!s->root_cost || !s->params.tuning.reduced_cost_fixing || !(gap > 0.0 && gap < LP_INFINITY))
        return;
    for (int j = 0; j < in->model->cols; j++) {
        const double d = fabs(s->root_cost[j]) * (1.0 - 0x1p-40);
        const bool upward = s->root_cost[j] > 0.0;
        if (!in->model->integer[j] || d == 0.0 || d * (upper[j] - lower[j]) <= gap)
            continue;
        const double bound = bound_beyond(upward ? lower[j] : upper[j], upward, d, gap, true);
        double *moved = upward ? &upper[j] : &lower[j];
        if (upward ? bound < *moved : bound > *moved)
            *moved = bound;
    }
}

/* ---- duals chosen for fixing ---------------------------------------------- */

#define ABOVE_GAP 1.01 /* factor: fixing needs slightly more than the gap */
#define AT_BOUND 1e-9  /* distance from a bound */

/* Sets the side of each integer column that may still be fixed, as lp_pick_duals requires; 0:
 * none. all: also columns without a cost. Returns the number of sides set. */
static int find_sides(const bnb_context *c, bool all, signed char *side)
{
    int count = 0;
    for (int j = 0; j < c->in->model->cols; j++) {
        const double l = c->domain.lower[j], u = c->domain.upper[j];
        side[j] = 0;
        if (!c->in->model->integer[j] || l == u || (c->in->model->cost[j] == 0.0 && !all))
            continue;
        side[j] = c->x[j] <= l + AT_BOUND ? 1 : c->x[j] >= u - AT_BOUND ? -1 : 0;
        count += side[j] != 0;
    }
    return count;
}

/* Reduced-cost fixing with the multipliers y (extent the LP's rows). Changes only the domain. */
static bool fix_by(bnb_context *c, const double *y)
{
    const int mark = c->domain.trail_count;
    bnb_saved saved = bnb_save(c);
    bnb_store_duals(c, y);
    const bool changed = bnb_fix_by_reduced_cost(c);
    bnb_proof_deduce(c, mark);
    bnb_restore(c, &saved);
    return changed;
}

bool bnb_picked_duals_pay(const bnb_context *c)
{
    const bnb_tuning *p = &c->search->params.tuning;
    const double gap = c->domain.cutoff - c->dual_bound;
    return p->reduced_cost_fixing && p->picked_duals > 0 && gap < LP_INFINITY && gap > 0.0 &&
           lp_last_status(c->lp.solver) == LP_OPTIMAL;
}

bool bnb_fix_by_picked_duals(bnb_context *c)
{
    const int least = c->search->params.tuning.picked_duals;
    const double enough = ABOVE_GAP * (c->domain.cutoff - c->dual_bound);
    bool changed = false;
    long iterations = 0;
    signed char *side = base_calloc((size_t)c->in->model->cols + 1, 1);
    double *y = base_malloc((size_t)lp_solver_model(c->lp.solver)->rows + 1, sizeof *y);
    /* Columns without a cost usually follow from the ones with a cost. Without them, the duals
     * have fewer conditions to satisfy. */
    if (find_sides(c, false, side) >= least || find_sides(c, true, side) >= least)
        changed = lp_pick_duals(c->lp.solver, side, enough, y, &iterations) && fix_by(c, y);
    atomic_fetch_add(&c->search->iterations, iterations);
    base_free(side);
    base_free(y);
    return changed;
}
