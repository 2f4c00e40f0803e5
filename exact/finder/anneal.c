/* Schedules by annealing (heuristics/anneal.h): one walk that continues in each turn. Once label
 * searches may begin and the gap is large, every second turn is a new walk in which the dear
 * tensors that the best schedule keeps in RAM stay there: cheap tensors are then arranged anew
 * around them. */
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
    int turns; /* in which a new walk may begin */
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

/* True if s computes i again or pages it in. */
static bool is_away(const schedule *s, int i)
{
    bool away = false;
    for (int t = i + 1; t < s->n && !away; t++)
        away = s->R[schedule_cell(s, t, i)] || s->In[schedule_cell(s, t, i)];
    return away;
}

/* A new walk around the dear tensors that the incumbent keeps. */
static void walk_around(engine *e, double work)
{
    graph g = *e->p->graph;
    problem p = *e->p;
    const double dear = engine_tuning(e)->cases_dear * e->upper / e->scale;
    g.pin = base_copy(g.pin, (size_t)g.n, sizeof *g.pin);
    for (int i = 0; i < g.n; i++)
        if (coarse_away_joules(e->p, i) >= dear && !is_away(e->result->schedule, i))
            g.pin[i] |= GRAPH_NO_RECOMPUTE | GRAPH_NO_PAGE;
    p.graph = &g;
    base_work_count((size_t)g.n * (size_t)g.n);
    anneal *a = anneal_create(&p, &engine_tuning(e)->heuristics,
                              e->params->seed + (uint64_t)e->anneal->turns);
    walk_on(e, a, work);
    anneal_free(a);
    base_free(g.pin);
}

void engine_anneal(engine *e, double work)
{
    if (!e->anneal) {
        e->anneal = base_calloc(1, sizeof *e->anneal);
        e->anneal->walk = anneal_create(e->p, &engine_tuning(e)->heuristics, e->params->seed);
    }
    work = fmin(work, engine_work_left(e));
    const exact_tuning *t = engine_tuning(e);
    const bool may = engine_may_polish(e) && isfinite(e->upper) &&
                     e->lower < (1 - t->near_gap) * e->upper && engine_work(e) > t->labels_begin;
    if (may && e->anneal->turns++ % 2 == 0)
        walk_around(e, work);
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
