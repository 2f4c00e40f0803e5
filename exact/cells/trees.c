/* The two trees of the search: over schedules within the windows, and over the others. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/cells/grow.h"
#include "exact/cells/tree.h"
#include "exact/cells/working.h"
#include "exact/log.h"
#include "exact/search.h"

/* A tree is reopened when this share of its cells has been eliminated. */
#define REOPEN_SHARE 0.1

/* ---- cells ----------------------------------------------------------------------- */

static const uint8_t actions = MASK_R | MASK_IN | MASK_OUT;

long search_cell_count(const engine *e, const uint8_t *mask, const uint8_t *without)
{
    long count = 0;
    for (size_t c = 0; c < engine_cells(e); c++)
        count += __builtin_popcount(mask[c] & ~(without ? without[c] : 0) & actions);
    return count;
}

void search_restrict_cells(const engine *e, uint8_t *mask)
{
    for (size_t c = 0; c < engine_cells(e); c++)
        mask[c] &= e->mask[c];
}

bool search_is_complete(const search_state *s)
{
    return search_cell_count(s->e, s->e->mask, s->windows->f->mask) == 0;
}

/* Raises the bound of all schedules by the bounds of both children. */
static void update_bounds(search_state *s)
{
    engine *e = s->e;
    const double cutoff = engine_cutoff(e);
    double bound = s->rest.bound;
    if (s->rest.outside)
        bound = fmin(bound, s->within.bound);
    if (search_is_complete(s))
        bound = fmax(bound, s->within.bound);
    engine_raise(e, fmin(bound, cutoff));
    e->infeasible = isinf(cutoff) && isinf(bound) && bound > 0;
}

/* ---- the two children ----------------------------------------------------------------- */

void search_close_child(search_state *s, child *c)
{
    const exact_proof *proof = engine_proof(s->e);
    if (!c->tree)
        return;
    if (s->e->params->proof && !c->over && c->bound >= engine_cutoff(s->e))
        c->over = engine_tree_record_leaves(c->tree, c->bound);
    engine_tree_close(c->tree);
    proof->tree_ended(proof->user, c->over && c->bound >= engine_cutoff(s->e), c->bound);
    c->tree = NULL;
    working_free(c->own);
    c->own = NULL;
}

/* True if many cells of the tree have been eliminated since it was opened. */
static bool is_stale(const search_state *s, const child *c, const uint8_t *mask)
{
    const engine *e = s->e;
    const long left = search_cell_count(e, mask, NULL);
    const double part =
        engine_tree_nodes(c->tree) <= engine_tuning(e)->look_nodes ? 0 : REOPEN_SHARE;
    return (double)(c->cells - left) > part * (double)c->cells;
}

/* Opens the tree over the remaining cells of the windows, unless it is open and not stale. */
static void open_within(search_state *s)
{
    engine *e = s->e;
    child *c = &s->within;
    uint8_t *mask = base_malloc(engine_cells(e), 1);
    memcpy(mask, s->windows->f->mask, engine_cells(e));
    search_restrict_cells(e, mask);
    if (c->tree && is_stale(s, c, mask))
        search_close_child(s, c);
    if (!c->tree) {
        const bool less = memcmp(mask, s->windows->f->mask, engine_cells(e)) != 0;
        if (less || engine_units_pay(e))
            c->own = working_build(e, mask, s->windows, true);
        c->cells = search_cell_count(e, mask, NULL);
        engine_proof(e)->cases(engine_proof(e)->user, s->windows->f);
        if (!e->core)
            e->core = base_malloc(engine_cells(e), 1);
        memcpy(e->core, c->own ? mask : s->windows->f->mask, engine_cells(e));
        engine_log(e, 2, "tree      over %s", search_is_complete(s) ? "all cells" : "the windows");
        c->tree =
            engine_tree_open(e, c->own ? c->own : s->windows, s->windows, EFFORT_WINDOWS, false);
    }
    base_free(mask);
}

bool search_may_run_within(const search_state *s)
{
    const engine *e = s->e;
    return engine_tuning(e)->windows && !s->within.over && !e->core_closed &&
           engine_nodes_left(e) > 0 && !(s->looked && search_is_complete(s));
}

void search_run_within(search_state *s, double work, long nodes)
{
    engine *e = s->e;
    child *c = &s->within;
    open_within(s);
    const long before = engine_tree_nodes(c->tree);
    c->over = engine_tree_run(c->tree, work, nodes);
    c->nodes += engine_tree_nodes(c->tree) - before;
    c->bound = engine_tree_bound(c->tree);
    if (isfinite(c->bound))
        engine_note_bound(e, c->bound, true);
    e->core_closed = e->result->schedule && c->bound >= engine_cutoff(e) && !search_is_complete(s);
    if (c->over)
        search_close_child(s, c);
    if (c->over && !e->core_closed && s->rest.outside)
        s->rest.over = false; /* its tree must cover the windows as well */
    if (e->core_closed)
        engine_log(e, 1, "windows   closed: no better schedule within them");
    update_bounds(s);
}

/* Opens the tree over all remaining cells. It excludes the schedules within the windows while the
 * other child may run, or once that has closed them. */
static void open_rest(search_state *s)
{
    engine *e = s->e;
    child *c = &s->rest;
    if (e->params->proof && s->within.tree) { /* one tree at a time */
        search_close_child(s, &s->within);
        e->core_closed = e->core_closed && s->within.over;
        s->within.over = true;
    }
    const bool outside = e->core_closed || (search_may_run_within(s) && e->core);
    if (c->tree && (is_stale(s, c, e->mask) || (c->outside && !outside)))
        search_close_child(s, c);
    if (c->tree)
        return;
    working *wide = engine_wide(e), *from = wide->status == LP_OPTIMAL ? wide : NULL;
    c->own = working_build(e, e->mask, from, true);
    c->cells = search_cell_count(e, e->mask, NULL);
    c->outside = outside;
    c->bound = -INFINITY;
    engine_log(e, 2, "tree      over the remaining cells%s",
               outside ? ", one outside the windows" : "");
    c->tree = engine_tree_open(e, c->own, wide, EFFORT_REST, outside);
}

void search_open_root(search_state *s)
{
    open_rest(s);
    s->root = engine_tree_nodes(s->rest.tree) == 0;
}

static void update_rest(search_state *s, bool over)
{
    child *c = &s->rest;
    c->over = over;
    c->bound = engine_tree_bound(c->tree);
    update_bounds(s);
}

void search_end_root(search_state *s, bool over)
{
    s->root = false;
    update_rest(s, over);
}

void search_run_rest(search_state *s, double work, long nodes)
{
    open_rest(s);
    update_rest(s, engine_tree_run(s->rest.tree, work, nodes));
}
