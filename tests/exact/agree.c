#include "tests/exact/agree.h"

#include <math.h>

exact_params agree_params(void)
{
    exact_params params = exact_params_default();
    params.heuristics = false;
    return params;
}

static const char *judge(const problem *p, const exact_result *r, const oracle_result *oracle,
                         double gap)
{
    if (!oracle->feasible)
        return r->status != EXACT_INFEASIBLE     ? "feasible, says exact_solve, but it is not"
               : r->schedule                     ? "infeasible with a schedule"
               : r->infeasible_reason[0] == '\0' ? "infeasible without a reason"
                                                 : NULL;
    if (r->status == EXACT_INFEASIBLE)
        return "infeasible, says exact_solve, but it is not";
    if ((r->status != EXACT_OPTIMAL && r->status != EXACT_WITHIN_GAP) || !r->schedule)
        return "not solved";
    if (r->status == EXACT_WITHIN_GAP && gap <= EXACT_OPTIMAL_GAP)
        return "within a gap that was not asked for";
    double optimum = oracle->overhead_joules, overhead = r->validation.overhead_joules;
    double tolerance = 1.5 * EXACT_OPTIMAL_GAP * optimum, bound = r->bound_overhead_joules;
    if (schedule_validate(p, r->schedule, NULL, NULL))
        return "the schedule is not valid";
    if (r->status == EXACT_OPTIMAL && overhead > optimum + tolerance)
        return "the optimum is cut off";
    if (overhead < optimum - tolerance)
        return "better than the oracle";
    if (bound > overhead || bound > optimum + tolerance)
        return "the bound lies above the optimum";
    if (r->status == EXACT_OPTIMAL && bound < optimum - tolerance)
        return "the bound lies too far below the schedule";
    if (bound < overhead * (1 - gap) - tolerance)
        return "not within the gap";
    return NULL;
}

const char *agree_fault(const problem *p, const exact_params *params, const oracle_result *oracle)
{
    size_t held = base_memory_used();
    exact_result r = exact_solve(p, params);
    const char *fault = judge(p, &r, oracle, params->gap_relative);
    exact_result_clear(&r);
    if (!fault && base_memory_used() != held)
        fault = "memory is left behind";
    return fault;
}

bool agree_fails(const problem *p, void *params)
{
    if (p->graph->n > ORACLE_MAX_NODES)
        return false;
    oracle_result oracle = oracle_solve(p);
    const char *fault = agree_fault(p, params, &oracle);
    schedule_free(oracle.schedule);
    return fault != NULL;
}
