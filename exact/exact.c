#include "exact/exact.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/engine.h"
#include "exact/proof.h"

/* Shares of the time that is left: for the trees over the windows, the first and the second. */
#define QUICK_SHARE 0.1
#define WINDOW_SHARE 0.4
#define QUICK_WORK 0.25 /* iterations of the first one, in those of the LP over the windows */
/* For the coarse timeline where models have grown and not got anywhere: when a tree can follow, or
 * else. */
#define COARSE_SHARE 0.3
#define COARSE_ALL 0.95
#define NEAR 0.02  /* gap at which the last tree is likely to bring something */
#define HOPELESS 4 /* times what is left would not see the end of the last tree's first LP */

enum {
    WINDOW_BEFORE = 2,
    WINDOW_DEPTH = 3,
    WINDOW_NODES = 500,       /* nodes spent on schedules within the windows */
    WINDOW_COLUMNS = 2500000, /* ... or so many columns of their LPs together, if that is more */
    QUICK_NODES = 10,         /* ... at first: often all it takes */
    COARSE_ITERATIONS = 50000 /* where memory is too short for more */
};

exact_params exact_params_default(void)
{
    return (exact_params){.threads = 1,
                          .node_limit = LONG_MAX,
                          .gap_relative = EXACT_OPTIMAL_GAP,
                          .features = FORMULATION_DEFAULT,
                          .log_stream = NULL,
                          .seed = 1,
                          .tuning = exact_tuning_default(),
                          .heuristics = true};
}

/* What needs no search: a node that cannot fit, a deadline below the base time. */
static bool plainly_infeasible(engine *e)
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
    schedule *all = schedule_checkpoint_all(e->p->graph);
    engine_offer(e, all, "checkpoint-all");
    schedule_free(all);
    for (int k = 0; k < e->params->start_count; k++)
        engine_offer(e, e->params->starts[k], e->params->start_names[k]);
}

/* Cells that may matter and are not in the working mask. */
static long missing_count(const engine *e, const uint8_t *mask)
{
    long count = 0;
    for (size_t c = 0; c < engine_cells(e); c++)
        count += __builtin_popcount(e->mask[c] & ~mask[c] & (MASK_R | MASK_IN | MASK_OUT));
    return count;
}

/* The model's cells are all that may matter: what it proves holds for the full model. */
static bool complete(const engine *e, const working *w)
{
    return missing_count(e, w->f->mask) == 0;
}

static working *first_model(engine *e)
{
    unsigned features = e->params->features;
    uint8_t *mask = features & FORMULATION_WINDOWS
                        ? formulation_mask_windows(e->p, features, WINDOW_BEFORE, WINDOW_DEPTH)
                        : formulation_mask_full(e->p, features);
    for (size_t c = 0; c < engine_cells(e); c++)
        mask[c] &= e->mask[c];
    formulation_mask_propagate(e->p, features, mask);
    working *w = working_create(e, mask, NULL, 0);
    base_free(mask);
    working_cut(e, w);
    e->result->root_bound = w->bound_before_cuts / e->scale;
    e->result->root_bound_cuts = w->bound / e->scale;
    return w;
}

/* No schedule within the windows is better than bound: from now on only those that use a cell
 * outside count. */
static void close_core(engine *e, const working *w, double bound)
{
    e->core = base_malloc(engine_cells(e), 1);
    memcpy(e->core, w->f->mask, engine_cells(e));
    e->core_bound = bound;
    engine_log(e, 1, "windows   closed: nothing within them is better");
}

/* What the node limit leaves to the next tree. */
static long nodes_left(const engine *e)
{
    long left = e->params->node_limit - e->result->nodes;
    return left > 0 ? left : 0;
}

/* The model of w without the cells that have been eliminated since it was made, no LP; NULL: there
 * are none. */
static working *narrowed(engine *e, const working *w)
{
    uint8_t *mask = base_malloc(engine_cells(e), 1);
    for (size_t c = 0; c < engine_cells(e); c++)
        mask[c] = w->f->mask[c] & e->mask[c];
    bool less = memcmp(mask, w->f->mask, engine_cells(e)) != 0;
    working *narrow = less ? working_build(e, mask, w, true) : NULL;
    base_free(mask);
    return narrow;
}

/* The tree over the windows: schedules, and if it ends, the end of the windows. A certificate has
 * two cases then, if it is about canonical schedules: by the rules alone actions of no use, which
 * cost nothing, lead out of the first one. */
static void search_windows(engine *e, working *w, tree_limits limits)
{
    const exact_proof *proof = e->params->proof;
    bool all = complete(e, w);
    if (!engine_solved(e, w) || e->core || nodes_left(e) == 0 ||
        (proof && (all || !e->result->schedule || !(e->params->features & FORMULATION_CANONICAL))))
        return;
    if (proof)
        proof->cases(proof->user, w->f);
    if (all)
        limits = (tree_limits){nodes_left(e), LONG_MAX, 1, limits.target};
    else if (limits.nodes > nodes_left(e))
        limits.nodes = nodes_left(e);
    engine_log(e, 1, "tree      over %s", all ? "all cells" : "the windows");
    working *narrow = proof ? NULL : narrowed(e, w);
    double bound = engine_tree(e, narrow ? narrow : w, w, &limits);
    bool closed = !all && e->result->schedule && bound >= engine_cutoff(e);
    if (proof)
        proof->case_ended(proof->user, closed);
    if (all)
        engine_raise(e, bound);
    else if (closed)
        close_core(e, narrow ? narrow : w, bound);
    working_free(narrow);
}

static bool is_near(const engine *e)
{
    return e->lower >= (1 - NEAR) * engine_cutoff(e);
}

/* Totals are worth their rows where it takes a tree, and this one may come to an end. */
static bool totals_pay(const engine *e)
{
    return engine_units_pay(e) || (e->branched && (e->core || is_near(e)));
}

/* The tree over every cell that is left. */
static void search_rest(engine *e, const working *wide)
{
    const working *from = wide->status == LP_OPTIMAL ? wide : NULL;
    working *w = working_build(e, e->mask, from, totals_pay(e));
    engine_log(e, 1, "tree      over the cells that are left%s",
               e->core ? ", one outside the windows" : "");
    double bound = engine_tree(e, w, wide, &(tree_limits){nodes_left(e), LONG_MAX, 1, -INFINITY});
    engine_raise(e, fmin(bound, e->core_bound));
    e->infeasible = isinf(bound) && bound > 0;
    e->limited = true; /* nothing is left to do */
    working_free(w);
}

/* A better schedule eliminates more; and the tree starts from the last extension of wide's duals.
 */
static void prove_again(engine *e, const working *wide)
{
    engine_eliminate_by_cost(e);
    uint8_t *grow = base_calloc(engine_cells(e), 1);
    engine_prove(e, wide, grow);
    base_free(grow);
}

/* Nodes of a small model cost little. */
static long window_nodes(const working *w)
{
    long nodes = WINDOW_COLUMNS / (1 + w->f->model->cols);
    return nodes > WINDOW_NODES ? nodes : WINDOW_NODES;
}

/* A look at the windows: what takes little often is all it takes. */
static void search_windows_quickly(engine *e, working *windows)
{
    const long iterations = (long)(QUICK_WORK * (double)lp_iterations(windows->lp));
    search_windows(e, windows, (tree_limits){QUICK_NODES, iterations, QUICK_SHARE, -INFINITY});
}

/* The windows once more, from the models that have grown. Where a schedule turns up that makes
 * totals in units pay, the tree begins again with them. */
static void search_windows_well(engine *e, working *windows, const working *wide)
{
    const double share = e->lower > 0 ? WINDOW_SHARE : QUICK_SHARE;
    const long before = e->result->nodes;
    double target;
    do {
        target = engine_units_target(e);
        search_windows(e, windows, (tree_limits){window_nodes(windows), LONG_MAX, share, target});
        e->limited = e->limited || nodes_left(e) == 0; /* what follows is for the last tree */
        if (engine_solved(e, wide))
            prove_again(e, wide);
    } while (target > -INFINITY && engine_units_pay(e) && !e->core && !engine_done(e));
    e->branched = e->result->nodes - before > QUICK_NODES;
}

static void search(engine *e)
{
    e->mask = formulation_mask_full(e->p, e->params->features);
    formulation_mask_propagate(e->p, e->params->features, e->mask);
    engine_eliminate_by_cost(e);
    working *windows = first_model(e);
    if (e->params->heuristics)
        engine_improve_quickly(e, windows);
    search_windows_quickly(e, windows);
    if (e->params->heuristics && !e->core)
        engine_improve(e, windows);
    working *wide = engine_grow(e, windows);
    if (e->params->heuristics && e->core && wide != windows && engine_solved(e, wide))
        engine_improve(e, wide); /* there may be something better outside the windows */
    search_windows_well(e, windows, wide);
    if (e->whole && !e->grown && engine_coarse_allowed(e) && !engine_done(e) && !is_near(e))
        engine_coarse(e, engine_last_tree_pays(e, 1 - COARSE_SHARE) ? COARSE_SHARE : COARSE_ALL,
                      LONG_MAX);
    /* The last tree of models that have grown begins where they ended. */
    if (!engine_done(e) && (!e->whole || e->grown || engine_last_tree_pays(e, HOPELESS))) {
        search_rest(e, wide);
    } else if (!engine_done(e)) {
        e->limited = true; /* making the model alone would take what is left */
        e->stop = BASE_STOP_TIME;
    }
    if (wide != windows)
        working_free(wide);
    working_free(windows);
}

/* Whether the bound is within such a part of the overhead. */
static bool is_within(const engine *e, double gap)
{
    return e->result->schedule && e->lower >= e->upper - gap * e->upper;
}

static exact_status conclude(engine *e)
{
    exact_result *r = e->result;
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
    r->stop = e->stop;
    r->unproven = e->stop == BASE_GO && r->nodes < e->params->node_limit;
    return EXACT_LIMIT;
}

/* All that may be given up. What stands then is in the result, in lower and upper. */
static void attempt(void *data)
{
    engine *e = data;
    if (plainly_infeasible(e)) {
        e->infeasible = true;
        return;
    }
    first_schedules(e);
    if (e->params->heuristics && !engine_done(e))
        engine_improve_first(e);
    if (!engine_done(e))
        search(e);
    engine_prove_clear(e);
    base_free(e->point);
    base_free(e->mask);
    base_free(e->core);
}

static void attempt_coarsely(void *data)
{
    engine *e = data;
    engine_coarse(e, COARSE_ALL, COARSE_ITERATIONS);
    base_free(e->point);
}

/* The models over all cells do not fit into the memory: those of the coarse timeline are small, and
 * what they prove holds for all schedules. */
static void settle_for_little(engine *e)
{
    engine little = {.p = e->p,
                     .params = e->params,
                     .result = e->result,
                     .start = e->start,
                     .scale = e->scale,
                     .upper = e->upper,
                     .lower = e->lower,
                     .core_bound = INFINITY};
    pthread_mutex_init(&little.lock, NULL);
    engine_log(e, 1, "memory    too little for the models over all cells");
    base_try(&e->params->limits, attempt_coarsely, &little);
    pthread_mutex_destroy(&little.lock);
    e->upper = little.upper;
    e->lower = little.lower;
    e->infeasible = little.infeasible;
    e->failed = little.failed;
    if (little.stop == BASE_STOP_INTERRUPT)
        e->stop = little.stop;
}

/* Who receives a proof has a state of its own: then whoever called gives up. */
static void run(engine *e)
{
    if (e->params->proof) {
        attempt(e);
        return;
    }
    const base_stop why = base_try(&e->params->limits, attempt, e);
    if (why != BASE_GO) {
        e->limited = true;
        e->stop = why;
    }
    if (e->stop == BASE_STOP_MEMORY && !e->failed && engine_coarse_allowed(e))
        settle_for_little(e);
}

static exact_result solve_once(const problem *p, const exact_params *params)
{
    exact_result result = {0};
    engine e = {.p = p,
                .params = params,
                .result = &result,
                .start = base_seconds(),
                .scale = formulation_default_scale(p->graph),
                .upper = INFINITY,
                .core_bound = INFINITY};
    pthread_mutex_init(&e.lock, NULL);
    run(&e);
    result.status = conclude(&e);
    result.seconds = base_seconds() - e.start;
    pthread_mutex_destroy(&e.lock);
    return result;
}

/* What the second of two searches found, with the work of both. */
static void join(exact_result *first, exact_result *second)
{
    second->bound_overhead_joules =
        fmax(second->bound_overhead_joules, first->bound_overhead_joules);
    for (int k = 0; k < second->incumbent_count; k++) {
        exact_incumbent *found = &second->incumbent[k];
        found->seconds += first->seconds;
        found->nodes += first->nodes;
        found->lp_iterations += first->lp_iterations;
    }
    second->first_incumbent_seconds +=
        first->schedule ? first->first_incumbent_seconds : first->seconds;
    second->nodes += first->nodes;
    second->lp_iterations += first->lp_iterations;
    second->cuts += first->cuts;
    second->seconds += first->seconds;
    exact_result_clear(first);
}

exact_result exact_solve(const problem *p, const exact_params *params)
{
    exact_result result = solve_once(p, params);
    if (!result.unproven || params->proof || !(params->features & FORMULATION_CANONICAL))
        return result;
    /* Nothing stopped the search, and yet it ended without an answer: as a rule because the best
     * solutions rest on releases that the model of canonical schedules grants too easily. The
     * model of all schedules grants none. */
    exact_params plain = *params;
    const schedule *start = result.schedule;
    const char *name = result.source;
    plain.features &= ~(unsigned)FORMULATION_CANONICAL;
    plain.starts = &start;
    plain.start_names = &name;
    plain.start_count = start != NULL;
    plain.node_limit -= result.nodes;
    if (params->log >= 1)
        fprintf(params->log_stream ? params->log_stream : stdout,
                "Search again without the rows of canonical schedules\n");
    exact_result again = solve_once(p, &plain);
    join(&result, &again);
    return again;
}

void exact_result_clear(exact_result *result)
{
    schedule_free(result->schedule);
    base_free(result->incumbent);
    *result = (exact_result){0};
}
