/* Jain, Jain, Nrusimha, Gholami, Abbeel, Keutzer, Stoica, Gonzalez: Checkmate, MLSys
 * 2020. Recomputation only, least time.
 *
 * checkmate: the optimum, by the exact engine on the same graph with time for energy,
 * no paging and no deadline. The artifact adds noise to the costs and stops at a gap of
 * 1 %; this does neither.
 *
 * checkmate_lp, checkmate_lp_random: the LP relaxation of R, S and Free for 90 % of the
 * budget (their 1 - eps), S rounded, R the cheapest for it; the best schedule within the
 * whole budget. S is rounded at the thresholds 0.1, 0.2, ... 0.9, or 100 times at random,
 * each entry to 1 with its value as the probability. No feasible LP, no schedule.
 *
 * The LP has the published rows (both inequalities of Free, no strengthening). It is
 * solved over windows around the uses of each tensor, where its value is the same as a
 * rule; only if it is infeasible there, over all cells. Optima are not unique: what
 * rounding sees depends on the simplex. */
#include <assert.h>
#include <math.h>

#include "baselines/policy.h"
#include "exact/exact.h"
#include "formulation/formulation.h"
#include "lp/simplex.h"

/* ---- the problem that Checkmate sees --------------------------------------------- */

/* The graph with seconds for joules. */
static graph *time_graph(const graph *g)
{
    graph_node *nodes = base_calloc((size_t)g->n, sizeof *nodes);
    for (int i = 0; i < g->n; i++) {
        nodes[i] = graph_node_of(g, i);
        nodes[i].joules = g->seconds[i];
        nodes[i].pagein_joules = nodes[i].pageout_joules = 0;
        nodes[i].pagein_seconds = nodes[i].pageout_seconds = 0;
    }
    base_error error;
    graph *t = graph_create(g->name, nodes, g->n, &error);
    assert(t);
    base_free(nodes);
    return t;
}

/* ---- the optimum ------------------------------------------------------------------- */

schedule *baseline_checkmate(const problem *p, const baseline_options *o, int variant,
                             char reason[BASELINE_REASON])
{
    (void)variant;
    graph *time = time_graph(p->graph);
    problem remat = problem_make(time, p->ram_budget_bytes);
    remat.allow_paging = false;
    exact_params params = exact_params_default();
    params.log = 0;
    if (o->limits)
        params.limits = *o->limits;
    exact_result result = exact_solve(&remat, &params);
    schedule *s = result.schedule ? schedule_copy(result.schedule) : NULL;
    if (result.status == EXACT_INFEASIBLE)
        snprintf(reason, BASELINE_REASON, "infeasible without paging: %.200s",
                 result.infeasible_reason);
    else if (result.status == EXACT_FAILED)
        snprintf(reason, BASELINE_REASON, "the exact engine failed an internal check");
    else if (!s)
        snprintf(reason, BASELINE_REASON, "unknown: stopped by a limit without a schedule");
    else if (result.status == EXACT_LIMIT)
        snprintf(reason, BASELINE_REASON, "not proven optimal: stopped by a limit");
    exact_result_clear(&result);
    graph_free(time);
    return s ? policy_accept(p, s, reason) : NULL;
}

/* ---- the relaxation ----------------------------------------------------------------- */

/* Published rows. The remaining features remove cells without use, or rename equal ones. */
enum { CHECKMATE_FEATURES = FORMULATION_REACH | FORMULATION_MERGE };

/* Windows of the first attempt. */
enum { CHECKMATE_BEFORE = 2, CHECKMATE_DEPTH = 2 };

/* Larger models are not begun. The model of 1000 nodes takes a twentieth of this, and minutes. */
static const double CHECKMATE_MAX_BYTES = 4294967296.0;

/* Solves the LP over the mask; if optimal, fraction (n*n) gets the values of S. */
static lp_status solve_relaxation(const problem *p, const uint8_t *mask, const base_limits *limits,
                                  double *fraction)
{
    const int n = p->graph->n;
    formulation *f =
        formulation_build(p, CHECKMATE_FEATURES, mask, formulation_default_scale(p->graph));
    lp_params params = lp_params_default();
    if (limits)
        params.limits = *limits;
    lp_solver *solver = lp_solver_create(f->model, &params);
    lp_status status = lp_solve(solver);
    if (status == LP_OPTIMAL) {
        const double *x = lp_primal(solver);
        for (size_t c = 0; c < (size_t)n * (size_t)n; c++)
            fraction[c] = f->cell[CELL_C][c] < 0 ? 0.0 : x[f->cell[CELL_C][c]];
    }
    lp_solver_free(solver);
    formulation_free(f);
    return status;
}

/* The values of S in an optimum of the relaxation, fresh; NULL and a reason without. */
static double *relax(const problem *p, const baseline_options *o, char reason[BASELINE_REASON])
{
    const size_t cells = (size_t)p->graph->n * (size_t)p->graph->n;
    graph *time = time_graph(p->graph);
    int64_t budget = (int64_t)((__int128)p->ram_budget_bytes * 9 / 10);
    problem remat = problem_make(time, budget);
    remat.allow_paging = false;
    double *fraction = base_calloc(cells, sizeof *fraction);
    lp_status status = LP_INFEASIBLE;
    double bytes = 0;
    for (int whole = 0; whole < 2 && status == LP_INFEASIBLE; whole++) {
        uint8_t *mask = whole ? formulation_mask_full(&remat, CHECKMATE_FEATURES)
                              : formulation_mask_windows(&remat, CHECKMATE_FEATURES,
                                                         CHECKMATE_BEFORE, CHECKMATE_DEPTH);
        bytes = formulation_bytes(&remat, mask);
        status = bytes > CHECKMATE_MAX_BYTES ? LP_MEMORY_LIMIT
                                             : solve_relaxation(&remat, mask, o->limits, fraction);
        base_free(mask);
    }
    graph_free(time);
    if (status == LP_OPTIMAL)
        return fraction;
    if (status == LP_INFEASIBLE)
        snprintf(reason, BASELINE_REASON, "the LP relaxation is infeasible at 90 %%, %lld bytes",
                 (long long)budget);
    else if (bytes > CHECKMATE_MAX_BYTES)
        snprintf(reason, BASELINE_REASON, "the LP relaxation takes about %.1f GiB, more than %.0f",
                 bytes / 1073741824.0, CHECKMATE_MAX_BYTES / 1073741824.0);
    else if (!policy_stopped(o, reason))
        snprintf(reason, BASELINE_REASON, "the LP relaxation was not solved: %s",
                 lp_status_name(status));
    base_free(fraction);
    return NULL;
}

/* ---- rounding ------------------------------------------------------------------------ */

/* Values this close to an integer are one, and to a threshold reach it. */
static const double CHECKMATE_TOLERANCE = 1e-9;

/* Rounds S at the threshold; with rng at random, each entry to 1 with its value as the probability.
 */
static schedule *round_values(const graph *g, const double *fraction, double threshold,
                              base_rng *rng)
{
    schedule *s = schedule_create(g->n);
    for (int t = 0; t < g->n; t++)
        for (int i = 0; i < t; i++) {
            const size_t c = schedule_cell(s, t, i);
            const double u = rng ? base_rng_double(rng) : 0, value = fraction[c];
            s->S[c] = !rng ? value >= threshold - CHECKMATE_TOLERANCE
                           : value > 1.0 - CHECKMATE_TOLERANCE ||
                                 (value >= CHECKMATE_TOLERANCE && u < value);
        }
    policy_finish(g, s);
    return s;
}

schedule *baseline_checkmate_lp(const problem *p, const baseline_options *o, int variant,
                                char reason[BASELINE_REASON])
{
    const bool random = variant == BASELINE_LP_RANDOM;
    double *fraction = relax(p, o, reason);
    if (!fraction)
        return NULL;
    policy_family family = policy_family_make(p);
    base_rng rng = {o->seed};
    bool stopped = false;
    const int count = random ? o->checkmate_draws : o->checkmate_threshold > 0.0 ? 1 : 9;
    for (int k = 0; k < count && !stopped; k++) {
        const double threshold =
            o->checkmate_threshold > 0.0 ? o->checkmate_threshold : 100 * (k + 1) / 1000.0;
        policy_family_add(&family,
                          round_values(p->graph, fraction, threshold, random ? &rng : NULL),
                          random ? k : lrint(1000.0 * threshold));
        stopped = random && policy_stopped(o, reason);
    }
    base_free(fraction);
    return policy_family_take(&family, stopped, random ? "draw" : "threshold per mille", reason);
}
