/* Names of results, and their release. */
#include <math.h>

#include "exact/exact.h"

const char *exact_status_name(const exact_result *result)
{
    switch (result->status) {
    case EXACT_OPTIMAL:
        return "optimal";
    case EXACT_WITHIN_GAP:
        return "within gap";
    case EXACT_INFEASIBLE:
        return "infeasible";
    case EXACT_LIMIT:
        return result->schedule ? "feasible" : "unknown";
    case EXACT_FAILED:
        break;
    }
    return "failed";
}

const char *exact_stop_name(const exact_result *result)
{
    if (result->stop != BASE_GO)
        return base_stop_name(result->stop);
    return result->unproven ? "numerical trouble" : "node limit";
}

double exact_gap(double overhead_joules, double bound_joules)
{
    if (isnan(bound_joules))
        return NAN;
    const double bound = fmax(bound_joules, 0);
    return bound >= overhead_joules ? 0 : (overhead_joules - bound) / overhead_joules;
}

const char *exact_effort_name(exact_effort effort)
{
    static const char *const names[] = {
#define EXACT_EFFORT(name, text) text,
        EXACT_EFFORTS(EXACT_EFFORT)
#undef EXACT_EFFORT
    };
    return names[effort];
}

void exact_result_clear(exact_result *result)
{
    schedule_free(result->schedule);
    base_free(result->incumbent);
    base_free(result->bound);
    *result = (exact_result){0};
}
