/* The tree search on a working model. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/engine.h"
#include "exact/proof.h"
#include "formulation/total.h"
#include "heuristics/search.h"

enum {
    POOL_LIMIT = 4000,
    SUBMIP_NODES = 20 /* a sub-MIP may take one in so many of the nodes that are left */
};

typedef struct tree {
    engine *e;
    const working *w;
    const char *source;  /* what the log calls its schedules */
    double cutoff;       /* at the beginning, model units */
    event_cut outside;   /* while the windows are closed: what lies within them is out */
    long *nodes;         /* of each thread, at which repair could have been tried */
    event_cut_list pool; /* event cuts found on the way, for the proof; under e->lock */
} tree;

/* "Some cell outside the windows is used" is true of what is still looked for. As a row of the
 * model it costs the first LP more than it is worth; as a cut it comes with the others. */
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
    const exact_proof *proof = t->e->params->proof;
    separate_params params = separate_params_for(t->e->params->features);
    event_cut_list list = {0};
    if (t->outside.count > 0)
        offer_outside(t, c, x);
    if (t->e->params->features & (FORMULATION_EVENT_CUTS | FORMULATION_SOURCE_CUTS))
        formulation_separate(t->w->f, x, &params, &list);
    for (int k = 0; k < list.count; k++) {
        const event_cut *cut = &list.cut[k];
        bnb_cut out = {cut->count, cut->col, cut->value, -LP_INFINITY, cut->upper, 0};
        if (proof)
            out.tag = proof->cut(proof->user, cut);
        bnb_add_cut(c, &out);
    }
    base_lock(&t->e->lock);
    if (t->pool.count + list.count <= POOL_LIMIT)
        event_cut_list_join(&t->pool, &list);
    base_unlock(&t->e->lock);
    event_cut_list_clear(&list);
}

/* Tensor i is being written out in t and granted an early release: a recomputation of one of its
 * users makes it, if one can be afforded. */
static void release_by_user(const engine *e, schedule *s, int t, int i)
{
    const graph *g = e->p->graph;
    int best = -1;
    for (int q = g->user_start[i]; q < g->user_start[i + 1] && g->user[q] < t; q++) {
        int k = g->user[q];
        bool present = !s->R[schedule_cell(s, t, k)];
        for (int p = g->input_start[k]; p < g->input_start[k + 1]; p++) {
            size_t cell = schedule_cell(s, t, g->input[p]);
            present = present && (s->S[cell] || s->R[cell]);
        }
        if (present && (best < 0 || g->joules[k] < g->joules[best]))
            best = k;
    }
    if (best >= 0)
        s->R[schedule_cell(s, t, best)] = 1;
}

/* The releases that the rules do not grant for nothing, as far as recomputations make them. */
static void mend_early_releases(const tree *t, schedule *s)
{
    for (int stage = 0; stage < s->n; stage++)
        for (int i = 0; i < stage; i++)
            if (formulation_early_release(t->w->f, s, stage, i))
                release_by_user(t->e, s, stage, i);
}

/* A schedule that needs an early release is worth its objective for the bound all the same: the
 * tree must not discard what the model allows, and what that is is judged exactly. */
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
        engine_offer(t->e, s, t->source);
        schedule_prune(t->e->p->graph, s);
        engine_offer(t->e, s, t->source);
    }
    schedule_free(s);
    return good;
}

/* What the fractional solution x of f suggests, as a schedule below the cutoff (joules); NULL: none
 * found. */
schedule *engine_round(const engine *e, const formulation *f, const double *x, int tries,
                       uint64_t seed, double cutoff_joules)
{
    size_t n = (size_t)f->problem->graph->n, size = n * n;
    double *keep = base_calloc(3 * size, sizeof *keep);
    double *compute = keep + size, *pagein = compute + size;
    for (size_t c = 0; c < size; c++) {
        int r = f->cell[CELL_R][c], in = f->cell[CELL_IN][c];
        int kept = f->cell[CELL_C][c], paged = f->cell[CELL_P][c];
        keep[c] = (kept >= 0 ? x[kept] : 0) + (paged >= 0 ? x[paged] : 0);
        compute[c] = c / n == c % n ? 1 : r >= 0 ? x[r] : 0;
        pagein[c] = in >= 0 ? x[in] : 0;
    }
    heuristic_guide guide = {keep, compute, pagein};
    schedule *s = heuristic_repair(f->problem, &guide, &e->params->tuning.heuristics, tries, seed,
                                   cutoff_joules);
    base_free(keep);
    return s;
}

static void repair(void *user, bnb_context *c, const double *x, const double *d)
{
    tree *t = user;
    const formulation *f = t->w->f;
    long node = t->nodes[bnb_thread(c)]++;
    (void)d;
    if (node % t->e->params->tuning.repair_every != 0)
        return;
    double cutoff = fmin(bnb_incumbent_objective(c), t->cutoff) / t->e->scale;
    schedule *s = engine_round(t->e, f, x, t->e->params->tuning.repair_tries,
                               t->e->params->seed + (uint64_t)node, cutoff);
    if (!s)
        return;
    engine_offer(t->e, s, "LP rounding");
    double *vector = base_malloc((size_t)f->model->cols + 1, sizeof *vector);
    if (formulation_vector(f, s, vector))
        bnb_offer(c, vector, "LP rounding");
    base_free(vector);
    schedule_free(s);
}

/* Totals and page-outs decide most, then recomputations. */
static void priority(void *user, int *score)
{
    const tree *t = user;
    const formulation *f = t->w->f;
    for (int j = 0; j < f->model->cols; j++) {
        score[j] = f->column[j].kind == COLUMN_OUT;
        if (f->column[j].kind == COLUMN_TOTAL)
            score[j] = f->total[f->column[j].i].leading ? 3 : 2;
    }
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

/* A certificate can be told of the formulation's own cuts only, and needs no schedules. */
static void prepare_proof(const tree *t, bnb_params *params)
{
    const exact_proof *proof = t->e->params->proof;
    params->tuning.cuts_gomory = params->tuning.cuts_mir = params->tuning.cuts_cover =
        params->tuning.zero_half = false;
    params->tuning.dive = params->tuning.rounding = params->tuning.rins = false;
    params->threads = 1;
    params->proof = proof->tree(proof->user, t->w->f, &t->w->cuts);
}

bnb_params engine_tree_params(const engine *e, double share)
{
    bnb_params params = bnb_params_default();
    params.tuning = e->params->tuning.bnb;
    params.gap_relative = 0.5 * e->params->gap_relative;
    params.gap_absolute = 0;
    params.cutoff = engine_cutoff(e);
    params.seed = e->params->seed;
    if (!(e->params->features & FORMULATION_PICKED_DUALS))
        params.tuning.picked_duals = 0;
    params.limits = e->params->limits;
    if (params.limits.deadline > 0 && share < 1) {
        double now = base_seconds();
        params.limits.deadline = now + share * fmax(0, params.limits.deadline - now);
    }
    return params;
}

static bnb_callbacks common_callbacks(tree *t)
{
    bnb_callbacks callbacks = {.user = t, .accept = accept, .priority = priority};
    if (t->outside.count > 0 ||
        (t->e->params->features & (FORMULATION_EVENT_CUTS | FORMULATION_SOURCE_CUTS)))
        callbacks.separate = separate;
    if (t->e->params->heuristics && !t->e->params->proof)
        callbacks.heuristic = repair;
    return callbacks;
}

/* The model with its cuts, from the basis of another one's LP where there is one. */
static bnb_result solve_tree(tree *t, const working *from, bnb_params *params)
{
    const working *w = t->w;
    bnb_callbacks callbacks = common_callbacks(t);
    t->nodes = base_calloc((size_t)params->threads, sizeof *t->nodes);
    lp_model *m = model_with_cuts(w->f, &w->cuts);
    unsigned char *basis = NULL;
    double *multipliers = NULL;
    double *point = base_malloc((size_t)m->cols + 1, sizeof *point);
    if (from && from->status == LP_OPTIMAL) {
        basis = warm_basis(t->e, w->f, w->cuts.count, from, NULL, point);
        params->basis = basis;
        params->point = point;
        params->multipliers = multipliers = warm_duals(t->e, w->f, w->cuts.count, from);
    }
    bnb_result r = bnb_solve(m, params, &callbacks, NULL);
    base_free(t->nodes);
    base_free(basis);
    base_free(point);
    base_free(multipliers);
    lp_model_free(m);
    return r;
}

double engine_tree(engine *e, working *w, const working *from, const tree_limits *limits)
{
    double cutoff = engine_cutoff(e);
    tree t = {.e = e, .w = w, .source = "tree search", .cutoff = cutoff};
    bnb_params params = engine_tree_params(e, limits->share);
    params.threads = e->params->threads;
    params.deterministic = e->params->deterministic;
    params.node_limit = limits->nodes;
    params.iteration_limit = limits->iterations;
    params.objective_target = limits->target;
    params.log = e->params->log;
    params.log_stream = e->params->log_stream;
    params.log_unit = 1 / e->scale;
    if (e->params->proof)
        prepare_proof(&t, &params);
    if (e->core) {
        /* Only a proof is wanted, as a rule: nobody looks for schedules. */
        t.outside = outside_row(e, w->f);
        params.tuning.dive = params.tuning.rins = false;
    }

    bnb_result r = solve_tree(&t, from, &params);
    outside_row_clear(&t.outside);
    e->result->nodes += r.nodes;
    e->result->lp_iterations += r.iterations;
    e->result->cuts += r.cuts;
    engine_log(e, 2, "tree      %s, %ld nodes", bnb_status_name(r.status), r.nodes);
    double bound = r.status == BNB_INFEASIBLE ? cutoff : fmin(r.bound, cutoff);
    e->failed = e->failed || r.status == BNB_UNBOUNDED;
    base_stop stop = stop_of(r.status);
    if (stop != BASE_GO && (limits->share >= 1 || stop != BASE_STOP_TIME)) {
        e->limited = true;
        e->stop = stop;
    }
    bnb_result_clear(&r);
    working_add_cuts(e, w, &t.pool);
    return bound;
}

long engine_submip(engine *e, const uint8_t *cells, const working *from, const char *source,
                   long iteration_limit, const base_limits *limits)
{
    size_t size = engine_cells(e);
    uint8_t *mask = base_malloc(size, 1);
    for (size_t c = 0; c < size; c++)
        mask[c] = cells[c] & e->mask[c];
    formulation_mask_propagate(e->p, e->params->features, mask);
    working *w = working_build(e, mask, from, false);
    base_free(mask);
    tree t = {.e = e, .w = w, .source = source, .cutoff = engine_cutoff(e)};
    bnb_params params = engine_tree_params(e, 1);
    params.limits = *limits;
    if (e->params->node_limit < LONG_MAX)
        params.node_limit = (e->params->node_limit - e->result->nodes) / SUBMIP_NODES;
    params.deterministic = true;
    params.iteration_limit = iteration_limit;
    bnb_result r = solve_tree(&t, from, &params);
    engine_log(e, 2, "sub-MIP   %s: %d columns, %d rows, %s, %ld nodes, %ld iterations", source,
               w->f->model->cols, w->f->model->rows + w->cuts.count, bnb_status_name(r.status),
               r.nodes, r.iterations);
    long iterations = r.iterations;
    e->result->nodes += r.nodes;
    e->result->lp_iterations += iterations;
    bnb_result_clear(&r);
    event_cut_list_clear(&t.pool);
    working_free(w);
    return iterations;
}
