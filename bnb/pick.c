/* Reduced-cost fixing by duals that are chosen for it, instead of the duals of the simplex's last
 * basis. */
#include "bnb/pick.h"
#include "bnb/duals.h"
#include "bnb/fixing.h"
#include "bnb/proof.h"
#include "bnb/saved.h"
#include "bnb/search.h"
#include "lp/pick.h"

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
    const int mark = bnb_domain_mark(&c->domain);
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
    const double gap = c->cutoff - c->dual_bound;
    return p->reduced_cost_fixing && p->picked_duals > 0 && gap < LP_INFINITY && gap > 0.0 &&
           lp_last_status(c->lp.solver) == LP_OPTIMAL;
}

bool bnb_fix_by_picked_duals(bnb_context *c)
{
    const int least = c->search->params.tuning.picked_duals;
    const double enough = ABOVE_GAP * (c->cutoff - c->dual_bound);
    bool changed = false;
    long iterations = 0;
    signed char *side = base_calloc((size_t)c->in->model->cols + 1, 1);
    double *y = base_malloc((size_t)lp_rows(c->lp.solver) + 1, sizeof *y);
    /* Columns without a cost usually follow from the ones with a cost. Without them, the duals
     * have fewer conditions to satisfy. */
    if (find_sides(c, false, side) >= least || find_sides(c, true, side) >= least)
        changed = lp_pick_duals(c->lp.solver, side, enough, y, &iterations) && fix_by(c, y);
    atomic_fetch_add(&c->search->iterations, iterations);
    base_free(side);
    base_free(y);
    return changed;
}
