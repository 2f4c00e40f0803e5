/* Simulated annealing on the intervals in which tensors are in RAM (heuristics/anneal.h), after
 * Jiang et al.: FastSA, NeurIPS 2023. Schedules over the budget are allowed and pay a price for
 * each byte. Two things differ from FastSA: the order of the nodes is fixed, and a tensor may also
 * leave RAM by paging.
 *
 * Each move respects the deadline, --no-paging and --no-remat. The walk takes about WORK_PER_NODE
 * steps of work a node. At a limit the best schedule so far is the result. */
#include "heuristics/anneal.h"

#include <math.h>

#include "baselines/policy.h"

enum { WORK_PER_NODE = 500000, SLICE = 10000000 };

schedule *baseline_anneal(const problem *p, const baseline_options *o, int variant,
                          char reason[BASELINE_REASON])
{
    (void)variant;
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
