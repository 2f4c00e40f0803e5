/* The tree of a coarse timeline, and schedules from its solutions. */
#include "exact/timeline/timeline.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/cells/tree.h"
#include "exact/finder/anneal.h"
#include "exact/log.h"
#include "formulation/coarse_fate.h"

static bool may_quench(const engine *e)
{
    return e->params->heuristics && base_limits_check(&e->params->limits) == BASE_GO &&
           engine_work_left(e) > 0;
}

void timeline_offer(const timeline *l)
{
    schedule *s = coarse_schedule(l->c, l->x);
    engine_note_relaxed(l->e, s, bnb_so_far(l->search).bound);
    engine_offer(l->e, s, "coarse timeline");
    schedule_free(s);
}

static void store_solution(void *user, const double *x, double objective, const char *source)
{
    timeline *l = user;
    (void)objective;
    (void)source;
    if (!l->e->params->proof) /* raises the bound first: memory may run out for the schedule */
        engine_raise(l->e, fmin(bnb_so_far(l->search).bound, engine_cutoff(l->e)));
    memcpy(l->x, x, (size_t)l->c->model->cols * sizeof *l->x);
    l->solved = l->fresh = true;
    timeline_offer(l);
}

void timeline_quench(timeline *l, double spent)
{
    enum { PART = 4 };
    engine *e = l->e;
    const double work = engine_tuning(e)->anneal_quick * e->p->graph->n;
    if (!l->fresh || !may_quench(e) || PART * work > spent ||
        engine_is_within(e, l->bound, engine_tuning(e)->near_gap))
        return;
    l->fresh = false;
    schedule *s = coarse_schedule(l->c, l->x);
    if (schedule_validate(e->p, s, NULL, NULL) != 0)
        engine_quench(e, s, work, "coarse timeline");
    schedule_free(s);
}

static void report_progress(void *user, const bnb_progress *now)
{
    engine_log_progress(((const timeline *)user)->e, EFFORT_COARSE, now);
}

/* ---- the tree ------------------------------------------------------------------- */

timeline *timeline_open(engine *e, const int *point, int points)
{
    bnb_params params = engine_turn_params(e);
    params.threads = 1;                            /* the trees are small */
    params.gap_relative = 0.5 * EXACT_OPTIMAL_GAP; /* for solutions, which may not be schedules */
    timeline *l = base_malloc(1, sizeof *l);
    *l = (timeline){.e = e, .bound = -INFINITY};
    l->c = coarse_build(e->p, e->features, point, points, e->scale);
    if (e->fate)
        coarse_add_fates(l->c, e->fate, e->scale, NULL);
    l->x = base_malloc((size_t)l->c->model->cols + 1, sizeof *l->x);
    l->listener = engine_proof(e)->timeline(engine_proof(e)->user, l->c);
    params.proof = l->listener.tree;
    l->callbacks =
        (bnb_callbacks){.user = l, .incumbent = store_solution, .progress = report_progress};
    l->search = bnb_open(l->c->model, &params, &l->callbacks);
    e->row.columns = l->c->model->cols;
    return l;
}

void timeline_close(timeline *l)
{
    if (!l)
        return;
    const exact_proof *proof = engine_proof(l->e);
    if (l->listener.tree && !l->closed && l->bound >= l->e->lower) /* may close the gap */
        l->closed = engine_record_leaves(l->e, l->search, l->bound);
    bnb_result r = bnb_close(l->search);
    bnb_result_clear(&r);
    proof->timeline_ended(proof->user, l->listener, l->closed ? l->bound : -INFINITY);
    coarse_free(l->c);
    base_free(l->x);
    base_free(l);
}

double timeline_run(timeline *l, double work)
{
    engine *e = l->e;
    const double before = engine_work(e), cutoff = engine_cutoff(e);
    bnb_lower_cutoff(l->search, engine_tree_cutoff(e));
    const bnb_status status = engine_run(e, l->search, work, LONG_MAX);
    l->bound = fmin(status == BNB_INFEASIBLE ? cutoff : bnb_so_far(l->search).bound, cutoff);
    l->ended = status != BNB_LIMIT_WORK;
    l->closed = status == BNB_OPTIMAL || status == BNB_INFEASIBLE;
    e->infeasible = isinf(l->bound) && l->bound > 0;
    e->failed = e->failed || status == BNB_UNBOUNDED;
    engine_raise(e, l->bound);
    e->coarse_bound = fmax(e->coarse_bound, l->bound);
    const double spent = engine_work(e) - before;
    l->spent += spent;
    return spent;
}
