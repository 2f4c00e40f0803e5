/* Schedules by annealing (heuristics/anneal.h): a walk that goes on whenever it has its turn. */
#include "heuristics/anneal.h"

#include <math.h>

#include "exact/engine.h"

void engine_anneal(engine *e, double work)
{
    if (!e->anneal)
        e->anneal = anneal_create(e->p, &engine_tuning(e)->heuristics, e->params->seed);
    work = fmin(work, engine_work_left(e));
    const double end = (double)base_work_done() + work;
    const double slice = work / engine_tuning(e)->anneal_looks;
    double left;
    while (!engine_done(e) && (left = end - (double)base_work_done()) > 0) {
        anneal_run(e->anneal, fmin(left, slice));
        if (anneal_joules(e->anneal) * e->scale < e->upper) {
            schedule *s = anneal_best(e->anneal);
            engine_offer(e, s, "annealing");
            schedule_free(s);
        }
    }
}

bool engine_anneal_left(const engine *e)
{
    return e->params->heuristics && (e->p->allow_remat || e->p->allow_paging) &&
           (!e->anneal || anneal_joules(e->anneal) > 0);
}

void engine_anneal_clear(engine *e)
{
    anneal_free(e->anneal);
    e->anneal = NULL;
}
