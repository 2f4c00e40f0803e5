/* Simulated annealing on the intervals in which tensors are in RAM (heuristics/anneal.h), after
 * Jiang et al.: FastSA, NeurIPS 2023: schedules over the budget are passed through at a price. Two
 * things are otherwise than in FastSA: the order of the nodes stays as it is, and pages are moved
 * beside recomputation.
 *
 * It plans for the whole problem, with deadline, --no-paging and --no-remat, since all of it enters
 * each move. For about WORK_PER_NODE steps of work for each node; at a limit the best schedule so
 * far counts. */
#include "heuristics/anneal.h"

#include <math.h>

#include "baselines/methods.h"
#include "baselines/policy.h"

enum { WORK_PER_NODE = 500000, SLICE = 10000000 };

schedule *baseline_anneal(const problem *p, const baseline_options *o, char reason[BASELINE_REASON])
{
    double left = (double)WORK_PER_NODE * p->graph->n;
    const heuristic_tuning tuning = heuristic_tuning_default();
    anneal *a = anneal_create(p, &tuning, o->seed);
    bool stopped = false;
    while (left > 0 && anneal_joules(a) > 0 && !(stopped = policy_stopped(o, reason))) {
        const double before = (double)base_work_done();
        anneal_run(a, fmin(left, SLICE));
        left -= (double)base_work_done() - before;
    }
    schedule *s = anneal_best(a);
    if (!s && !stopped)
        snprintf(reason, BASELINE_REASON, "no schedule within the budget was found");
    anneal_free(a);
    return s ? policy_accept(p, s, reason) : NULL;
}
