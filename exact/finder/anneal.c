/* Schedules by annealing (heuristics/anneal.h): one walk that continues in each turn. */
#include "heuristics/anneal.h"

#include <math.h>

#include "exact/finder/anneal.h"

/* Matrices of a schedule. To make and validate one takes about as many steps as they have cells. */
enum { MATRICES = 5 };

/* Times in a turn that the best schedule of the walk is offered. */
enum { LOOKS = 8 };

/* Offers the best schedule of a walk if it beats the incumbent. */
static void offer_best(engine *e, anneal *a, const char *source)
{
    if (anneal_joules(a) * e->scale < e->upper) {
        schedule *s = anneal_best(a);
        engine_offer(e, s, source);
        schedule_free(s);
    }
}

/* On large graphs a schedule takes longer to make than a slice of the walk. There it is made only
 * at the end. */
void engine_anneal(engine *e, double work)
{
    const double n = e->p->graph->n;
    if (!e->anneal)
        e->anneal = anneal_create(e->p, &engine_tuning(e)->heuristics, e->params->seed);
    work = fmin(work, engine_work_left(e));
    const double end = (double)base_work_done() + work;
    const double slice = work / LOOKS;
    const bool large = MATRICES * n * n > slice;
    double left;
    while (!engine_done(e) && anneal_joules(e->anneal) > 0 &&
           (left = end - (double)base_work_done()) > 0) {
        anneal_run(e->anneal, fmin(left, slice));
        if (!large)
            offer_best(e, e->anneal, "annealing");
    }
    offer_best(e, e->anneal, "annealing");
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
           (!e->anneal || anneal_joules(e->anneal) > 0);
}

void engine_anneal_clear(engine *e)
{
    anneal_free(e->anneal);
    e->anneal = NULL;
}
