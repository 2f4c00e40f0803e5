/* A turn beside the proof: its engine, and the transfer of its results. */
#include "exact/task.h"

#include <math.h>
#include <string.h>

#include "exact/finder/anneal.h"

/* ---- beginning ------------------------------------------------------------------ */

/* True if the task should stop. While it records leaves it ignores the call, since the search may
 * rest on their bound. */
static bool is_cancelled(void *context)
{
    const task *t = context;
    return (atomic_load(t->cancelled) && !t->own.records_leaves) ||
           (t->given->should_stop && t->given->should_stop(t->given->should_stop_context));
}

/* The listener of the task; it forwards only coarse timelines and cases. NULL: no proof. */
static const exact_proof *own_proof(task *t, const engine *e)
{
    if (!e->params->proof)
        return NULL;
    t->proof = exact_proof_none;
    t->proof.user = engine_proof(e)->user;
    t->proof.timeline = engine_proof(e)->timeline;
    t->proof.timeline_ended = engine_proof(e)->timeline_ended;
    t->proof.fates = engine_proof(e)->fates;
    return &t->proof;
}

static void set_params(task *t, const engine *e)
{
    t->params = *e->params;
    t->params.limits.should_stop = is_cancelled;
    t->params.limits.should_stop_context = t;
    t->params.log = 0;
    t->params.threads = 1;
    t->params.incumbent = NULL;
    t->params.proof = own_proof(t, e);
    t->params.tuning.coarse_fixing = false; /* only the proof eliminates cells */
}

task *task_open(const engine *e, const beside *f, exact_effort effort, tree *root,
                const atomic_bool *cancelled)
{
    const engine *view = f->e;
    task *t = base_malloc(1, sizeof *t);
    *t = (task){.effort = effort,
                .beside = *f,
                .tree = root,
                .given = &e->params->limits,
                .cancelled = cancelled};
    t->beside.e = &t->own;
    t->nodes = t->result.nodes = view->result->nodes;
    memcpy(t->result.spent, view->result->spent, sizeof t->result.spent);
    set_params(t, e);
    t->own = (engine){.p = e->p,
                      .params = &t->params,
                      .result = &t->result,
                      .start = e->start,
                      .threads = 1,
                      .features = e->features,
                      .scale = e->scale,
                      .upper = view->upper,
                      .lower = view->lower,
                      .coarse_bound = view->coarse_bound,
                      .row = {.effort = EFFORTS, .part = -INFINITY}};
    pthread_mutex_init(&t->own.lock, NULL);
    engine_note_points(&t->own.points, &view->points);
    if (effort == EFFORT_POLISH || effort == EFFORT_ANNEAL) { /* they need the schedule */
        t->own.upper = INFINITY;
        engine_take_best(&t->own, view);
    }
    beside_hand_over(f->e, &t->own, effort);
    if (root)
        engine_tree_set_engine(root, &t->own);
    return t;
}

void task_run(task *t)
{
    const turn_start before = turn_begin(&t->own);
    if (t->tree)
        t->over = engine_tree_run(t->tree, INFINITY, 1);
    else
        beside_run(&t->beside, t->effort);
    t->spent = turn_end(&before, &t->own);
    t->work = engine_work(&t->own) - before.work;
}

/* ---- its results ------------------------------------------------------------------ */

static void merge_bounds(const engine *own, engine *e)
{
    engine_raise(e, fmin(own->lower, engine_cutoff(e)));
    e->coarse_bound = fmax(e->coarse_bound, own->coarse_bound);
    engine_note_points(&e->points, &own->points);
    e->infeasible = e->infeasible || own->infeasible;
    e->failed = e->failed || own->failed;
}

static void merge_counts(const task *t, engine *e)
{
    e->result->nodes += t->result.nodes - t->nodes;
    e->result->lp_iterations += t->result.lp_iterations;
    e->result->cuts += t->result.cuts;
    engine_spend(e, t->effort, &t->spent);
}

void task_update_view(task *t, engine *view)
{
    engine_take_best(view, &t->own);
    merge_bounds(&t->own, view);
    merge_counts(t, view);
    beside_hand_over(&t->own, view, t->effort);
}

void task_update_proof(task *t, engine *e)
{
    const double lower = e->lower;
    bool better = false;
    engine_take_relaxed(e, &t->own);
    if (t->own.upper < e->upper)
        better = engine_offer(e, t->result.schedule, t->result.source);
    merge_bounds(&t->own, e);
    t->spent.successes = better || e->lower > lower;
    merge_counts(t, e);
    if (e->stop == BASE_GO && t->own.stop != BASE_STOP_WORK)
        e->stop = t->own.stop;
    if (t->tree)
        engine_tree_set_engine(t->tree, e);
}

void task_clear(task *t)
{
    exact_result_clear(&t->result); /* no guard frees it */
    pthread_mutex_destroy(&t->own.lock);
}

void task_free(task *t)
{
    if (!t)
        return;
    task_clear(t);
    schedule_free(t->own.relaxed);
    engine_points_clear(&t->own.points);
    base_free(t);
}
