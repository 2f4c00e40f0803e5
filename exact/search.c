/* The search: one loop over what can be done, each for a share of the work. */
#include <limits.h>
#include <math.h>

#include "exact/cases.h"
#include "exact/coarse.h"
#include "exact/grow.h"
#include "exact/log.h"
#include "exact/neighbour.h"
#include "exact/prove.h"
#include "exact/search.h"
#include "exact/tree.h"
#include "exact/working.h"

/* Steps of work before the LP over large windows: per pair of nodes before its cells are found, per
 * cell before its model is built. */
#define STAGE_WORK 2e3
#define CELL_WORK 2e6
/* Steps of work per column of the rest before its tree begins while the windows are open. */
#define REST_COLUMN_WORK 3e5

/* ---- the beginning ----------------------------------------------------------------- */

/* The cells of the first model. */
static uint8_t *first_cells(engine *e)
{
    unsigned features = e->features;
    uint8_t *mask = engine_tuning(e)->windows
                        ? formulation_mask_windows(e->p, features, engine_tuning(e)->window_before,
                                                   engine_tuning(e)->window_depth)
                        : formulation_mask_full(e->p, features);
    search_restrict_cells(e, mask);
    formulation_mask_propagate(e->p, features, mask);
    return mask;
}

static void find_cells(search_state *s)
{
    engine *e = s->e;
    e->mask = formulation_mask_full(e->p, e->features);
    formulation_mask_propagate(e->p, e->features, e->mask);
    engine_eliminate_by_cost(e);
    s->first = first_cells(e);
    s->first_count = search_cell_count(e, s->first, NULL);
}

static void tell_windows_bound(const search_state *s)
{
    const working *w = s->windows;
    s->e->result->root_bound = w->bound_before_cuts / s->e->scale;
    s->e->result->root_bound_cuts = w->bound / s->e->scale;
}

/* The LP over the windows and its rounds of cuts have ended. */
static void windows_solved(search_state *s)
{
    engine *e = s->e;
    working *w = s->windows;
    s->opened = true;
    if (w->status == LP_OPTIMAL)
        engine_note_bound(e, w->bound, true);
    s->within.over = w->status != LP_OPTIMAL;
    engine_growth_begin(e, w);
}

/* What comes next on the way to the LP over the windows; of its solution, about so much work; of
 * its cuts, a round. */
static exact_effort open_windows(search_state *s, double work)
{
    engine *e = s->e;
    if (!e->mask) {
        find_cells(s);
    } else if (!s->windows) {
        engine_require_room(e, s->first);
        s->windows = working_open(e, s->first, NULL, 0);
        base_free(s->first);
        s->first = NULL;
        engine_neighbour_begin(e, s->windows);
    } else if (!s->solved) {
        s->solved = working_solve(e, s->windows, work);
        s->rounds = working_cut_begin(s->windows);
    } else if (!working_cut_round(e, s->windows, &s->rounds)) {
        windows_solved(s);
    }
    if (s->solved)
        tell_windows_bound(s);
    return EFFORT_BEGIN;
}

/* ---- proofs ------------------------------------------------------------------------- */

/* A better schedule eliminates more; and trees start from the last extension of these duals. */
static void prove_again(search_state *s)
{
    engine *e = s->e;
    if (!engine_solved(e, engine_wide(e)) || e->upper >= s->proven_upper)
        return;
    s->proven_upper = e->upper;
    uint8_t *grow = base_calloc(engine_cells(e), 1);
    engine_prove(e, engine_wide(e), grow);
    base_free(grow);
}

/* ---- what is due -------------------------------------------------------------------- */

/* What the tree over the windows proves holds for all schedules only once growth is over. Growth
 * may still bring the bound of their LP, the tree no more than lies above it. */
static bool growth_promises_more(const search_state *s)
{
    const engine *e = s->e;
    return s->windows->bound - e->lower > e->upper - fmax(s->windows->bound, s->within.bound);
}

/* Models have grown for long, and yet the coarse timeline tells more. The LP over every cell that
 * is left, solved by the dual simplex from what growth has, proves more with each step. */
static bool growth_is_stuck(const search_state *s)
{
    const engine *e = s->e;
    return !engine_growth_over(e) && engine_growth_is_long(e) && engine_coarse_leads(e) &&
           engine_spent_on(e, EFFORT_GROW) >= engine_tuning(e)->grow_freely && !s->rest.over;
}

static bool grow_due(const search_state *s)
{
    const engine *e = s->e;
    if (engine_growth_over(e) ||
        (growth_is_stuck(s) && engine_spent_on(e, EFFORT_REST) < engine_spent_on(e, EFFORT_GROW)))
        return false;
    return (engine_spent_on(e, EFFORT_GROW) < engine_tuning(e)->grow_freely ||
            engine_is_within_effort(e, EFFORT_GROW, engine_tuning(e)->grow_effort) ||
            growth_promises_more(s));
}

/* The windows come first, for so many nodes or such an effort. */
static bool windows_due(const search_state *s)
{
    return search_may_run_within(s) &&
           (s->within.nodes < engine_tuning(s->e)->window_nodes ||
            engine_is_within_effort(s->e, EFFORT_WINDOWS, engine_tuning(s->e)->windows_effort));
}

/* Its first LP alone takes much. */
static bool rest_due(const search_state *s)
{
    const engine *e = s->e;
    if (s->rest.over || engine_nodes_left(e) == 0)
        return false;
    if (!engine_growth_over(e))
        return growth_is_stuck(s);
    return !search_may_run_within(s) || s->rest.tree ||
           engine_work(e) > REST_COLUMN_WORK * engine_columns_left(e);
}

/* ---- the loop -------------------------------------------------------------------------- */

/* True if there is something better to do than to go on towards the LP over the windows: where
 * that is large, or once it takes long. */
static bool opening_waits(const search_state *s)
{
    const engine *e = s->e;
    const exact_tuning *t = engine_tuning(e);
    if (!e->mask)
        return e->p->graph->n > t->first_nodes &&
               engine_work(e) < STAGE_WORK * (double)engine_cells(e);
    if (!s->windows)
        return s->first_count > t->first_cells &&
               (engine_coarse_left(e) || engine_has_room(e, s->first)) &&
               engine_work(e) < CELL_WORK * (double)s->first_count;
    return engine_spent_on(e, EFFORT_BEGIN) > t->first_wait &&
           !engine_is_within_effort(e, EFFORT_BEGIN, t->first_effort);
}

/* Until the LP over the windows is solved. */
static exact_effort opening(search_state *s)
{
    engine *e = s->e;
    if (s->lane) /* which has the rest */
        return open_windows(s, fmax(engine_tuning(e)->first_wait, engine_slice(e)));
    if (engine_coarse_left(e) && !engine_coarse_begun(e)) {
        engine_coarse(e, engine_tuning(e)->coarse_quick * e->p->graph->n);
        return EFFORT_COARSE;
    }
    const exact_effort effort = opening_waits(s) ? finder_next(&s->finder) : EFFORTS;
    if (effort == EFFORTS)
        return open_windows(s, fmax(engine_tuning(e)->first_wait, engine_slice(e)));
    finder_run(&s->finder, effort);
    return effort;
}

static exact_effort look(search_state *s)
{
    const exact_tuning *t = engine_tuning(s->e);
    if (search_may_run_within(s))
        search_run_within(s, t->look_work * s->windows->work, t->look_nodes);
    s->looked = true;
    return EFFORT_WINDOWS;
}

static exact_effort grow(search_state *s)
{
    s->proven_upper = s->e->upper;
    engine_grow(s->e, engine_slice(s->e));
    return EFFORT_GROW;
}

/* Beside the windows' tree: a root is one thread's. */
static bool root_due(const search_state *s)
{
    const engine *e = s->e;
    return s->lane && !s->root && !s->rest.tree && !s->rest.over && engine_growth_over(e) &&
           search_may_run_within(s) && !search_is_complete(s) && !e->params->proof &&
           engine_has_room(e, e->mask);
}

static exact_effort search_windows(search_state *s)
{
    if (root_due(s))
        prove_again(s);
    if (root_due(s) && !engine_settled(s->e))
        search_open_root(s);
    search_run_within(s, engine_slice(s->e), LONG_MAX);
    prove_again(s);
    return EFFORT_WINDOWS;
}

static exact_effort search_rest(search_state *s)
{
    prove_again(s);
    search_run_rest(s, engine_slice(s->e));
    return EFFORT_REST;
}

static outlook outlook_of(const search_state *s)
{
    if (!s->opened)
        return (outlook){0};
    return (outlook){.wide_bound = engine_wide(s->e)->bound,
                     .growth_over = engine_growth_over(s->e),
                     .growth_long = engine_growth_is_long(s->e)};
}

/* One turn; EFFORTS: nothing is left to do. */
static exact_effort turn(search_state *s)
{
    if (!s->opened)
        return opening(s);
    if (!s->looked)
        return look(s);
    s->finder.now = outlook_of(s);
    const exact_effort effort = s->lane ? EFFORTS : finder_due(&s->finder);
    if (effort != EFFORTS) {
        finder_run(&s->finder, effort);
        return effort;
    }
    if (grow_due(s))
        return grow(s);
    if (windows_due(s) || s->root)
        return search_windows(s);
    if (rest_due(s) && (!search_may_run_within(s) || s->rest.bound <= s->within.bound))
        return search_rest(s);
    if (search_may_run_within(s))
        return search_windows(s);
    if (!engine_growth_over(s->e))
        return grow(s);
    return EFFORTS;
}

static void log_turn(const search_state *s, exact_effort effort)
{
    engine_log_turn(s->e, effort,
                    effort == EFFORT_WINDOWS ? s->within.bound
                    : effort == EFFORT_REST  ? s->rest.bound
                                             : -INFINITY);
}

/* What the root of the tree over the rest has found by now, or, when nothing else is left to do, in
 * the end. */
static void meet_root(search_state *s)
{
    if (!search_may_run_within(s) || engine_work_left(s->e) <= 0)
        root_lane_await(s->root, s->lane);
    if (root_lane_has_ended(s->root))
        search_take_root(s);
}

/* Efforts side by side, once there is a model to work on. */
static void meet_lanes(search_state *s)
{
    engine *e = s->e;
    if (s->root && !engine_settled(e))
        meet_root(s);
    if (engine_settled(e)) /* what is left of the work limit only the meeting tells */
        return;
    if (!s->lane && s->windows && e->params->threads > 1 && engine_has_room(e, e->mask))
        s->lane = lane_open(e);
    if (s->lane) {
        const outlook now = outlook_of(s);
        lane_meet(s->lane, &now);
    }
}

static void go_on(void *context)
{
    search_state *s = context;
    engine *e = s->e;
    for (exact_effort effort = EFFORT_BEGIN; effort != EFFORTS && !engine_done(e); meet_lanes(s)) {
        const ledger before = ledger_open(e);
        effort = turn(s);
        if (effort != EFFORTS) {
            ledger_close(&before, e, effort);
            log_turn(s, effort);
        }
    }
}

void engine_search(engine *e)
{
    search_state s = {.e = e, .proven_upper = INFINITY, .finder = {.e = e}};
    s.within.bound = s.rest.bound = -INFINITY;
    base_join(base_guard_current(), go_on, &s);
    lane_close(s.lane);
    search_close_root(&s);
    base_rejoin();
    search_close_child(&s, &s.within, NULL);
    search_close_child(&s, &s.rest, NULL);
    engine_cases_clear(e);
    engine_coarse_clear(e);
    working *last = engine_growth_end(e);
    if (last != s.windows)
        working_free(s.windows);
    engine_neighbour_leave(e, last);
    base_free(s.first);
}
