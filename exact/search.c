/* The turns of the proof: the choice of the next one (search_next), and its work. exact/turns.c has
 * the loop, exact/beside.c the other efforts. */
#include <limits.h>
#include <math.h>

#include "exact/cells/grow.h"
#include "exact/cells/prove.h"
#include "exact/cells/tree.h"
#include "exact/cells/working.h"
#include "exact/log.h"
#include "exact/search.h"
#include "exact/timeline/coarse.h"

/* Steps of the search before the cells are found, per pair of a stage and a node. */
#define STAGE_WORK 2e3
/* Steps of the search before the model over the windows is built, per cell of the windows squared.
 * The LP takes 75 (ResNet-50). Timelines prove most problems in the time of four such LPs. */
#define WINDOW_WORK 300
/* Steps of work, per column of the model of the rest, before its tree begins while the windows are
 * open. The first LP of that tree alone is expensive. */
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

static void store_windows_bound(const search_state *s)
{
    const working *w = s->windows;
    s->e->result->root_bound = w->bound_before_cuts / s->e->scale;
    s->e->result->root_bound_cuts = w->bound / s->e->scale;
}

/* Ends the LP over the windows and its rounds of cuts; prepares growth. */
static void end_windows_lp(search_state *s)
{
    engine *e = s->e;
    working *w = s->windows;
    s->opened = true;
    if (w->status == LP_OPTIMAL)
        engine_note_bound(e, w->bound, true);
    s->within.over = w->status != LP_OPTIMAL;
    engine_growth_begin(e, w);
}

/* One step towards the LP over the windows: finds the cells, builds the model, solves for about
 * `work` steps, or runs one round of cuts. */
static void open_windows(search_state *s, double work)
{
    engine *e = s->e;
    if (!e->mask) {
        find_cells(s);
    } else if (!s->windows) {
        engine_require_room(e, s->first);
        s->windows = working_open(e, s->first, NULL, 0);
        base_free(s->first);
        s->first = NULL;
    } else if (!s->solved) {
        s->solved = working_solve(e, s->windows, work);
        s->rounds = working_cut_begin(s->windows);
    } else if (!working_cut_round(e, s->windows, &s->rounds)) {
        end_windows_lp(s);
    }
    if (s->solved)
        store_windows_bound(s);
}

/* ---- the next turn -------------------------------------------------------------------- */

/* True if the tree over the rest comes next: if the tree over the windows cannot continue, or has
 * the better bound and the work pays for the first LP of the rest. */
static bool rest_due(const search_state *s)
{
    const engine *e = s->e;
    if (s->rest.over || engine_nodes_left(e) == 0)
        return false;
    return !search_may_run_within(s) ||
           (s->rest.bound <= s->within.bound &&
            (s->rest.tree || engine_work(e) > REST_COLUMN_WORK * engine_columns_left(e)));
}

/* True if a task should process the root of the rest, beside the tree over the windows. */
static bool root_due(const search_state *s)
{
    const engine *e = s->e;
    return s->parallel && !s->root && !s->rest.tree && !s->rest.over && engine_growth_over(e) &&
           search_may_run_within(s) && !search_is_complete(s) && !e->params->proof &&
           engine_has_room(e, e->mask);
}

bool search_waits(const search_state *s)
{
    const engine *e = s->e;
    const exact_tuning *t = engine_tuning(e);
    const double first = (double)s->first_count;
    if (s->opened)
        return false;
    if (!e->mask)
        return engine_work(e) < STAGE_WORK * (double)engine_cells(e);
    if (!s->windows)
        return engine_coarse_left(e) && engine_work(e) < WINDOW_WORK * first * first;
    return !s->parallel && engine_spent_on(e, EFFORT_BEGIN) > t->first_wait &&
           !engine_is_within_effort(e, EFFORT_BEGIN, t->first_effort);
}

outlook search_outlook(const search_state *s)
{
    if (!s->opened)
        return (outlook){0};
    return (outlook){.wide_bound = engine_wide(s->e)->bound,
                     .growth_over = engine_growth_over(s->e)};
}

/* The order of docs/algorithm.md, "One turn". */
exact_effort search_next(const search_state *s)
{
    if (!s->opened)
        return EFFORT_BEGIN;
    if (!s->looked)
        return EFFORT_WINDOWS;
    if (!engine_growth_over(s->e))
        return EFFORT_GROW;
    if (!s->root && (root_due(s) || rest_due(s)))
        return EFFORT_REST;
    return search_may_run_within(s) ? EFFORT_WINDOWS : EFFORTS;
}

/* ---- a turn ---------------------------------------------------------------------------- */

static void look_at_windows(search_state *s)
{
    const exact_tuning *t = engine_tuning(s->e);
    if (search_may_run_within(s))
        search_run_within(s, t->look_work * s->windows->work, t->look_nodes);
    s->looked = true;
}

static bool has_nodes(const child *c)
{
    return c->tree && engine_tree_nodes(c->tree) > 0;
}

bool search_is_shared(const search_state *s, exact_effort effort)
{
    return s->looked && ((effort == EFFORT_WINDOWS && has_nodes(&s->within)) ||
                         (effort == EFFORT_REST && has_nodes(&s->rest)));
}

/* Most nodes of a turn. With several threads, the root is a turn of its own. */
static long turn_nodes(const search_state *s, exact_effort effort)
{
    return s->parallel && !search_is_shared(s, effort) ? 1 : LONG_MAX;
}

static void search_rest(search_state *s)
{
    if (root_due(s))
        search_open_root(s);
    else
        search_run_rest(s, engine_slice(s->e), turn_nodes(s, EFFORT_REST));
}

void search_run(search_state *s, exact_effort effort)
{
    engine *e = s->e;
    if (effort == EFFORT_BEGIN)
        open_windows(s, fmax(engine_tuning(e)->first_wait, engine_slice(e)));
    else if (effort == EFFORT_GROW)
        engine_grow(e, engine_slice(e));
    else if (effort == EFFORT_REST)
        search_rest(s);
    else if (effort == EFFORT_WINDOWS && !s->looked)
        look_at_windows(s);
    else if (effort == EFFORT_WINDOWS)
        search_run_within(s, engine_slice(e), turn_nodes(s, EFFORT_WINDOWS));
    else
        beside_run(&s->beside, effort);
}

void search_log(const search_state *s, exact_effort effort)
{
    engine_log_turn(s->e, effort,
                    effort == EFFORT_WINDOWS ? s->within.bound
                    : effort == EFFORT_REST  ? s->rest.bound
                                             : -INFINITY);
}

void engine_search(engine *e)
{
    search_state s = {.e = e, .beside = {.e = e}};
    s.within.bound = s.rest.bound = -INFINITY;
    search_run_turns(&s);
    search_close_child(&s, &s.within);
    search_close_child(&s, &s.rest);
    beside_clear(e);
    working *last = engine_growth_end(e);
    if (last != s.windows)
        working_free(s.windows);
    working_free(last);
    base_free(s.first);
}
