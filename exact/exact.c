#include "exact/exact.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/engine.h"
#include "exact/proof.h"

/* Shares of the time that is left: for the trees over the windows, the first and the second, and
 * for the models that grow. */
#define QUICK_SHARE 0.1
#define WINDOW_SHARE 0.4
#define GROWTH_SHARE 0.5
/* For the coarse timeline: at its first look, which it has when models have grown for a part of the
 * time; when they have not got anywhere and a tree can follow; or else. */
#define COARSE_QUICK 0.1
#define COARSE_WAIT 0.3
#define COARSE_SHARE 0.3
#define COARSE_ALL 0.95
#define COARSE_NEAR 0.02 /* gap at which the tree is more likely to bring something */
#define HOPELESS 4       /* times what is left would not see the end of the last tree's first LP */
#define LOST 1e-3        /* of the bound, by a model's growth: worth rounds of cuts */
#define SECONDS_PER_COLUMN 3e-4 /* of the first LP over all cells; a guess */

enum {
    WINDOW_BEFORE = 2,
    WINDOW_DEPTH = 3,
    WINDOW_NODES = 500,       /* nodes spent on schedules within the windows */
    WINDOW_COLUMNS = 2500000, /* ... or so many columns of their LPs together, if that is more */
    QUICK_NODES = 10,         /* ... at first: often all it takes */
    PROOF_ROUNDS = 50,
    /* The coarse timeline has a first, short look when models have grown for so many simplex
     * iterations, or at once when the windows have so many columns. */
    COARSE_AFTER = 30000,
    LARGE_WINDOWS = 20000,
    COARSE_ITERATIONS = 20000, /* that this look may take */
    /* A growing model begins from the slacks when the duals want so many cells, the one before it
     * has at most so many columns, and it is one of the first so many of which that is true. */
    MANY_WANTED = 20,
    COLD_COLUMNS = 7500,
    COLD_MODELS = 2
};

exact_params exact_params_default(void)
{
    return (exact_params){.threads = 1,
                          .node_limit = LONG_MAX,
                          .gap_relative = 1e-9,
                          .features = FORMULATION_DEFAULT,
                          .log_stream = NULL,
                          .seed = 1,
                          .heuristics = true};
}

static size_t mask_size(const engine *e)
{
    return (size_t)e->p->graph->n * (size_t)e->p->graph->n;
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
    for (size_t c = 0; c < mask_size(e); c++)
        count += __builtin_popcount(e->mask[c] & ~mask[c] & (MASK_R | MASK_IN | MASK_OUT));
    return count;
}

static bool solved(engine *e, const working *w)
{
    return w->status == LP_OPTIMAL && !engine_done(e);
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
    for (size_t c = 0; c < mask_size(e); c++)
        mask[c] &= e->mask[c];
    formulation_mask_propagate(e->p, features, mask);
    working *w = working_create(e, mask, NULL, 0);
    base_free(mask);
    working_cut(e, w);
    e->result->root_bound = w->bound_before_cuts / e->scale;
    e->result->root_bound_cuts = w->bound / e->scale;
    return w;
}

/* The coarse timeline has no place in a certificate. */
static bool coarse_allowed(const engine *e)
{
    return (e->params->features & FORMULATION_COARSE) && !e->params->proof;
}

/* Whether the first LP over all cells (e->whole) may end within a share of the time that is left.
 */
static bool last_tree_pays(const engine *e, double share)
{
    const double deadline = e->params->limits.deadline, left = deadline - base_seconds();
    return deadline <= 0 || share * left >= SECONDS_PER_COLUMN * e->whole->model->cols;
}

/* When models stop growing in favour of the coarse timeline and the tree over all cells; 0: never,
 * as when the time that is left for that tree would not see the end of its first LP. */
static double growth_deadline(const engine *e)
{
    const double deadline = e->params->limits.deadline, left = deadline - base_seconds();
    const bool pays = coarse_allowed(e) || last_tree_pays(e, 1 - GROWTH_SHARE);
    return deadline > 0 && pays && !e->params->proof ? deadline - (1 - GROWTH_SHARE) * left : 0;
}

/* Whether growing from the windows, since `start` and so many iterations before, takes so long, or
 * will, that it may end without a bound. */
static bool look_is_due(const engine *e, const working *windows, double start, long iterations)
{
    const double deadline = e->params->limits.deadline;
    return coarse_allowed(e) &&
           (windows->f->model->cols > LARGE_WINDOWS ||
            e->result->lp_iterations - iterations > COARSE_AFTER ||
            (deadline > 0 && base_seconds() - start > COARSE_WAIT * (deadline - start)));
}

/* Proves the bound of first for all cells, in models that grow by the cells that the duals
 * want. Returns the last one that was solved, first itself if nothing was wanted. When growing
 * takes too long, the tree over all cells gets the rest of the time: the duals of its first LP
 * prove something even if that does not end. */
static working *prove_outside(engine *e, working *first)
{
    working *w = first;
    uint8_t *mask = base_malloc(mask_size(e), 1);
    uint8_t *grow = base_malloc(mask_size(e), 1);
    bool fresh = true; /* nothing was added since the last rounds of cuts */
    int cold = 0;      /* models solved from the slack basis */
    const double start = base_seconds();
    const long iterations = e->result->lp_iterations;
    for (int round = 0; round < PROOF_ROUNDS && solved(e, w); round++) {
        memset(grow, 0, mask_size(e));
        int wanted = engine_prove(e, w, grow);
        if (engine_done(e))
            break;
        if (wanted > 0 && !e->point && look_is_due(e, first, start, iterations)) {
            engine_coarse(e, COARSE_QUICK, COARSE_ITERATIONS);
            if (engine_done(e))
                break;
            e->lp_deadline = 0;
        }
        if (e->lp_deadline == 0)
            e->lp_deadline = growth_deadline(e);
        e->grown = wanted == 0;
        if (wanted == 0) {
            if (fresh || !working_cut(e, w))
                break;
            fresh = true;
            continue;
        }
        memcpy(mask, w->f->mask, mask_size(e));
        bool shed = w == first && engine_shed(e, w, mask);
        for (size_t c = 0; c < mask_size(e); c++)
            mask[c] |= grow[c] | (grow[c] ? MASK_C | MASK_P : 0);
        /* Where much is missing of a small model, many sparse pivots from the slacks cost less than
         * the dense ones from the last basis; but that leads to new duals, and those to new wishes.
         */
        bool is_cold = shed || (wanted >= MANY_WANTED && w->f->model->cols <= COLD_COLUMNS &&
                                cold++ < COLD_MODELS);
        working *next = working_create(e, mask, w, is_cold ? 0 : wanted);
        bool grown = shed || next->f->model->cols > w->f->model->cols;
        /* What the new cells take from the bound, cuts may give back. */
        fresh = next->bound < (1 - LOST) * w->bound;
        if (grown && fresh)
            working_cut(e, next);
        if (next->status != LP_OPTIMAL || !grown) { /* a limit, or what is wanted is of no use */
            e->grown = next->status == LP_OPTIMAL;
            working_free(next);
            break;
        }
        if (w != first)
            working_free(w);
        w = next;
    }
    e->lp_deadline = 0;
    base_free(grow);
    base_free(mask);
    return w;
}

/* No schedule within the windows is better than bound: from now on only those that use a cell
 * outside count. */
static void close_core(engine *e, const working *w, double bound)
{
    e->core = base_malloc(mask_size(e), 1);
    memcpy(e->core, w->f->mask, mask_size(e));
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
    uint8_t *mask = base_malloc(mask_size(e), 1);
    for (size_t c = 0; c < mask_size(e); c++)
        mask[c] = w->f->mask[c] & e->mask[c];
    bool less = memcmp(mask, w->f->mask, mask_size(e)) != 0;
    working *narrow = less ? working_build(e, mask, w, true) : NULL;
    base_free(mask);
    return narrow;
}

/* The tree over the windows: schedules, and if it ends, the end of the windows. A certificate's
 * trees are about all cells. */
static void search_windows(engine *e, working *w, long nodes, double share)
{
    const exact_proof *proof = e->params->proof;
    bool all = complete(e, w);
    if (!solved(e, w) || e->core || nodes_left(e) == 0 || (proof && (all || !e->result->schedule)))
        return;
    if (proof)
        proof->cases(proof->user, w->f);
    long limit = nodes_left(e);
    if (!all && limit > nodes)
        limit = nodes;
    engine_log(e, 1, "tree      over %s", all ? "all cells" : "the windows");
    working *narrow = proof ? NULL : narrowed(e, w);
    double bound = engine_tree(e, narrow ? narrow : w, w, limit, all ? 1 : share);
    bool closed = !all && e->result->schedule && bound >= engine_cutoff(e);
    if (proof)
        proof->case_ended(proof->user, closed);
    if (all)
        engine_raise(e, bound);
    else if (closed)
        close_core(e, narrow ? narrow : w, bound);
    working_free(narrow);
}

/* The tree over every cell that is left. */
static void search_rest(engine *e, const working *wide)
{
    const working *from = wide->status == LP_OPTIMAL ? wide : NULL;
    working *w = working_build(e, e->mask, from, engine_units_pay(e));
    engine_log(e, 1, "tree      over the cells that are left%s",
               e->core ? ", one outside the windows" : "");
    double bound = engine_tree(e, w, wide, nodes_left(e), 1);
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
    uint8_t *grow = base_calloc(mask_size(e), 1);
    engine_prove(e, wide, grow);
    base_free(grow);
}

/* Nodes of a small model cost little. */
static long window_nodes(const working *w)
{
    long nodes = WINDOW_COLUMNS / (1 + w->f->model->cols);
    return nodes > WINDOW_NODES ? nodes : WINDOW_NODES;
}

static void search(engine *e)
{
    if (e->params->heuristics)
        engine_improve_first(e);
    engine_eliminate_by_cost(e);
    working *windows = first_model(e);
    if (e->params->heuristics)
        engine_improve_quickly(e, windows);
    search_windows(e, windows, QUICK_NODES, QUICK_SHARE);
    if (e->params->heuristics && !e->core)
        engine_improve(e, windows);
    working *wide = prove_outside(e, windows);
    if (e->params->heuristics && e->core && wide != windows && solved(e, wide))
        engine_improve(e, wide); /* there may be something better outside the windows */
    search_windows(e, windows, window_nodes(windows), e->lower > 0 ? WINDOW_SHARE : QUICK_SHARE);
    e->limited = e->limited || nodes_left(e) == 0; /* what follows is for the last tree */
    if (solved(e, wide))
        prove_again(e, wide);
    if (e->whole && !e->grown && coarse_allowed(e) && !engine_done(e) &&
        e->lower < (1 - COARSE_NEAR) * engine_cutoff(e))
        engine_coarse(e, last_tree_pays(e, 1 - COARSE_SHARE) ? COARSE_SHARE : COARSE_ALL, LONG_MAX);
    if (!engine_done(e) && (!e->whole || last_tree_pays(e, HOPELESS))) {
        search_rest(e, wide);
    } else if (!engine_done(e)) {
        e->limited = true; /* making the model alone would take what is left */
        e->stop = BASE_STOP_TIME;
    }
    if (wide != windows)
        working_free(wide);
    working_free(windows);
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
    if (r->schedule && e->lower >= e->upper - e->params->gap_relative * e->upper) {
        r->bound_overhead_joules = fmin(r->bound_overhead_joules, r->validation.overhead_joules);
        return EXACT_OPTIMAL;
    }
    r->stop = e->stop;
    return EXACT_LIMIT;
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
    if (plainly_infeasible(&e)) {
        e.infeasible = true;
    } else {
        e.mask = formulation_mask_full(p, params->features);
        formulation_mask_propagate(p, params->features, e.mask);
        first_schedules(&e);
        if (!engine_done(&e))
            search(&e);
    }
    result.status = conclude(&e);
    result.seconds = base_seconds() - e.start;
    engine_prove_clear(&e);
    base_free(e.point);
    base_free(e.mask);
    base_free(e.core);
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
    static const unsigned order = FORMULATION_CANONICAL | FORMULATION_LATE;
    exact_result result = solve_once(p, params);
    if (result.status != EXACT_LIMIT || result.stop != BASE_GO || params->proof ||
        result.nodes >= params->node_limit || !(params->features & order))
        return result;
    /* Nothing stopped the search, and yet it ended without an answer: as a rule because the best
     * solutions rest on releases that the model of canonical schedules grants too easily. The
     * model of all schedules grants none. */
    exact_params plain = *params;
    const schedule *start = result.schedule;
    const char *name = result.source;
    plain.features &= ~order;
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
