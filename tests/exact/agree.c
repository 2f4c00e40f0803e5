#include "tests/exact/agree.h"

#include <math.h>

exact_params agree_params(void)
{
    exact_params params = exact_params_default();
    params.heuristics = false;
    return params;
}

static const char *judge(const problem *p, const exact_result *r, const oracle_result *oracle)
{
    if (!oracle->feasible)
        return r->status != EXACT_INFEASIBLE     ? "feasible, says exact_solve, but it is not"
               : r->schedule                     ? "infeasible with a schedule"
               : r->infeasible_reason[0] == '\0' ? "infeasible without a reason"
                                                 : NULL;
    if (r->status == EXACT_INFEASIBLE)
        return "infeasible, says exact_solve, but it is not";
    if (r->status != EXACT_OPTIMAL || !r->schedule)
        return "not solved";
    double tolerance = 1e-8 * (1 + oracle->overhead_joules);
    if (schedule_validate(p, r->schedule, NULL, NULL))
        return "the schedule is not valid";
    if (r->validation.overhead_joules > oracle->overhead_joules + tolerance)
        return "the optimum is cut off";
    if (r->validation.overhead_joules < oracle->overhead_joules - tolerance)
        return "better than the oracle";
    if (r->bound_overhead_joules > r->validation.overhead_joules)
        return "the bound lies above the schedule";
    if (r->bound_overhead_joules < oracle->overhead_joules - tolerance)
        return "the bound lies too far below the schedule";
    return NULL;
}

const char *agree_fault(const problem *p, const exact_params *params, const oracle_result *oracle)
{
    size_t held = base_memory_used();
    exact_result r = exact_solve(p, params);
    const char *fault = judge(p, &r, oracle);
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
