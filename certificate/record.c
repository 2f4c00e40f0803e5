/* The recorder: the engine's events as steps, in their order. Steps that prove nothing in the end
 * are taken back. */
#include "certificate/record_internal.h"

#include <math.h>

#include "base/lock.h"

/* ---- events of the engine ---------------------------------------------------------------- */

/* Writes an elimination by these terms (moved), on a timeline of their own if they have points. */
static void write_terms(recorder *r, record_terms *terms)
{
    if (r->closed) {
        record_free_terms(terms);
        return;
    }
    base_free(r->term);
    r->term = terms->term;
    r->terms = r->term_capacity = terms->terms;
    terms->term = NULL;
    if (terms->points > 0) {
        record_write_timeline(r->out, terms->points, terms->point);
        text_print(r->out, "\n");
        r->at = r->written_points;
    }
    record_write_new_cuts(r);
    text_print(r->out, "%s", terms->points > 0 ? "eliminate" : "reduce 0");
    record_write_terms(r);
    if (terms->points > 0) {
        r->written_points += terms->points;
        r->written_totals += terms->totals;
        r->at = -1;
    }
    record_free_terms(terms);
}

/* Writes the eliminations found while a tree was open: the tree began without them. */
static void write_waiting(recorder *r)
{
    for (int k = 0; k < r->waiting; k++)
        write_terms(r, &r->wait[k]);
    r->waiting = 0;
}

/* Writes an elimination by these terms (moved), or keeps it until the open tree ends. */
static void write_elimination(recorder *r, record_terms *terms)
{
    if (r->f) {
        r->wait = base_realloc(r->wait, (size_t)r->waiting + 1, sizeof *r->wait);
        r->wait[r->waiting++] = *terms;
        *terms = (record_terms){0};
    } else {
        write_terms(r, terms);
    }
}

static void eliminate(void *user, const formulation *whole, const double *y,
                      const event_cut_list *cuts, const double *cut_y, double bound, long removed)
{
    recorder *r = user;
    if (removed == 0 && bound <= r->best)
        return;
    r->best = fmax(r->best, bound);
    record_add_rows(r, whole, NULL, y);
    for (int c = 0; c < cuts->count; c++)
        if (cut_y[c] != 0)
            record_add_multiplier(r, record_remember(r, &cuts->cut[c]), cut_y[c]);
    record_terms terms = record_take_terms(r);
    if (removed == 0) {
        record_free_terms(&r->kept);
        r->kept = terms;
        r->kept_bound = bound;
    } else {
        write_elimination(r, &terms);
    }
}

void recorder_finish(recorder *r, double bound)
{
    text_move(&r->steps, &r->part); /* of a tree that was not closed */
    r->out = &r->steps;
    r->is_whole = r->whole.size > 0 && r->whole_bound >= bound;
    if (!r->is_whole && !r->closed && r->cases) {
        text_clear(&r->whole);
        r->is_whole = record_write_cases(r->cases, bound, &r->whole);
    }
    if (r->is_whole) {
        text_clear(&r->steps);
        text_move(&r->steps, &r->whole);
        r->fault = NULL;
    } else if (!r->fault && r->kept.term && r->kept_bound >= bound) {
        write_terms(r, &r->kept);
    }
}

static long found_cut(void *user, const event_cut *cut)
{
    recorder *r = user;
    base_lock(&r->lock);
    const long index = record_remember(r, cut);
    base_unlock(&r->lock);
    return index;
}

static void forget_tree(recorder *r)
{
    base_free_all(r->row_cut, r->cut_of_id, r->node_of_id);
    r->row_cut = r->cut_of_id = r->node_of_id = NULL;
    r->ids = r->node_ids = 0;
    r->f = NULL;
    r->last_node = -1;
}

/* Begins the steps that may be taken back: the cases, if there are two, and the tree. */
static void begin_part(recorder *r)
{
    if (r->mark_written >= 0)
        return;
    r->out = &r->part;
    r->mark_written = r->written;
    r->mark_totals = r->written_totals;
    r->mark_points = r->written_points;
}

/* Forgets the numbers that were given since `part` began. */
static void forget_numbers(recorder *r)
{
    for (int c = 0; c < r->cuts; c++)
        if (r->cut[c].number >= r->mark_written)
            r->cut[c].number = -1;
    for (int k = 0; k < r->totals; k++)
        if (r->total[k] >= r->mark_totals)
            r->total[k] = -1;
    r->written = r->mark_written;
    r->written_totals = r->mark_totals;
    r->written_points = r->mark_points;
}

static void tree_ended(void *user, bool kept, double bound)
{
    recorder *r = user;
    const bool first_case = r->in_case;
    forget_tree(r);
    if (kept) {
        r->tree_bound = fmin(r->tree_bound, bound);
    } else {
        r->fault = NULL; /* of the tree, which is taken back */
        text_clear(&r->part);
    }
    if (!kept || first_case)
        forget_numbers(r);
    r->in_case = false;
    r->closed = kept && !first_case;
    text_move(&r->steps, &r->part);
    r->out = &r->steps;
    r->mark_written = -1;
    if (kept && first_case) {
        r->outside = true;
        text_print(r->out, "next\n");
    }
    write_waiting(r);
    if (kept && first_case) /* no cell outside is left to be 1 where this row says so */
        text_print(r->out, "propagate 0 case\n");
}

/* Writes the totals that are columns of the tree's model, and their propagation. */
static void begin_totals(recorder *r)
{
    const formulation *f = r->f;
    r->total = base_realloc(r->total, (size_t)(f->totals > r->totals ? f->totals : r->totals) + 1,
                            sizeof *r->total);
    for (; r->totals < f->totals; r->totals++)
        r->total[r->totals] = -1;
    for (int j = 0; j < f->model->cols; j++) {
        const int k = f->column[j].i;
        if (f->column[j].kind != COLUMN_TOTAL)
            continue;
        if (r->total[k] < 0) {
            r->total[k] = r->written_totals++;
            record_write_total(r, k);
        }
        text_print(r->out, "propagate 0 total %d\n", r->total[k]);
    }
}

static const bnb_proof *begin_tree(void *user, const formulation *f, const event_cut_list *cuts)
{
    recorder *r = user;
    forget_tree(r);
    begin_part(r);
    r->f = f;
    r->model = f->model;
    r->row_cuts = cuts->count;
    r->row_cut = base_malloc((size_t)cuts->count + 1, sizeof *r->row_cut);
    for (int c = 0; c < cuts->count; c++)
        r->row_cut[c] = record_remember(r, &cuts->cut[c]);
    r->nodes = 1;
    begin_totals(r);
    return &r->tree_hooks;
}

/* ---- cases --------------------------------------------------------------------------------- */

/* Counts the recomputations and transfers that f has no columns for; prints them to `out` unless it
 * is NULL. */
static int outside_cells(const formulation *f, text_buffer *out)
{
    static const struct {
        uint8_t bit;
        cert_kind kind;
    } actions[] = {{MASK_R, CERT_R}, {MASK_IN, CERT_IN}, {MASK_OUT, CERT_OUT}};
    const int n = f->problem->graph->n;
    int count = 0;
    for (int a = 0; a < 3; a++)
        for (int t = 1; t < n; t++)
            for (int i = 0; i < t; i++) {
                const uint8_t bit = actions[a].bit;
                if ((f->mask[(size_t)t * (size_t)n + (size_t)i] & bit) ||
                    outside_is_implied(f->problem, f->features, f->mask, bit, t, i))
                    continue;
                count++;
                if (out)
                    text_print(out, "%s %d %d\n", cert_cell_word[actions[a].kind], t, i);
            }
    return count;
}

static void cases(void *user, const formulation *f)
{
    recorder *r = user;
    begin_part(r);
    r->in_case = true;
    text_print(r->out, "cases %d\n", outside_cells(f, NULL));
    outside_cells(f, r->out);
}

/* ---- bounds of cells ---------------------------------------------------------------------- */

static int cell_bounds(void *user, const coarse *c, const double *y)
{
    recorder *r = user;
    record_add_rows(r, NULL, c, y);
    record_terms bounds = record_take_terms(r);
    bounds.points = c->points;
    bounds.point = base_malloc((size_t)c->points, sizeof *bounds.point);
    for (int k = 0; k < c->points; k++)
        bounds.point[k] = c->point[k];
    bounds.totals = record_totals_before(c, c->points);
    r->bounds = base_realloc(r->bounds, (size_t)r->bounds_count + 1, sizeof *r->bounds);
    r->bounds[r->bounds_count] = bounds;
    return r->bounds_count++;
}

static void cells_bounded(void *user, int bounds)
{
    recorder *r = user;
    write_elimination(r, &r->bounds[bounds]);
}

/* ---- beginning and end ---------------------------------------------------------------------- */

static void given_up(void *user)
{
    recorder *r = user;
    pthread_mutex_destroy(&r->lock);
    recorder_init(r);
    r->hooks = exact_proof_none;
    r->fault = "a limit ended the proof";
}

void recorder_init(recorder *r)
{
    *r = (recorder){.out = &r->steps,
                    .best = -INFINITY,
                    .tree_bound = INFINITY,
                    .last_node = -1,
                    .mark_written = -1,
                    .at = -1,
                    .whole_bound = -INFINITY};
    pthread_mutex_init(&r->lock, NULL);
    r->hooks = (exact_proof){r,
                             eliminate,
                             cases,
                             begin_tree,
                             tree_ended,
                             found_cut,
                             record_begin_timeline,
                             record_end_timeline,
                             cell_bounds,
                             cells_bounded,
                             record_begin_fates,
                             record_split_case,
                             record_bound_case,
                             given_up};
    r->tree_hooks = record_tree_hooks(r);
}

void recorder_clear(recorder *r)
{
    for (int c = 0; c < r->cuts; c++) {
        base_free(r->cut[c].statement);
        record_free_round(r->cut[c].how);
    }
    for (int k = 0; k < r->waiting; k++)
        record_free_terms(&r->wait[k]);
    for (int k = 0; k < r->bounds_count; k++)
        record_free_terms(&r->bounds[k]);
    text_clear(&r->steps);
    text_clear(&r->part);
    text_clear(&r->whole);
    forget_tree(r);
    record_free_terms(&r->kept);
    base_free_all(r->wait, r->bounds, r->total, r->cut, r->term, r->fate);
    record_free_cases(r->cases);
    record_free_cases(r->child[0]);
    record_free_cases(r->child[1]);
    pthread_mutex_destroy(&r->lock);
    *r = (recorder){0};
}
