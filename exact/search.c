/* The search: one loop over what can be done, each for a share of the work. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/engine.h"
#include "exact/proof.h"

/* One of the two cases: schedules within the windows, or those that use a cell outside. */
typedef struct child {
    tree *tree;   /* NULL: not open */
    working *own; /* what it is over, if that is not kept elsewhere */
    long cells;   /* of that */
    bool units;   /* with totals in units */
    bool outside; /* (of the rest) leaves the windows to the other child */
    long nodes;   /* of all its trees */
    double bound; /* proven, model units */
    bool over;    /* nothing more comes of it */
} child;

typedef struct search_state {
    engine *e;
    uint8_t *first;   /* cells of the windows, extent n*n; NULL before, and once there is a model */
    long first_count; /* how many */
    working *windows; /* the model; NULL before */
    bool opened;      /* its LP is solved, or nothing comes of it */
    child within, rest;
    bool looked;         /* at the tree over the windows */
    bool improved[2];    /* from the LP over the windows; from the last one of growth */
    double proven_upper; /* e->upper at the last proof */
    bool proven_closed;  /* e->core_closed then */
} search_state;

/* ---- cells ----------------------------------------------------------------------- */

static const uint8_t actions = MASK_R | MASK_IN | MASK_OUT;

static long cell_count(const engine *e, const uint8_t *mask, const uint8_t *without)
{
    long count = 0;
    for (size_t c = 0; c < engine_cells(e); c++)
        count += __builtin_popcount(mask[c] & ~(without ? without[c] : 0) & actions);
    return count;
}

/* Cells that have been eliminated leave the mask. */
static void restrict_cells(const engine *e, uint8_t *mask)
{
    for (size_t c = 0; c < engine_cells(e); c++)
        mask[c] &= e->mask[c];
}

/* The windows are all that may matter: what is proven there holds for the full model. */
static bool is_complete(const search_state *s)
{
    return cell_count(s->e, s->e->mask, s->windows->f->mask) == 0;
}

/* ---- the beginning ----------------------------------------------------------------- */

/* The cells of the first model. */
static uint8_t *first_cells(engine *e)
{
    unsigned features = e->params->features;
    uint8_t *mask = features & FORMULATION_WINDOWS
                        ? formulation_mask_windows(e->p, features, engine_tuning(e)->window_before,
                                                   engine_tuning(e)->window_depth)
                        : formulation_mask_full(e->p, features);
    restrict_cells(e, mask);
    formulation_mask_propagate(e->p, features, mask);
    return mask;
}

static void find_cells(search_state *s)
{
    engine *e = s->e;
    e->mask = formulation_mask_full(e->p, e->params->features);
    formulation_mask_propagate(e->p, e->params->features, e->mask);
    engine_eliminate_by_cost(e);
    s->first = first_cells(e);
    s->first_count = cell_count(e, s->first, NULL);
}

/* The LP over the windows has ended. */
static void windows_solved(search_state *s)
{
    engine *e = s->e;
    working *w = s->windows;
    s->opened = true;
    working_cut(e, w);
    e->result->root_bound = w->bound_before_cuts / e->scale;
    e->result->root_bound_cuts = w->bound / e->scale;
    s->within.over = w->status != LP_OPTIMAL;
    engine_growth_begin(e, w);
    if (e->params->heuristics)
        engine_improve_quickly(e, w);
}

/* What comes next on the way to the LP over the windows; of its solution, about so much work. */
static exact_effort open_windows(search_state *s, double work)
{
    engine *e = s->e;
    if (!e->mask) {
        find_cells(s);
    } else if (!s->windows) {
        engine_require_room(e, s->first);
        s->windows = working_open(e, s->first, NULL);
        base_free(s->first);
        s->first = NULL;
    } else if (working_solve(e, s->windows, work)) {
        windows_solved(s);
    }
    return EFFORT_BEGIN;
}

/* ---- proofs ------------------------------------------------------------------------- */

/* A better schedule eliminates more; and trees start from the last extension of these duals. */
static void prove_again(search_state *s)
{
    engine *e = s->e;
    if (!engine_solved(e, engine_wide(e)) ||
        (e->upper >= s->proven_upper && e->core_closed == s->proven_closed))
        return;
    s->proven_upper = e->upper;
    s->proven_closed = e->core_closed;
    engine_eliminate_by_cost(e);
    uint8_t *grow = base_calloc(engine_cells(e), 1);
    engine_prove(e, engine_wide(e), grow);
    base_free(grow);
}

/* What both children have proven holds for all. */
static void take_bounds(search_state *s)
{
    engine *e = s->e;
    const double cutoff = engine_cutoff(e);
    double bound = s->rest.bound;
    if (s->rest.outside)
        bound = fmin(bound, s->within.bound);
    if (is_complete(s))
        bound = fmax(bound, s->within.bound);
    engine_raise(e, fmin(bound, cutoff));
    e->infeasible = isinf(cutoff) && isinf(bound) && bound > 0;
}

/* ---- the two children ----------------------------------------------------------------- */

static void close_child(search_state *s, child *c, working *from)
{
    event_cut_list cuts = {0};
    if (!c->tree)
        return;
    engine_tree_close(c->tree, &cuts);
    c->tree = NULL;
    working_free(c->own);
    c->own = NULL;
    if (from)
        working_add_cuts(s->e, from, &cuts);
    event_cut_list_clear(&cuts);
}

/* Much of what it is over has been eliminated since, or totals in units have come to pay. */
static bool is_stale(const search_state *s, const child *c, const uint8_t *mask)
{
    const engine *e = s->e;
    if (e->params->proof)
        return false;
    const long left = cell_count(e, mask, NULL);
    const double part = engine_tree_nodes(c->tree) <= engine_tuning(e)->look_nodes
                            ? 0
                            : engine_tuning(e)->reopen_share;
    return (double)(c->cells - left) > part * (double)c->cells ||
           (!c->units && engine_units_pay(e));
}

/* The tree over the windows, or over what is left of them. */
static void open_within(search_state *s)
{
    engine *e = s->e;
    child *c = &s->within;
    uint8_t *mask = base_malloc(engine_cells(e), 1);
    memcpy(mask, s->windows->f->mask, engine_cells(e));
    restrict_cells(e, mask);
    if (c->tree && is_stale(s, c, mask))
        close_child(s, c, s->windows);
    if (!c->tree) {
        const bool less = memcmp(mask, s->windows->f->mask, engine_cells(e)) != 0;
        c->units = engine_units_pay(e);
        if ((less || c->units) && !e->params->proof)
            c->own = working_build(e, mask, s->windows, true);
        c->cells = cell_count(e, mask, NULL);
        if (!e->core)
            e->core = base_malloc(engine_cells(e), 1);
        memcpy(e->core, c->own ? mask : s->windows->f->mask, engine_cells(e));
        engine_log(e, 1, "tree      over %s", is_complete(s) ? "all cells" : "the windows");
        c->tree =
            engine_tree_open(e, c->own ? c->own : s->windows, s->windows, "tree search", false);
    }
    base_free(mask);
}

/* A certificate has two cases, if it is about canonical schedules: by the rules alone actions of no
 * use, which cost nothing, lead out of the first one. Each look at the first case is one of its
 * own. */
static bool may_run_within(const search_state *s)
{
    const engine *e = s->e;
    return !s->within.over && !e->core_closed && engine_nodes_left(e) > 0 &&
           (!e->params->proof || (!is_complete(s) && e->result->schedule &&
                                  (e->params->features & FORMULATION_CANONICAL)));
}

static void run_within(search_state *s, double work, long nodes)
{
    engine *e = s->e;
    const exact_proof *proof = e->params->proof;
    child *c = &s->within;
    if (proof)
        proof->cases(proof->user, s->windows->f);
    open_within(s);
    const long before = engine_tree_nodes(c->tree);
    c->over = engine_tree_run(c->tree, work, nodes);
    c->nodes += engine_tree_nodes(c->tree) - before;
    c->bound = engine_tree_bound(c->tree);
    e->core_bound = c->bound;
    e->core_closed = e->result->schedule && c->bound >= engine_cutoff(e) && !is_complete(s);
    if (proof)
        proof->case_ended(proof->user, e->core_closed);
    if (c->over || proof)
        close_child(s, c, s->windows);
    if (c->over && !e->core_closed && s->rest.outside)
        s->rest.over = false; /* it has to go without */
    if (e->core_closed)
        engine_log(e, 1, "windows   closed: nothing within them is better");
    take_bounds(s);
}

static bool is_near(const engine *e)
{
    return e->lower >= (1 - engine_tuning(e)->near_gap) * engine_cutoff(e);
}

/* Totals are worth their rows where it takes a tree, and this one may come to an end. */
static bool totals_pay(const search_state *s)
{
    const engine *e = s->e;
    return engine_units_pay(e) ||
           (s->within.nodes > engine_tuning(e)->look_nodes && (e->core_closed || is_near(e)));
}

/* The tree over every cell that is left. As long as the other child lives, the schedules within the
 * windows are its own. */
static void open_rest(search_state *s)
{
    engine *e = s->e;
    child *c = &s->rest;
    const bool outside = e->core_closed || (may_run_within(s) && !e->params->proof && e->core);
    if (c->tree && (is_stale(s, c, e->mask) || (c->outside && !outside)))
        close_child(s, c, NULL);
    if (c->tree)
        return;
    working *wide = engine_wide(e), *from = wide->status == LP_OPTIMAL ? wide : NULL;
    c->own = working_build(e, e->mask, from, totals_pay(s));
    c->cells = cell_count(e, e->mask, NULL);
    c->units = engine_units_pay(e);
    c->outside = outside;
    c->bound = -INFINITY;
    engine_log(e, 1, "tree      over the cells that are left%s",
               outside ? ", one outside the windows" : "");
    c->tree = engine_tree_open(e, c->own, wide, "tree search", outside);
}

static void run_rest(search_state *s, double work)
{
    child *c = &s->rest;
    open_rest(s);
    c->over = engine_tree_run(c->tree, work, LONG_MAX);
    c->bound = engine_tree_bound(c->tree);
    take_bounds(s);
}

/* ---- what is due -------------------------------------------------------------------- */

static double spent_on(const engine *e, exact_effort effort)
{
    return 1e9 * e->result->spent[effort].work;
}

static bool is_within_effort(const engine *e, exact_effort effort, int per_mille)
{
    return 1000 * spent_on(e, effort) < per_mille * engine_work(e);
}

/* Schedules from the LP over the windows; once those are closed there may be better ones outside.
 */
static bool improve_due(const search_state *s)
{
    const engine *e = s->e;
    if (!e->params->heuristics)
        return false;
    if (!e->core_closed)
        return !s->improved[0];
    return engine_growth_over(e) && engine_wide(e) != s->windows && !s->improved[1];
}

/* Schedules whatever the models do. */
static bool anneal_due(const search_state *s)
{
    const engine *e = s->e;
    if (!engine_anneal_left(e) || e->core_closed)
        return false;
    return is_within_effort(e, EFFORT_ANNEAL, engine_tuning(e)->anneal_effort);
}

static bool grow_due(const search_state *s)
{
    const engine *e = s->e;
    return !engine_growth_over(e) &&
           (spent_on(e, EFFORT_GROW) < engine_tuning(e)->grow_freely ||
            is_within_effort(e, EFFORT_GROW, engine_tuning(e)->grow_effort));
}

static bool coarse_due(const search_state *s)
{
    const engine *e = s->e;
    if (!engine_coarse_left(e) || is_near(e))
        return false;
    if (engine_growth_over(e))
        return !engine_grown(e) &&
               is_within_effort(e, EFFORT_COARSE, engine_tuning(e)->coarse_effort);
    const bool is_long =
        engine_growth_is_long(e) || spent_on(e, EFFORT_GROW) > engine_tuning(e)->coarse_wait;
    return is_long && e->lower <= 0 &&
           is_within_effort(e, EFFORT_COARSE, engine_tuning(e)->coarse_look_effort);
}

/* The windows come first, for so many nodes or such an effort. */
static bool windows_due(const search_state *s)
{
    return may_run_within(s) &&
           (s->within.nodes < engine_tuning(s->e)->window_nodes ||
            is_within_effort(s->e, EFFORT_WINDOWS, engine_tuning(s->e)->windows_effort));
}

/* Its first LP alone takes much. */
static bool rest_due(const search_state *s)
{
    const engine *e = s->e;
    if (s->rest.over || !engine_growth_over(e) || engine_nodes_left(e) == 0)
        return false;
    return !may_run_within(s) || s->rest.tree ||
           engine_work(e) > engine_tuning(e)->rest_column_work * engine_columns_left(e);
}

/* ---- the loop -------------------------------------------------------------------------- */

static double slice(const engine *e)
{
    return fmax(engine_tuning(e)->least_slice, engine_tuning(e)->slice * engine_work(e));
}

static double tree_slice(const engine *e)
{
    return e->params->proof ? INFINITY : slice(e); /* one that is recorded goes on to its end */
}

static exact_effort anneal_on(search_state *s)
{
    const engine *e = s->e;
    engine_anneal(s->e, fmax(engine_tuning(e)->anneal_quick * e->p->graph->n,
                             1e-3 * engine_tuning(e)->anneal_effort * engine_work(e)));
    return EFFORT_ANNEAL;
}

static exact_effort coarse(search_state *s)
{
    engine_coarse(s->e, slice(s->e));
    return EFFORT_COARSE;
}

/* Whether there is something better to do than to go on towards the LP over the windows: where
 * that is large, or once it takes long. */
static bool opening_waits(const search_state *s)
{
    const engine *e = s->e;
    const exact_tuning *t = engine_tuning(e);
    if (!e->mask)
        return e->p->graph->n > t->first_nodes &&
               engine_work(e) < t->first_stage_work * (double)engine_cells(e);
    if (!s->windows)
        return s->first_count > t->first_cells &&
               (engine_coarse_left(e) || engine_has_room(e, s->first)) &&
               engine_work(e) < t->first_cell_work * (double)s->first_count;
    return spent_on(e, EFFORT_BEGIN) > t->first_wait &&
           !is_within_effort(e, EFFORT_BEGIN, t->first_effort);
}

/* Until the LP over the windows is solved. */
static exact_effort opening(search_state *s)
{
    const engine *e = s->e;
    const bool anneals = engine_anneal_left(e), coarsens = engine_coarse_left(e) && !is_near(e);
    if (!opening_waits(s) || (!anneals && !coarsens))
        return open_windows(s, fmax(engine_tuning(e)->first_wait, slice(e)));
    if (!anneals ||
        (coarsens && is_within_effort(e, EFFORT_COARSE, engine_tuning(e)->coarse_first_effort)))
        return coarse(s);
    return anneal_on(s);
}

static exact_effort look(search_state *s)
{
    s->looked = true;
    if (may_run_within(s))
        run_within(s, is_complete(s) ? INFINITY : engine_tuning(s->e)->look_work * s->windows->work,
                   is_complete(s) ? LONG_MAX : engine_tuning(s->e)->look_nodes);
    return EFFORT_WINDOWS;
}

static exact_effort improve(search_state *s)
{
    const bool closed = s->e->core_closed;
    s->improved[closed] = true;
    engine_improve(s->e, closed ? engine_wide(s->e) : s->windows);
    return EFFORT_IMPROVE;
}

static exact_effort grow(search_state *s)
{
    s->proven_upper = s->e->upper;
    s->proven_closed = s->e->core_closed;
    engine_grow(s->e);
    return EFFORT_GROW;
}

static exact_effort search_windows(search_state *s)
{
    const bool proof = s->e->params->proof != NULL; /* which a second look would begin anew */
    run_within(s, tree_slice(s->e), proof ? engine_tuning(s->e)->window_nodes : LONG_MAX);
    s->within.over = s->within.over || proof;
    prove_again(s);
    return EFFORT_WINDOWS;
}

static exact_effort search_rest(search_state *s)
{
    prove_again(s);
    run_rest(s, tree_slice(s->e));
    return EFFORT_REST;
}

/* One turn; EFFORTS: nothing is left to do. */
static exact_effort turn(search_state *s)
{
    if (!s->opened)
        return opening(s);
    if (!s->looked)
        return look(s);
    if (anneal_due(s))
        return anneal_on(s);
    if (improve_due(s))
        return improve(s);
    if (coarse_due(s))
        return coarse(s);
    if (grow_due(s))
        return grow(s);
    if (windows_due(s))
        return search_windows(s);
    if (rest_due(s) && (!may_run_within(s) || s->rest.bound <= s->within.bound))
        return search_rest(s);
    if (may_run_within(s))
        return search_windows(s);
    if (!engine_growth_over(s->e))
        return grow(s);
    return EFFORTS;
}

/* The books: before a turn, and after one of an effort. */
typedef struct ledger {
    double work, seconds, lower, upper;
} ledger;

static ledger ledger_open(const engine *e)
{
    return (ledger){engine_work(e), base_seconds(), e->lower, e->upper};
}

static void ledger_close(const ledger *before, engine *e, exact_effort effort)
{
    exact_spent *spent = &e->result->spent[effort];
    spent->work += 1e-9 * (engine_work(e) - before->work);
    spent->seconds += base_seconds() - before->seconds;
    spent->turns++;
    spent->successes += e->lower > before->lower || e->upper < before->upper;
}

void engine_search(engine *e)
{
    search_state s = {.e = e, .proven_upper = INFINITY};
    s.within.bound = s.rest.bound = -INFINITY;
    while (!engine_done(e)) {
        const ledger before = ledger_open(e);
        const exact_effort effort = turn(&s);
        if (effort == EFFORTS)
            break;
        ledger_close(&before, e, effort);
    }
    close_child(&s, &s.within, NULL);
    close_child(&s, &s.rest, NULL);
    engine_coarse_clear(e);
    engine_growth_clear(e);
    working_free(s.windows);
    base_free(s.first);
}
