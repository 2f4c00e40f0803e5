/* Translates what the engine tells into steps: duals into multipliers by name, cuts into numbered
 * cuts. What proves nothing in the end is taken back. */
#include "certificate/record_internal.h"

#include <math.h>
#include <string.h>

#include "base/lock.h"

/* ---- multipliers -------------------------------------------------------------------------- */

/* A dual of the engine is -y here: rows are bounded above. What points the wrong way counts
 * nothing. */
static void add_term(recorder *r, const record_term *t)
{
    const bool inequality = t->cut >= 0 || !cert_row_is_equality(t->key.kind);
    if (t->y == 0 || !isfinite(t->y) || (t->y < 0 && inequality))
        return;
    if (r->terms == r->term_capacity) {
        r->term_capacity = 2 * r->term_capacity + 256;
        r->term = base_realloc(r->term, (size_t)r->term_capacity, sizeof *r->term);
    }
    r->term[r->terms++] = *t;
}

void record_add_rows(recorder *r, const formulation *f, const double *y)
{
    r->terms = 0;
    for (int row = 0; row < f->model->rows; row++) {
        double scale;
        if (y[row] == 0)
            continue;
        cert_key key = record_known_key(r, f, row, &scale);
        add_term(r, &(record_term){-1, key, record_on_grid(-y[row] * scale), 0});
    }
}

void record_add_coarse_rows(recorder *r, const coarse *c, const double *y)
{
    r->terms = 0;
    for (int row = 0; row < c->model->rows; row++) {
        double scale;
        const cert_key key = record_coarse_key(c, row, &scale);
        add_term(r, &(record_term){-1, key, record_on_grid(-y[row] * scale), 0});
    }
}

void record_add_multiplier(recorder *r, int index, double y)
{
    record_term t = {0};
    if (record_name_cut(r, index, -y, 0, &t))
        add_term(r, &t);
    else
        record_give_up(r, "a cut that certificates do not know");
}

void record_write_new_cuts(recorder *r)
{
    for (int k = 0; k < r->terms; k++)
        if (r->term[k].cut >= 0)
            record_write_cut(r, r->term[k].cut);
}

/* " COUNT", where the overhead is counted, and the lines of the terms. */
void record_write_terms(recorder *r)
{
    cert_text_print(r->out, " %d", r->terms);
    if (r->at >= 0)
        cert_text_print(r->out, " at %d", r->at);
    cert_text_print(r->out, "\n");
    for (int k = 0; k < r->terms && !r->fault; k++) {
        cert_text_print(r->out, "%a ", r->term[k].y);
        record_write_name(r, &r->term[k]);
    }
    r->last_node = -1;
}

/* ---- what the engine tells ---------------------------------------------------------------- */

static void free_terms(record_terms *terms)
{
    base_free(terms->term);
    base_free(terms->point);
    *terms = (record_terms){0};
}

/* An elimination by these (moved), on a timeline of their own if they have points. */
static void write_these(recorder *r, record_terms *terms)
{
    if (r->closed) {
        free_terms(terms);
        return;
    }
    base_free(r->term);
    r->term = terms->term;
    r->terms = r->term_capacity = terms->terms;
    terms->term = NULL;
    if (terms->points > 0) {
        record_write_timeline(r->out, terms->points, terms->point);
        r->at = r->written_points;
    }
    record_write_new_cuts(r);
    cert_text_print(r->out, "%s", terms->points > 0 ? "eliminate" : "reduce 0");
    record_write_terms(r);
    if (terms->points > 0) {
        r->written_points += terms->points;
        r->written_totals += terms->totals;
        r->at = -1;
    }
    free_terms(terms);
}

/* What was eliminated while a tree was under way, which began without it. */
static void write_waiting(recorder *r)
{
    for (int k = 0; k < r->waiting; k++)
        write_these(r, &r->wait[k]);
    r->waiting = 0;
}

record_terms record_take_terms(recorder *r)
{
    const record_terms taken = {.term = r->term, .terms = r->terms};
    r->term = NULL;
    r->terms = r->term_capacity = 0;
    return taken;
}

void record_eliminate(recorder *r, record_terms *terms)
{
    if (r->f) {
        r->wait = base_realloc(r->wait, (size_t)r->waiting + 1, sizeof *r->wait);
        r->wait[r->waiting++] = *terms;
        *terms = (record_terms){0};
    } else {
        write_these(r, terms);
    }
}

static void eliminate(void *user, const formulation *whole, const double *y,
                      const event_cut_list *cuts, const double *cut_y, double bound, long removed)
{
    recorder *r = user;
    if (removed == 0 && bound <= r->best)
        return;
    r->best = fmax(r->best, bound);
    record_add_rows(r, whole, y);
    for (int c = 0; c < cuts->count; c++)
        if (cut_y[c] != 0)
            record_add_multiplier(r, record_remember(r, &cuts->cut[c]), cut_y[c]);
    record_terms terms = record_take_terms(r);
    if (removed == 0) {
        free_terms(&r->kept);
        r->kept = terms;
        r->kept_bound = bound;
    } else {
        record_eliminate(r, &terms);
    }
}

void recorder_finish(recorder *r, double bound)
{
    cert_text_move(&r->steps, &r->part); /* of a tree that nobody closed */
    r->out = &r->steps;
    if (r->whole.size > 0 && r->whole_bound >= bound) {
        cert_text_clear(&r->steps);
        cert_text_move(&r->steps, &r->whole);
        r->is_whole = true;
        r->fault = NULL;
    } else if (!r->fault && r->kept.term && r->kept_bound >= bound) {
        write_these(r, &r->kept);
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
    base_free(r->row_cut);
    base_free(r->cut_of_id);
    base_free(r->node_of_id);
    r->row_cut = r->cut_of_id = r->node_of_id = NULL;
    r->ids = r->node_ids = 0;
    r->f = NULL;
    r->last_node = -1;
}

/* Here begins what may have to be taken back: the cases, if there are two, and the tree. */
static void begin_part(recorder *r)
{
    if (r->mark_written >= 0)
        return;
    r->out = &r->part;
    r->mark_written = r->written;
    r->mark_totals = r->written_totals;
    r->mark_points = r->written_points;
}

static void take_back(recorder *r)
{
    r->fault = NULL; /* of the tree that is taken back */
    for (int c = 0; c < r->cuts; c++)
        if (r->cut[c].number >= r->mark_written)
            r->cut[c].number = -1;
    for (int k = 0; k < r->totals; k++)
        if (r->total[k] >= r->mark_totals)
            r->total[k] = -1;
    r->written = r->mark_written;
    r->written_totals = r->mark_totals;
    r->written_points = r->mark_points;
    cert_text_clear(&r->part);
}

/* What comes now stays. */
static void end_part(recorder *r)
{
    cert_text_move(&r->steps, &r->part);
    r->out = &r->steps;
    r->mark_written = -1;
}

static void tree_ended(void *user, bool kept, double bound)
{
    recorder *r = user;
    const bool first_case = r->in_case;
    forget_tree(r);
    if (kept)
        r->tree_bound = fmin(r->tree_bound, bound);
    else
        take_back(r);
    r->in_case = false;
    r->closed = kept && !first_case;
    end_part(r);
    if (kept && first_case) {
        r->outside = true;
        cert_text_print(r->out, "next\n");
    }
    write_waiting(r);
    if (kept && first_case) /* where it tells everything: no cell outside is left */
        cert_text_print(r->out, "propagate 0 case\n");
}

/* The totals that are columns of the tree's model, and what their cells say of them. */
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
        cert_text_print(r->out, "propagate 0 total %d\n", r->total[k]);
    }
}

static const bnb_proof *begin_tree(void *user, const formulation *f, const event_cut_list *cuts)
{
    recorder *r = user;
    forget_tree(r);
    begin_part(r);
    r->f = f;
    r->row_cuts = cuts->count;
    r->row_cut = base_malloc((size_t)cuts->count + 1, sizeof *r->row_cut);
    for (int c = 0; c < cuts->count; c++)
        r->row_cut[c] = record_remember(r, &cuts->cut[c]);
    r->nodes = 1;
    begin_totals(r);
    return &r->tree_hooks;
}

/* ---- cases --------------------------------------------------------------------------------- */

/* The recomputations and transfers that f has not; prints them to out unless it is NULL. */
static int outside_cells(const formulation *f, cert_text *out)
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
                    cert_text_print(out, "%s %d %d\n", cert_cell_word[actions[a].kind], t, i);
            }
    return count;
}

static void cases(void *user, const formulation *f)
{
    recorder *r = user;
    begin_part(r);
    r->in_case = true;
    cert_text_print(r->out, "cases %d\n", outside_cells(f, NULL));
    outside_cells(f, r->out);
}

static void given_up(void *user)
{
    recorder *r = user;
    pthread_mutex_destroy(&r->lock);
    recorder_init(r);
    r->hooks = exact_proof_unheard;
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
                             record_timeline,
                             record_timeline_ended,
                             record_cell_bounds,
                             record_cells_bounded,
                             given_up};
    r->tree_hooks = record_tree_hooks(r);
}

void recorder_clear(recorder *r)
{
    for (int c = 0; c < r->cuts; c++) {
        cert_cut_clear(&r->cut[c].cut);
        record_free_round(r->cut[c].how);
    }
    for (int k = 0; k < r->waiting; k++)
        free_terms(&r->wait[k]);
    for (int k = 0; k < r->bounds_count; k++)
        free_terms(&r->bounds[k]);
    cert_text_clear(&r->steps);
    cert_text_clear(&r->part);
    cert_text_clear(&r->whole);
    forget_tree(r);
    base_free(r->wait);
    base_free(r->bounds);
    free_terms(&r->kept);
    base_free(r->total);
    base_free(r->cut);
    base_free(r->term);
    pthread_mutex_destroy(&r->lock);
    *r = (recorder){0};
}
