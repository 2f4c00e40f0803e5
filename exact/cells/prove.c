/* Extends duals over part of the cells to a bound over all of them. */
#include <math.h>
#include <string.h>

#include "exact/cells/prove.h"
#include "exact/cells/working.h"
#include "exact/log.h"
#include "exact/timeline/cell_bounds.h"
#include "lp/safe.h"

/* The model over all cells that a better schedule may use, unmerged. Built at the first call and
 * then kept. */
static const formulation *whole_model(engine *e)
{
    if (!e->whole) {
        unsigned features = e->features & ~(unsigned)FORMULATION_MERGE;
        engine_require_room(e, e->mask);
        e->whole = formulation_build(e->p, features, e->mask, e->scale);
        e->extension = extension_create(e->whole);
        engine_log(e, 2, "whole     %d columns, %d rows", e->whole->model->cols,
                   e->whole->model->rows);
    }
    return e->whole;
}

void engine_prove_clear(engine *e)
{
    base_free(e->requested);
    base_free(e->multipliers);
    extension_free(e->extension);
    formulation_free(e->whole);
    e->requested = NULL;
    e->multipliers = NULL;
    e->extension = NULL;
    e->whole = NULL;
    e->extended = NULL;
}

/* Actions of i that take longer than the slack of the deadline. */
static uint8_t too_long(const problem *p, int i, double slack)
{
    const graph *g = p->graph;
    uint8_t never = g->seconds[i] > slack ? MASK_R : 0;
    if (p->deadline_includes_paging && g->pagein_seconds[i] > slack)
        never |= MASK_IN;
    if (p->deadline_includes_paging && g->pageout_seconds[i] > slack)
        never |= MASK_OUT;
    return never;
}

/* A page-in needs a page-out before it. In canonical schedules a page-out needs a page-in. */
void engine_eliminate_by_cost(engine *e)
{
    const graph *g = e->p->graph;
    const bool canonical = e->features & FORMULATION_CANONICAL;
    const double most = engine_elimination_cutoff(e) * (1 + 1e-9) / e->scale,
                 slack = problem_slack_seconds(e->p);
    e->eliminated_upper = e->upper;
    if (isinf(most) && isinf(slack))
        return;
    const long by_bounds = engine_cell_bounds_eliminate(e);
    if (by_bounds > 0)
        engine_log(e, 2, "coarse    %ld cells are too dear", by_bounds);
    for (int i = 0; i < g->n; i++) {
        uint8_t never = too_long(e->p, i, slack);
        if (g->joules[i] > most)
            never |= MASK_R;
        if (g->pagein_joules[i] + g->pageout_joules[i] > most)
            never |= MASK_IN | MASK_P | (canonical ? MASK_OUT : 0);
        if (g->pageout_joules[i] > most)
            never |= MASK_OUT;
        for (int t = i + 1; t < g->n; t++)
            e->mask[(size_t)t * (size_t)g->n + (size_t)i] &= (uint8_t)~never;
    }
    formulation_mask_propagate(e->p, e->features, e->mask);
}

/* Upper bounds of the columns; 0 for eliminated cells. */
static double *upper_bounds(const engine *e, const formulation *whole)
{
    const lp_model *m = whole->model;
    double *upper = base_malloc((size_t)m->cols + 1, sizeof *upper);
    memcpy(upper, m->upper, (size_t)m->cols * sizeof *upper);
    size_t n = (size_t)e->p->graph->n;
    for (int kind = 0; kind < CELL_KINDS; kind++)
        for (size_t cell = 0; cell < n * n; cell++)
            if (whole->cell[kind][cell] >= 0 && !(e->mask[cell] & formulation_kind_bit[kind]))
                upper[whole->cell[kind][cell]] = 0;
    return upper;
}

/* Removes cells from the mask if their reduced cost lifts the bound above the elimination cutoff.
 * Returns their number. */
static int eliminate(engine *e, const formulation *whole, double bound, const double *d)
{
    size_t n = (size_t)e->p->graph->n;
    double margin = 1e-9 * (1 + fabs(bound));
    double room = engine_elimination_cutoff(e) - bound + margin;
    int removed = 0;
    for (int kind = 0; kind < CELL_KINDS; kind++)
        for (size_t cell = 0; cell < n * n; cell++) {
            int col = whole->cell[kind][cell];
            if (col >= 0 && d[col] > room && (e->mask[cell] & formulation_kind_bit[kind])) {
                e->mask[cell] &= (uint8_t)~formulation_kind_bit[kind];
                removed++;
            }
        }
    return removed;
}

/* Column of the whole model for a cell of the mask that w lacks; -1: none. */
static int missing_column(const engine *e, const working *w, const formulation *whole,
                          cell_kind kind, size_t cell)
{
    bool missing = (e->mask[cell] & formulation_kind_bit[kind]) && w->f->cell[kind][cell] < 0;
    return missing ? whole->cell[kind][cell] : -1;
}

/* Context for requests of missing cells. */
typedef struct cell_request {
    const engine *e;
    const working *w;
    const formulation *whole;
    const double *d; /* reduced costs of the whole model */
    uint8_t *grow;
} cell_request;

/* Reduced cost of a missing cell; INFINITY if w has the cell or no column exists. */
static double missing_cost(const cell_request *a, cell_kind kind, int t, int i)
{
    int n = a->e->p->graph->n;
    size_t cell = (size_t)t * (size_t)n + (size_t)i;
    int col = t < n ? missing_column(a->e, a->w, a->whole, kind, cell) : -1;
    return col >= 0 ? a->d[col] : INFINITY;
}

/* Requests the cheapest page-in of i after stage t, unless w has one. */
static void bring_pagein(const cell_request *a, int t, int i)
{
    size_t n = (size_t)a->e->p->graph->n, best = 0;
    double least = INFINITY;
    for (size_t cell = (size_t)(t + 1) * n + (size_t)i; cell < n * n; cell += n) {
        if (a->w->f->cell[CELL_IN][cell] >= 0)
            return;
        int col = missing_column(a->e, a->w, a->whole, CELL_IN, cell);
        if (col >= 0 && a->d[col] < least) {
            least = a->d[col];
            best = cell;
        }
    }
    if (least < INFINITY)
        a->grow[best] |= MASK_IN;
}

/* Requests a cell. A page-out gets no column without the recomputation before it and a page-in
 * after it, so both are requested as well. */
static void request_cell(const cell_request *a, cell_kind kind, int t, int i)
{
    size_t n = (size_t)a->e->p->graph->n, cell = (size_t)t * n + (size_t)i;
    a->grow[cell] |= formulation_kind_bit[kind];
    if (kind == CELL_OUT) {
        a->grow[cell - n] |= a->e->mask[cell - n] & MASK_R;
        bring_pagein(a, t, i);
    }
}

/* Requests the cheapest cell of each run of stages in which the cells are attractive; the last of
 * equals. Usually the whole run is attractive because the tensor is valuable after it. Once one
 * cell has a column, that value is at most the price of the cell. Returns the number of runs. */
static int cheapest_of_runs(const cell_request *a, cell_kind kind, int i, double tolerance)
{
    int n = a->e->p->graph->n, count = 0, best = -1;
    double least = INFINITY;
    for (int t = i + 1; t <= n; t++) {
        double d = missing_cost(a, kind, t, i);
        if (d < -tolerance) {
            if (d <= least + tolerance) {
                least = fmin(least, d);
                best = t;
            }
        } else if (best >= 0) {
            request_cell(a, kind, best, i);
            count++;
            best = -1;
            least = INFINITY;
        }
    }
    return count;
}

/* Requests missing cells up to `near` stages after and before each requested cell if their reduced
 * cost is below `dear`. */
static void neighbours(const cell_request *a, cell_kind kind, int i, int near, double tolerance,
                       double dear)
{
    int n = a->e->p->graph->n, left = 0;
    for (int pass = 0; pass < 2; pass++) /* after, then before */
        for (int step = i + 1; step < n; step++) {
            int t = pass == 0 ? step : n + i - step;
            double d = missing_cost(a, kind, t, i);
            if (d < -tolerance &&
                (a->grow[(size_t)t * (size_t)n + (size_t)i] & formulation_kind_bit[kind]))
                left = near;
            else if (left-- > 0 && d < dear)
                request_cell(a, kind, t, i);
        }
}

/* Requests missing cells that the duals find attractive. Returns the number of their runs. Up to
 * MANY: nearby cells of the same tensors with a reduced cost near zero come with them. Otherwise
 * later models would request these one stage at a time. Up to FEW: all stages around a tensor that
 * was requested in more than AGAIN models in a row. Large models get fewer stages, unless at most
 * LESS are requested. */
static int request_attractive(engine *e, const working *w, const formulation *whole,
                              const double *d, uint8_t *grow)
{
    static const cell_kind actions[] = {CELL_R, CELL_IN, CELL_OUT};
    static const double tolerance = 1e-7;
    enum { MANY = 200, FEW = 60, LESS = 20, LARGE = 10000 };
    enum { ACTIONS = 3, NEAR = 3, AROUND = 10, AGAIN = 3 };
    cell_request a = {e, w, whole, d, grow};
    int n = e->p->graph->n, total = 0;
    int *count = base_calloc(ACTIONS * (size_t)n, sizeof *count);
    if (!e->requested)
        e->requested = base_calloc(ACTIONS * (size_t)n, sizeof *e->requested);
    for (int k = 0; k < ACTIONS * n; k++) {
        count[k] = cheapest_of_runs(&a, actions[k / n], k % n, tolerance);
        total += count[k];
        e->requested[k] = count[k] > 0 ? e->requested[k] + 1 : 0;
    }
    const int around = total > LESS && w->f->model->cols > LARGE ? NEAR : AROUND;
    for (int k = 0; k < ACTIONS * n && total <= MANY; k++)
        if (count[k] > 0 && e->requested[k] > AGAIN && total <= FEW)
            neighbours(&a, actions[k / n], k % n,
                       around << (e->requested[k] < 10 ? e->requested[k] - AGAIN : 7), tolerance,
                       INFINITY);
        else if (count[k] > 0)
            neighbours(&a, actions[k / n], k % n, NEAR, tolerance, tolerance);
    base_free(count);
    return total;
}

int engine_prove(engine *e, const working *w, uint8_t *grow)
{
    if (e->upper < e->eliminated_upper)
        engine_eliminate_by_cost(e);
    const formulation *whole = whole_model(e);
    extension_restrict(e->extension, w->f);
    e->extended = w;
    event_cut_list cuts = cuts_translate(&w->cuts, whole);
    lp_model *with_cuts = cuts.count > 0 ? model_with_cuts(whole, &cuts) : NULL;
    const lp_model *m = with_cuts ? with_cuts : whole->model;
    int own = whole->model->rows;
    double *y = base_calloc((size_t)m->rows + 1, sizeof *y);
    double *d = base_calloc((size_t)m->cols + 1, sizeof *d);
    double *upper = upper_bounds(e, whole);
    const double *dual = lp_dual(w->lp);
    const double *cut_dual = dual + w->f->model->rows;
    extension_apply(e->extension, upper, dual, &cuts, cut_dual, y, d);
    memcpy(y + own, cut_dual, (size_t)cuts.count * sizeof *y);
    const double bound = lp_safe_bound_mend(m, NULL, upper, y, d);
    e->extended_bound = fmin(bound, engine_elimination_cutoff(e));
    engine_raise(e, e->extended_bound);
    int growing = request_attractive(e, w, whole, d, grow);
    long removed = isinf(e->upper) ? 0 : eliminate(e, whole, bound, d);
    if (removed > 0)
        removed += formulation_mask_propagate(e->p, e->features, e->mask);
    const exact_proof *proof = engine_proof(e);
    proof->eliminate(proof->user, whole, y, &cuts, y + own, bound, removed);
    engine_log(e, 2, "proof     %.9g J over all cells, %ld eliminated, %d more wanted",
               bound / e->scale, removed, growing);
    base_free_all(upper, d, e->multipliers);
    e->multipliers = y;
    e->multiplier_cuts = cuts.count;
    lp_model_free(with_cuts);
    event_cut_list_clear(&cuts);
    return growing;
}
