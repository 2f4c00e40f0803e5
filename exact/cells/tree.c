/* The tree search on a working model. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/cells/tree.h"
#include "exact/cells/warm.h"
#include "exact/cells/working.h"
#include "exact/log.h"
#include "formulation/total.h"

/* Name of the trees' schedules in the log. */
static const char source[] = "tree search";

struct tree {
    engine *e;
    const working *w;
    exact_effort effort; /* effort of its nodes */
    event_cut outside;   /* row that excludes schedules within the windows; may be empty */
    lp_model *model;
    bnb_callbacks callbacks;
    bnb_search *search;
    double cutoff; /* engine_cutoff at the last run */
    bool empty;    /* proven: no solution below `cutoff` */
};

/* ---- schedules outside the windows --------------------------------------------------- */

event_cut outside_row(const engine *e, const formulation *f)
{
    static const cell_kind actions[] = {CELL_R, CELL_IN, CELL_OUT};
    int n = e->p->graph->n;
    event_cut row = {.t = -1, .k = -1, .upper = -1};
    row.col = base_malloc((size_t)f->model->cols + 1, sizeof *row.col);
    row.value = base_malloc((size_t)f->model->cols + 1, sizeof *row.value);
    for (int a = 0; a < 3; a++)
        for (int t = 0; t < n; t++)
            for (int i = 0; i < t; i++) {
                size_t cell = (size_t)t * (size_t)n + (size_t)i;
                int col = f->cell[actions[a]][cell];
                const uint8_t bit = formulation_kind_bit[actions[a]];
                if (col < 0 || (e->core[cell] & bit) ||
                    outside_is_implied(e->p, e->features, e->core, bit, t, i))
                    continue;
                row.col[row.count] = col;
                row.value[row.count++] = -1;
            }
    return row;
}

void outside_row_clear(event_cut *row)
{
    base_free(row->col);
    base_free(row->value);
    row->count = 0;
}

/* Adds the row "some cell outside the windows is used" as a cut if x violates it. The row holds for
 * every schedule that the tree seeks. In the model it costs the first LP more than it gains. */
static void offer_outside(const tree *t, bnb_context *c, const double *x)
{
    double activity = 0;
    for (int k = 0; k < t->outside.count; k++)
        activity += t->outside.value[k] * x[t->outside.col[k]];
    if (activity <= t->outside.upper + 1e-6)
        return;
    bnb_cut cut = {t->outside.count, t->outside.col,   t->outside.value,
                   -LP_INFINITY,     t->outside.upper, EXACT_TAG_OUTSIDE};
    bnb_add_cut(c, &cut);
}

static void separate(void *user, bnb_context *c, const double *x)
{
    tree *t = user;
    const exact_proof *proof = engine_proof(t->e);
    event_cut_list list = {0};
    if (t->outside.count > 0)
        offer_outside(t, c, x);
    formulation_separate(t->w->f, x, &list);
    for (int k = 0; k < list.count; k++) {
        const event_cut *cut = &list.cut[k];
        bnb_cut out = {cut->count,   cut->col,   cut->value,
                       -LP_INFINITY, cut->upper, proof->cut(proof->user, cut)};
        bnb_add_cut(c, &out);
    }
    event_cut_list_clear(&list);
}

/* Recomputes node k in stage t, after its inputs that are not in RAM. Returns the joules. */
static double recompute(const graph *g, schedule *s, int t, int k)
{
    double joules = g->joules[k];
    s->R[schedule_cell(s, t, k)] = 1;
    for (int p = g->input_start[k]; p < g->input_start[k + 1]; p++) {
        const size_t cell = schedule_cell(s, t, g->input[p]);
        if (!s->S[cell] && !s->R[cell])
            joules += recompute(g, s, t, g->input[p]);
    }
    return joules;
}

/* Grants tensor i an early release while it is written out in stage t: adds the cheapest
 * recomputation of one of its users. Without one, s stays as it is. */
static void release_by_user(const engine *e, schedule *s, int t, int i)
{
    const graph *g = e->p->graph;
    uint8_t *row = s->R + schedule_cell(s, t, 0);
    uint8_t *before = base_malloc((size_t)s->n, 1);
    memcpy(before, row, (size_t)s->n);
    int best = -1;
    double least = INFINITY;
    for (int q = g->user_start[i]; q < g->user_start[i + 1] && g->user[q] < t; q++) {
        if (before[g->user[q]])
            continue;
        const double joules = recompute(g, s, t, g->user[q]);
        if (joules < least) {
            least = joules;
            best = g->user[q];
        }
        memcpy(row, before, (size_t)s->n);
    }
    base_free(before);
    if (best >= 0)
        recompute(g, s, t, best);
}

/* Adds recomputations that grant the early releases which the rules do not grant for free. */
static void mend_early_releases(const tree *t, schedule *s)
{
    for (int stage = 0; stage < s->n; stage++)
        for (int i = 0; i < stage; i++)
            if (formulation_early_release(t->w->f, s, stage, i))
                release_by_user(t->e, s, stage, i);
}

/* Accepts every solution that the model allows, decided exactly by formulation_admits. A schedule
 * may need an early release and fail validation. Its objective still counts for the bound, so the
 * tree must not discard it. */
static bool accept(void *user, const double *x, double *objective)
{
    tree *t = user;
    const formulation *f = t->w->f;
    schedule *s = formulation_extract(f, x);
    const bool good = formulation_admits(f, s);
    if (good && schedule_validate(t->e->p, s, NULL, NULL) != 0) {
        mend_early_releases(t, s);
        engine_log(t->e, 2, "tree      a solution rests on an early release");
    }
    if (good) {
        *objective = lp_model_objective(f->model, x);
        engine_offer(t->e, s, source);
        schedule_prune(t->e->p->graph, s);
        engine_offer(t->e, s, source);
    }
    schedule_free(s);
    return good;
}

static void report_progress(void *user, const bnb_progress *now)
{
    const tree *t = user;
    engine_log_progress(t->e, t->effort, now);
}

/* Branching priorities: totals first. */
static void priority(void *user, int *score)
{
    const tree *t = user;
    const formulation *f = t->w->f;
    for (int j = 0; j < f->model->cols; j++)
        if (f->column[j].kind == COLUMN_TOTAL)
            score[j] = f->total[f->column[j].i].leading ? 2 : 1;
}

bnb_params engine_turn_params(const engine *e)
{
    bnb_params params = bnb_params_default();
    params.tuning = e->params->tuning.bnb;
    params.lp = e->params->tuning.lp;
    params.gap_relative = 0.5 * e->params->gap_relative;
    params.cutoff = engine_tree_cutoff(e);
    params.seed = e->params->seed;
    params.limits = e->params->limits;
    params.threads = e->params->threads;
    return params;
}

static bnb_callbacks common_callbacks(tree *t)
{
    bnb_callbacks callbacks = {
        .user = t, .accept = accept, .priority = priority, .progress = report_progress};
    if (t->outside.count > 0 ||
        (t->e->features & (FORMULATION_EVENT_CUTS | FORMULATION_SOURCE_CUTS)))
        callbacks.separate = separate;
    return callbacks;
}

/* Opens the search over the model with its cuts. The root LP starts from the basis of `from`, if
 * that has one. */
static void open_search(tree *t, const working *from, bnb_params *params)
{
    const working *w = t->w;
    t->callbacks = common_callbacks(t);
    lp_model *m = t->model = model_with_cuts(w->f, &w->cuts);
    unsigned char *basis = NULL;
    double *multipliers = NULL;
    double *point = base_malloc((size_t)m->cols + 1, sizeof *point);
    if (from && from->status == LP_OPTIMAL) {
        basis = warm_basis(t->e, w->f, w->cuts.count, from, point);
        params->basis = basis;
        params->point = point;
        params->multipliers = multipliers = warm_duals(t->e, w->f, w->cuts.count, from);
    }
    t->search = bnb_open(m, params, &t->callbacks);
    base_free_all(basis, point, multipliers);
}

static base_stop stop_of(bnb_status status)
{
    switch (status) {
    case BNB_LIMIT_TIME:
        return BASE_STOP_TIME;
    case BNB_LIMIT_MEMORY:
        return BASE_STOP_MEMORY;
    case BNB_INTERRUPTED:
        return BASE_STOP_INTERRUPT;
    default:
        return BASE_GO;
    }
}

long engine_nodes_left(const engine *e)
{
    if (e->records_leaves)
        return LONG_MAX;
    const long left = e->params->node_limit - e->result->nodes;
    return left > 0 ? left : 0;
}

/* Most steps of a run. A root that is stopped repeats some steps, so its LPs may overdraw. */
static double most_work(const engine *e, const bnb_search *search, double work)
{
    enum { OVERDRAFT = 4 };
    return fmin(OVERDRAFT * fmax(work, bnb_so_far(search).work), engine_work_left(e));
}

bnb_status engine_run(engine *e, bnb_search *search, double work, long nodes)
{
    const bnb_progress before = bnb_so_far(search);
    const double own_before = (double)base_work_done();
    const long left = engine_nodes_left(e);
    engine_row *row = &e->row;
    row->nodes_before = before.nodes;
    row->iterations_before = before.iterations;
    const base_limits limits = engine_limits(e, INFINITY);
    bnb_keep_limits(search, &limits);
    bnb_use_threads(search, e->threads);
    const bnb_status status = bnb_run(search, fmin(work, engine_work_left(e)),
                                      most_work(e, search, work), nodes < left ? nodes : left);
    row->part = -INFINITY;
    row->nodes = row->iterations = 0;
    const double own = (double)base_work_done() - own_before;
    const bnb_progress now = bnb_so_far(search);
    e->helpers_work += fmax(0, now.work - before.work - own);
    e->waited += now.waited - before.waited;
    e->result->nodes += now.nodes - before.nodes;
    e->result->lp_iterations += now.iterations - before.iterations;
    const base_stop stop = stop_of(status);
    if (stop != BASE_GO)
        e->stop = stop;
    return status;
}

static void set_records_leaves(engine *e, bool records)
{
    e->records_leaves = records;
    if (e->parent)
        set_records_leaves(e->parent, records);
}

bool engine_record_leaves(engine *e, bnb_search *search, double bound)
{
    bnb_lower_cutoff(search, bound - 0.25 * EXACT_OPTIMAL_GAP * fabs(bound));
    set_records_leaves(e, true);
    const bnb_status status = engine_run(e, search, INFINITY, LONG_MAX);
    set_records_leaves(e, false);
    return status == BNB_OPTIMAL || status == BNB_INFEASIBLE;
}

bool engine_tree_record_leaves(tree *t, double bound)
{
    return engine_record_leaves(t->e, t->search, bound);
}

tree *engine_tree_open(engine *e, const working *w, const working *from, exact_effort effort,
                       bool outside)
{
    tree *t = base_malloc(1, sizeof *t);
    *t = (tree){.e = e, .w = w, .effort = effort};
    bnb_params params = engine_turn_params(e);
    params.proof = engine_proof(e)->tree(engine_proof(e)->user, w->f, &w->cuts);
    if (outside) {
        /* As a rule only the proof is missing, so no heuristics run. */
        t->outside = outside_row(e, w->f);
        params.tuning.dive = params.tuning.rins = false;
    }
    open_search(t, from, &params);
    return t;
}

bool engine_tree_run(tree *t, double work, long nodes)
{
    t->cutoff = engine_cutoff(t->e);
    bnb_lower_cutoff(t->search, engine_tree_cutoff(t->e));
    const bnb_status status = engine_run(t->e, t->search, work, nodes);
    t->e->failed = t->e->failed || status == BNB_UNBOUNDED;
    t->empty = status == BNB_INFEASIBLE;
    return status == BNB_OPTIMAL || status == BNB_INFEASIBLE || status == BNB_TROUBLE;
}

void engine_tree_set_engine(tree *t, engine *e)
{
    t->e = e;
}

double engine_tree_bound(const tree *t)
{
    return t->empty ? t->cutoff : fmin(bnb_so_far(t->search).bound, t->cutoff);
}

long engine_tree_nodes(const tree *t)
{
    return bnb_so_far(t->search).nodes;
}

void engine_tree_close(tree *t)
{
    if (!t)
        return;
    bnb_result r = bnb_close(t->search);
    t->e->result->cuts += r.cuts;
    bnb_result_clear(&r);
    outside_row_clear(&t->outside);
    lp_model_free(t->model);
    base_free(t);
}
