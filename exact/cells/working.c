/* The working model: the tight model over a mask with its LP and cuts. Each one is built anew, with
 * the basis, duals and cuts of the one before. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/cells/tree.h"
#include "exact/cells/warm.h"
#include "exact/cells/working.h"
#include "exact/log.h"
#include "formulation/total.h"

/* Iteration limits of a warm start. Dual: PATIENCE + PATIENCE_PER_CELL * min(wanted,
 * PATIENT_CELLS). Primal, tried first from PRIMAL_CELLS wanted cells on: PRIMAL_PATIENCE +
 * PRIMAL_PATIENCE_PER_CELL * wanted. */
enum { PATIENCE = 300, PATIENCE_PER_CELL = 40, PATIENT_CELLS = 50 };
enum { PRIMAL_CELLS = 12, PRIMAL_PATIENCE = 100, PRIMAL_PATIENCE_PER_CELL = 10 };
/* Most rounds of cuts in a row without gain. */
enum { CUT_STALL = 8 };

static void note_status(engine *e, lp_status status)
{
    const base_stop stop = lp_status_limit(status);
    if (stop != BASE_GO)
        e->stop = stop;
}

/* Drops the cuts that do not bind at the LP's solution, which must be current. */
static void drop_slack_cuts(working *w)
{
    int first = w->f->model->rows;
    const double *activity = lp_activity(w->lp);
    bool *drop = base_calloc((size_t)lp_solver_model(w->lp)->rows + 1, sizeof *drop);
    int kept = 0, dropped = 0;
    for (int c = 0; c < w->cuts.count; c++) {
        drop[first + c] = activity[first + c] < w->cuts.cut[c].upper - 1e-7;
        dropped += drop[first + c];
    }
    if (dropped > 0) {
        for (int c = 0; c < w->cuts.count; c++) {
            if (drop[first + c])
                event_cut_clear(&w->cuts.cut[c]);
            else
                w->cuts.cut[kept++] = w->cuts.cut[c];
        }
        w->cuts.count = kept;
        lp_delete_rows(w->lp, drop);
    }
    base_free(drop);
}

/* Returns the cuts from index `first` on as rows. */
static lp_row_list cut_rows(const event_cut_list *cuts, int first)
{
    lp_row_list rows = {0};
    for (int c = first; c < cuts->count; c++) {
        const event_cut *cut = &cuts->cut[c];
        for (int k = 0; k < cut->count; k++)
            lp_row_list_add(&rows, cut->col[k], cut->value[k]);
        lp_row_list_end(&rows, -LP_INFINITY, cut->upper);
    }
    return rows;
}

event_cut_list cuts_translate(const event_cut_list *cuts, const formulation *f)
{
    event_cut_list list = {0};
    list.cut = base_calloc((size_t)cuts->count + 1, sizeof *list.cut);
    list.count = list.capacity = cuts->count;
    for (int c = 0; c < cuts->count; c++) {
        const event_cut *from = &cuts->cut[c];
        event_cut *to = &list.cut[c];
        *to = *from;
        size_t size = (size_t)from->tensors + 1;
        to->tensor = base_malloc(size, sizeof *to->tensor);
        to->coef = base_malloc(size, sizeof *to->coef);
        if (from->tensors > 0) { /* source cuts have none */
            memcpy(to->tensor, from->tensor, (size_t)from->tensors * sizeof *to->tensor);
            memcpy(to->coef, from->coef, (size_t)from->tensors * sizeof *to->coef);
        }
        if (from->made) {
            to->made = base_malloc(size, sizeof *to->made);
            memcpy(to->made, from->made, (size_t)from->tensors * sizeof *to->made);
        }
        to->col = NULL;
        to->value = NULL;
        if (!event_cut_express(f, to)) {
            /* The event cannot happen in f. The cut becomes an empty row, which keeps its place. */
            to->count = 0;
            to->upper = LP_INFINITY;
        }
    }
    return list;
}

static void add_cut_rows(working *w, int first)
{
    if (w->cuts.count == first)
        return;
    lp_row_list rows = cut_rows(&w->cuts, first);
    lp_add_rows(w->lp, rows.count, rows.lower, rows.upper, rows.start, rows.col, rows.value);
    lp_row_list_free(&rows);
}

bool engine_units_pay(const engine *e)
{
    return engine_tuning(e)->unit_totals &&
           engine_cutoff(e) < e->lower + formulation_total_unit(e->p->graph) * e->scale;
}

bool engine_has_room(const engine *e, const uint8_t *mask)
{
    return base_memory_fits(formulation_bytes(e->p, mask));
}

void engine_require_room(const engine *e, const uint8_t *mask)
{
    if (!engine_has_room(e, mask))
        base_give_up(BASE_STOP_MEMORY);
}

working *working_build(engine *e, const uint8_t *mask, const working *from, bool totals)
{
    engine_require_room(e, mask);
    working *w = base_calloc(1, sizeof *w);
    unsigned features = e->features;
    if (totals && engine_tuning(e)->totals)
        features |= FORMULATION_TOTALS;
    if (totals && engine_units_pay(e))
        features |= FORMULATION_UNITS;
    w->f = formulation_build(e->p, features, mask, e->scale);
    e->row.columns = w->f->model->cols;
    if (from)
        w->cuts = cuts_translate(&from->cuts, w->f);
    return w;
}

/* The ways to start a first solve, in this order. The basis of another model keeps the duals
 * similar. With many new columns, the primal simplex finds duals for them in fewer steps. The dual
 * simplex starts with all wanted columns at their upper bounds. If both fail, the slack basis: a
 * pivot from there costs a tenth. */
typedef enum attempt { PRIMAL, DUAL, SLACKS } attempt;

struct warm_start {
    unsigned char *basis;
    int wanted;
    attempt now;
    long left; /* iterations left of this attempt */
};

static void warm_start_free(working *w)
{
    if (!w->warm)
        return;
    base_free_all(w->warm->basis, w->warm);
    w->warm = NULL;
}

static void begin_attempt(working *w, attempt now)
{
    struct warm_start *s = w->warm;
    s->now = now;
    if (now == SLACKS) {
        s->left = LONG_MAX;
        lp_set_slack_basis(w->lp);
        return;
    }
    const int patient = s->wanted < PATIENT_CELLS ? s->wanted : PATIENT_CELLS;
    s->left = now == PRIMAL ? PRIMAL_PATIENCE + PRIMAL_PATIENCE_PER_CELL * (long)s->wanted
                            : PATIENCE + PATIENCE_PER_CELL * (long)patient;
    lp_set_basis(w->lp, s->basis);
}

static void warm_start_make(engine *e, working *w, const working *from, int wanted)
{
    w->warm = base_calloc(1, sizeof *w->warm);
    w->warm->wanted = wanted;
    w->warm->basis = warm_basis(e, w->f, w->cuts.count, from, NULL);
    begin_attempt(w, wanted >= PRIMAL_CELLS ? PRIMAL : DUAL);
}

/* Continues the first solve. */
static lp_status solve_on(working *w)
{
    while (w->warm) {
        lp_params *params = lp_solver_params(w->lp);
        const long before = lp_iterations(w->lp);
        params->method = w->warm->now == PRIMAL ? LP_METHOD_PRIMAL : LP_METHOD_DUAL;
        params->iteration_limit = w->warm->left;
        const lp_status status = lp_solve(w->lp);
        params->method = LP_METHOD_DUAL;
        params->iteration_limit = LONG_MAX;
        w->warm->left -= lp_iterations(w->lp) - before;
        if (status != LP_ITERATION_LIMIT)
            return status;
        begin_attempt(w, w->warm->now + 1);
    }
    return lp_solve(w->lp);
}

working *working_open(engine *e, const uint8_t *mask, const working *from, int wanted)
{
    working *w = working_build(e, mask, from, false);
    lp_params params = lp_params_default();
    params.tuning = e->params->tuning.lp;
    params.limits = engine_limits(e, INFINITY);
    params.seed = e->params->seed;
    w->lp = lp_solver_create(w->f->model, &params);
    if (from) {
        add_cut_rows(w, 0);
        if (wanted > 0)
            warm_start_make(e, w, from, wanted);
    }
    return w;
}

/* Records the end of the first solve. */
static void end_first_solve(engine *e, working *w)
{
    warm_start_free(w);
    if (w->status == LP_OPTIMAL)
        w->bound = w->bound_before_cuts = lp_objective(w->lp);
    note_status(e, w->status);
    engine_log(e, 2, "LP        %d columns, %d rows, %s in %ld iterations, bound %.9g J",
               w->f->model->cols, w->f->model->rows, lp_status_name(w->status),
               lp_iterations(w->lp), w->bound / e->scale);
}

/* Least pivots of a turn, since it takes some steps to continue before the first pivot. */
enum { LEAST_PIVOTS = 50 };

bool working_solve(engine *e, working *w, double work)
{
    const uint64_t before = base_work_done();
    const long iterations = lp_iterations(w->lp);
    base_limits *limits = &lp_solver_params(w->lp)->limits;
    bool ended;
    do {
        *limits = engine_limits(e, work);
        w->status = solve_on(w);
        ended = w->status != LP_WORK_LIMIT || engine_work_left(e) <= 0;
        work = 2 * fmax(work, 1);
    } while (!ended && lp_iterations(w->lp) - iterations < LEAST_PIVOTS);
    *limits = engine_limits(e, INFINITY);
    w->work += (double)(base_work_done() - before);
    e->result->lp_iterations += lp_iterations(w->lp) - iterations;
    if (ended)
        end_first_solve(e, w);
    return ended;
}

/* ---- rounds of cuts -------------------------------------------------------------------- */

cut_rounds working_cut_begin(const working *w)
{
    return (cut_rounds){.before = w->bound, .at_stall = w->bound};
}

bool working_cuts_raised(const working *w, const cut_rounds *r)
{
    return w->status == LP_OPTIMAL && w->bound > r->before + 1e-7 * fabs(r->before);
}

/* One round of cuts. False: no cut was found, or the LP was not solved. */
static bool cut_once(engine *e, working *w, cut_rounds *r)
{
    event_cut_list found = {0};
    formulation_separate(w->f, lp_primal(w->lp), &found);
    if (found.count == 0)
        return false;
    drop_slack_cuts(w);
    const int first = w->cuts.count;
    event_cut_list_join(&w->cuts, &found);
    add_cut_rows(w, first);
    w->status = lp_solve(w->lp);
    if (w->status != LP_OPTIMAL)
        return false;
    w->bound = lp_objective(w->lp);
    engine_log(e, 2, "cuts      round %d, %d cuts, bound %.9g J", ++r->count, w->cuts.count - first,
               w->bound / e->scale);
    if (w->bound > r->at_stall + 1e-4 * fabs(r->at_stall)) {
        r->at_stall = w->bound;
        r->stalled = 0;
    } else {
        r->stalled++;
    }
    return true;
}

/* One round of cuts. False: it was the last one; cuts that do not bind are dropped. */
static bool cut_round(engine *e, working *w, cut_rounds *r)
{
    if (r->count < engine_tuning(e)->cut_rounds && r->stalled < CUT_STALL &&
        w->bound < engine_cutoff(e) && cut_once(e, w, r))
        return true;
    if (w->status == LP_OPTIMAL) {
        drop_slack_cuts(w);
        w->status = lp_solve(w->lp); /* the same point, duals for the rows that are left */
    }
    return false;
}

bool working_cut_round(engine *e, working *w, cut_rounds *r)
{
    if (w->status != LP_OPTIMAL ||
        !(e->features & (FORMULATION_EVENT_CUTS | FORMULATION_SOURCE_CUTS)))
        return false;
    const long iterations = lp_iterations(w->lp);
    const uint64_t work = base_work_done();
    const bool more = cut_round(e, w, r);
    w->work += (double)(base_work_done() - work);
    e->failed = e->failed || lp_solver_model(w->lp)->rows != w->f->model->rows + w->cuts.count;
    note_status(e, w->status);
    e->result->lp_iterations += lp_iterations(w->lp) - iterations;
    if (!more)
        engine_log(e, 2, "cuts      %d bind, bound %.9g J", w->cuts.count, w->bound / e->scale);
    return more;
}

void working_free(working *w)
{
    if (!w)
        return;
    warm_start_free(w);
    lp_solver_free(w->lp);
    formulation_free(w->f);
    event_cut_list_clear(&w->cuts);
    base_free(w);
}

lp_model *model_with_cuts(const formulation *f, const event_cut_list *cuts)
{
    lp_model *m = lp_model_copy(f->model);
    lp_row_list rows = cut_rows(cuts, 0);
    lp_model_add_rows(m, rows.count, rows.lower, rows.upper, rows.start, rows.col, rows.value,
                      NULL);
    lp_row_list_free(&rows);
    return m;
}
