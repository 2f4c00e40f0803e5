/* Schedules by annealing (heuristics/anneal.h): one walk that continues in each turn. Its moves
 * include chains from the first turn on, after some work, in which the gap is large. Once label
 * searches may begin and the gap is large, every second turn has new walks. They start from a
 * solution of a timeline, which may exceed the budget, or from the best schedule. The dear tensors
 * that stay in RAM in it stay there in the whole walk: cheap tensors are arranged anew around them.
 * If the best schedule pages, a walk without transfers, which has fewer ways to go, may find a
 * better one. */
#include "heuristics/anneal.h"

#include <math.h>

#include "exact/finder/anneal.h"
#include "exact/labels/polish.h"
#include "formulation/coarse_fate.h"

/* Matrices of a schedule. To make and validate one takes about as many steps as they have cells. */
enum { MATRICES = 5 };

/* Times in a turn that the best schedule of the walk is offered. */
enum { LOOKS = 8 };

struct annealing {
    anneal *walk;
    int turns; /* in which new walks may begin */
    int walks; /* begun in them */
};

/* Offers the best schedule of a walk if it beats the incumbent. */
static void offer_best(engine *e, anneal *a, const char *source)
{
    if (anneal_joules(a) * e->scale < e->upper) {
        schedule *s = anneal_best(a);
        engine_offer(e, s, source);
        schedule_free(s);
    }
}

/* Continues a walk for about `work` steps. On large graphs a schedule takes longer to make than a
 * slice of the walk. There it is made only at the end. */
static void walk_on(engine *e, anneal *a, double work)
{
    const double n = e->p->graph->n, end = (double)base_work_done() + work, slice = work / LOOKS;
    const bool large = MATRICES * n * n > slice;
    double left;
    while (!engine_done(e) && anneal_joules(a) > 0 && (left = end - (double)base_work_done()) > 0) {
        anneal_run(a, fmin(left, slice));
        if (!large)
            offer_best(e, a, "annealing");
    }
    offer_best(e, a, "annealing");
}

/* ---- walks around kept tensors ------------------------------------------------------ */

/* True if s neither computes i again nor pages it in. */
static bool stays(const schedule *s, int i)
{
    bool stays = true;
    for (int t = i + 1; t < s->n && stays; t++)
        stays = !s->R[schedule_cell(s, t, i)] && !s->In[schedule_cell(s, t, i)];
    return stays;
}

void engine_note_relaxed(engine *e, const schedule *s, double bound)
{
    if (e->parent || bound < e->relaxed_bound || !engine_may_polish(e))
        return;
    if (e->relaxed)
        schedule_assign(e->relaxed, s);
    else
        e->relaxed = schedule_copy(s);
    e->relaxed_bound = bound;
}

void engine_take_relaxed(engine *e, const engine *from)
{
    if (from->relaxed && from->relaxed_bound > e->relaxed_bound)
        engine_note_relaxed(e, from->relaxed, from->relaxed_bound);
}

/* A new walk on p, which is a restriction of the problem, from s; NULL: from nothing. */
static void walk_new(engine *e, const problem *p, const schedule *s, double work)
{
    anneal *a = anneal_create(p, &engine_tuning(e)->heuristics,
                              e->params->seed + (uint64_t)++e->anneal->walks);
    if (s)
        anneal_quench(a, s, 0);
    walk_on(e, a, work);
    anneal_free(a);
}

/* A new walk that starts from s and in which the dear tensors that stay in RAM in s stay there. The
 * walk may replace s if that is the best schedule. */
static void walk_around(engine *e, const schedule *s, double work)
{
    graph g = *e->p->graph;
    problem p = *e->p;
    const double dear = engine_tuning(e)->cases_dear * e->upper / e->scale;
    g.pin = base_copy(g.pin, (size_t)g.n, sizeof *g.pin);
    base_work_count((size_t)g.n * (size_t)g.n);
    for (int i = 0; i < g.n; i++)
        if (coarse_away_joules(e->p, i) >= dear && stays(s, i))
            g.pin[i] |= GRAPH_NO_RECOMPUTE | GRAPH_NO_PAGE;
    p.graph = &g;
    walk_new(e, &p, s, work);
    base_free(g.pin);
}

static void walk_unpaged(engine *e, double work)
{
    problem p = *e->p;
    p.allow_paging = false;
    walk_new(e, &p, NULL, work);
}

/* New walks: without transfers, if the best schedule has any; around the timeline's solution, if
 * there is one; around the best schedule. */
static void walk_anew(engine *e, double work)
{
    if (e->p->allow_remat && e->result->validation.pagein_count > 0) {
        work /= 2;
        walk_unpaged(e, work);
    }
    if (e->relaxed && !engine_done(e)) {
        work /= 2;
        walk_around(e, e->relaxed, work);
    }
    if (!engine_done(e))
        walk_around(e, e->result->schedule, work);
}

/* ---- turns ---------------------------------------------------------------------- */

void engine_anneal(engine *e, double work)
{
    if (!e->anneal) {
        e->anneal = base_calloc(1, sizeof *e->anneal);
        e->anneal->walk = anneal_create(e->p, &engine_tuning(e)->heuristics, e->params->seed);
    }
    work = fmin(work, engine_work_left(e));
    const exact_tuning *t = engine_tuning(e);
    const bool far = !engine_is_within(e, e->lower, t->near_gap);
    if (far && engine_work(e) > t->least_slice)
        anneal_allow_chains(e->anneal->walk);
    const bool may = far && isfinite(e->upper) && engine_may_polish(e) && engine_polish_due(e);
    if (may && e->anneal->turns++ % 2 == 0)
        walk_anew(e, work);
    else
        walk_on(e, e->anneal->walk, work);
}

void engine_quench(engine *e, const schedule *s, double work, const char *source)
{
    anneal *a = anneal_create(e->p, &engine_tuning(e)->heuristics, e->params->seed);
    anneal_quench(a, s, fmin(work, engine_work_left(e)));
    offer_best(e, a, source);
    anneal_free(a);
}

bool engine_anneal_left(const engine *e)
{
    const exact_tuning *t = engine_tuning(e);
    return e->params->heuristics && (t->anneal_effort > 0 || t->anneal_quick > 0) &&
           (e->p->allow_remat || e->p->allow_paging) &&
           (!e->anneal || anneal_joules(e->anneal->walk) > 0);
}

void engine_anneal_clear(engine *e)
{
    if (e->anneal)
        anneal_free(e->anneal->walk);
    base_free(e->anneal);
    e->anneal = NULL;
}
