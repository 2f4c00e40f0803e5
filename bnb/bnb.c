/* Statuses, parameters and results: names, defaults, disposal. */
#include "bnb/bnb.h"

#include <limits.h>

static const char *const status_names[] = {"optimal",     "infeasible",        "unbounded",
                                           "time limit",  "node limit",        "memory limit",
                                           "interrupted", "numerical trouble", "work limit"};

const char *bnb_status_name(bnb_status status)
{
    return status_names[status];
}

bnb_params bnb_params_default(void)
{
    return (bnb_params){.threads = 1,
                        .gap_relative = 1e-9,
                        .gap_absolute = 1e-9,
                        .cutoff = LP_INFINITY,
                        .integrality = 1e-6,
                        .node_limit = LONG_MAX,
                        .seed = 1,
                        .feasibility = 1e-6,
                        .lp = lp_tuning_default(),
                        .tuning = bnb_tuning_default()};
}

void bnb_result_clear(bnb_result *r)
{
    base_free(r->x);
    r->x = NULL;
    r->has_solution = false;
}
