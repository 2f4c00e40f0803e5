/* The frame around the search: simple tests of infeasibility, the first schedules, the search under
 * a guard, and the verdict. If the model of canonical schedules cannot decide, the search continues
 * with the model of all schedules. */
#include "exact/exact.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/beside.h"
#include "exact/cells/prove.h"
#include "exact/cells/tree.h"
#include "exact/finder/anneal.h"
#include "exact/log.h"
#include "exact/search.h"
#include "exact/timeline/coarse.h"

/* Steps on coarse timelines if memory is too short for more. */
#define COARSE_WORK 1e10

exact_params exact_params_default(void)
{
    return (exact_params){.threads = 1,
                          .node_limit = LONG_MAX,
                          .work_limit = INFINITY,
                          .gap_relative = EXACT_OPTIMAL_GAP,
                          .features = FORMULATION_DEFAULT,
                          .log_stream = NULL,
                          .seed = 1,
                          .tuning = exact_tuning_default(),
                          .heuristics = true};
}

/* True if a simple test proves infeasibility: a node that cannot fit, or a deadline below the base
 * time. */
static bool is_trivially_infeasible(engine *e)
{
    const graph *g = e->p->graph;
    int node;
    exact_result *r = e->result;
    r->minimum_bytes = graph_minimum_bytes(g, &node);
    if (r->minimum_bytes > e->p->ram_budget_bytes) {
        snprintf(r->infeasible_reason, sizeof r->infeasible_reason,
                 "node %d (%s) and its inputs need %lld bytes, the budget is %lld", node,
                 g->node_name[node], (long long)r->minimum_bytes,
                 (long long)e->p->ram_budget_bytes);
        return true;
    }
    if (problem_slack_seconds(e->p) < 0) {
        snprintf(r->infeasible_reason, sizeof r->infeasible_reason,
                 "computing every node once takes %.9g s, the deadline is %.9g s",
                 graph_base_seconds(g), e->p->deadline_seconds);
        return true;
    }
    return false;
}

static void first_schedules(engine *e)
{
    if (graph_checkpoint_all_peak(e->p->graph) <= e->p->ram_budget_bytes) {
        schedule *all = schedule_checkpoint_all(e->p->graph);
        engine_offer(e, all, "checkpoint-all");
        schedule_free(all);
    }
    for (int k = 0; k < e->params->start_count; k++)
        engine_offer(e, e->params->starts[k], e->params->start_names[k]);
}

/* True if the relative gap is at most `gap`. */
static bool is_within(const engine *e, double gap)
{
    return e->result->schedule && e->lower >= e->upper - gap * e->upper;
}

static exact_status conclude(engine *e)
{
    exact_result *r = e->result;
    r->stop = e->stop;
    if (e->failed)
        return EXACT_FAILED;
    if (e->infeasible && !r->schedule) {
        if (!r->infeasible_reason[0])
            snprintf(r->infeasible_reason, sizeof r->infeasible_reason,
                     "no schedule meets the budget%s",
                     isinf(e->p->deadline_seconds) ? "" : " and the deadline");
        return EXACT_INFEASIBLE;
    }
    r->bound_overhead_joules = fmax(0, e->lower / e->scale);
    if (is_within(e, EXACT_OPTIMAL_GAP) || is_within(e, e->params->gap_relative)) {
        r->bound_overhead_joules = fmin(r->bound_overhead_joules, r->validation.overhead_joules);
        return is_within(e, EXACT_OPTIMAL_GAP) ? EXACT_OPTIMAL : EXACT_WITHIN_GAP;
    }
    r->unproven = e->stop == BASE_GO && r->nodes < e->params->node_limit;
    return EXACT_LIMIT;
}

/* Runs the search until nothing is left to do, then frees all that it built. */
static void run_search(engine *e)
{
    engine_search(e);
    engine_prove_clear(e);
    base_free(e->mask);
    base_free(e->core);
    e->mask = e->core = NULL;
    e->core_closed = false;
}

/* True if the search ended without an answer and no limit stopped it. As a rule the best solutions
 * rest on releases that the model of canonical schedules grants too easily. */
static bool has_no_answer(engine *e)
{
    return !engine_done(e) && engine_nodes_left(e) > 0;
}

/* Annealing before the search. Adds its work to the result. */
static void anneal_first(engine *e, double work)
{
    const turn_start before = turn_begin(e);
    if (!engine_anneal_left(e) || engine_done(e))
        return;
    engine_anneal(e, work);
    const exact_spent spent = turn_end(&before, e);
    engine_spend(e, EFFORT_ANNEAL, &spent);
}

/* The part of a solve that may be given up at any allocation. The result, lower and upper stay
 * valid then. */
static void solve_guarded(void *data)
{
    engine *e = data;
    if (is_trivially_infeasible(e)) {
        e->infeasible = true;
        return;
    }
    if (!e->params->proof) { /* no step of a certificate expresses it */
        e->coarse_bound = coarse_cover_bound(e->p) * e->scale;
        engine_raise(e, e->coarse_bound);
    }
    first_schedules(e);
    const double quick = engine_tuning(e)->anneal_quick * e->p->graph->n;
    anneal_first(e, quick);
    if (!e->result->schedule)
        anneal_first(e, 9 * quick);
    if (!engine_done(e))
        run_search(e);
    if (has_no_answer(e) && (e->features & FORMULATION_CANONICAL) && !e->params->proof) {
        /* The model of all schedules grants no such releases. */
        engine_log(e, 1, "refine    without the rows of canonical schedules");
        e->features &= ~(unsigned)FORMULATION_CANONICAL;
        run_search(e);
    }
    engine_anneal_clear(e);
}

static void small_timelines_guarded(void *data)
{
    engine *e = data;
    if (engine_coarse_left(e))
        engine_coarse(e, COARSE_WORK);
    engine_coarse_clear(e);
    engine_points_clear(&e->points);
}

/* Runs small coarse timelines after the search ran out of memory. Their bounds hold for all
 * schedules. */
static void run_small_timelines(engine *e)
{
    engine little = {.p = e->p,
                     .params = e->params,
                     .result = e->result,
                     .start = e->start,
                     .features = e->features,
                     .scale = e->scale,
                     .upper = e->upper,
                     .lower = e->lower,
                     .work_before = e->work_before,
                     .helpers_work = e->helpers_work,
                     .waited = e->waited,
                     .row = e->row};
    pthread_mutex_init(&little.lock, NULL);
    engine_log(e, 1, "memory    too little: only small coarse timelines continue");
    base_try(&e->params->limits, small_timelines_guarded, &little);
    pthread_mutex_destroy(&little.lock);
    e->upper = little.upper;
    e->lower = little.lower;
    e->infeasible = little.infeasible;
    e->failed = little.failed;
    if (little.stop == BASE_STOP_INTERRUPT)
        e->stop = little.stop;
}

static void solve(engine *e)
{
    const base_stop why = base_try(&e->params->limits, solve_guarded, e);
    if (why != BASE_GO) {
        e->stop = why;
        engine_proof(e)->given_up(engine_proof(e)->user);
    }
    if (e->stop == BASE_STOP_MEMORY && !e->failed)
        run_small_timelines(e);
}

exact_result exact_solve(const problem *p, const exact_params *params)
{
    exact_result result = {.root_bound = NAN, .root_bound_cuts = NAN};
    exact_params own = *params;
    base_limits_keep_back(&own.limits, schedule_validate_work(p->graph->n));
    engine e = {.p = p,
                .params = &own,
                .result = &result,
                .start = base_seconds(),
                .threads = 1,
                .features = params->features,
                .scale = formulation_default_scale(p->graph),
                .upper = INFINITY,
                .eliminated_upper = INFINITY,
                .row = {.effort = EFFORTS, .part = -INFINITY}};
    engine_enter(&e, 0, 0);
    pthread_mutex_init(&e.lock, NULL);
    solve(&e);
    result.status = conclude(&e);
    result.seconds = base_seconds() - e.start;
    result.work = 1e-9 * engine_work(&e);
    result.span = 1e-9 * engine_time(&e);
    pthread_mutex_destroy(&e.lock);
    return result;
}
