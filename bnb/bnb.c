/* Parameters, names of statuses, and functions on models and results. */
#include "bnb/bnb.h"

#include <limits.h>
#include <math.h>

#define RECORD bnb_tuning

bnb_tuning bnb_tuning_default(void)
{
    return (bnb_tuning){BNB_PARAMETERS(PARAMS_INITIAL)};
}

static const params_entry entries[] = {BNB_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
const params_table bnb_parameters = {"bnb", entries};

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
                        .cutoff = LP_INFINITY,
                        .node_limit = LONG_MAX,
                        .seed = 1,
                        .feasibility = 1e-6,
                        .lp = lp_tuning_default(),
                        .tuning = bnb_tuning_default()};
}

double bnb_least_cost(const lp_model *m)
{
    double least = LP_INFINITY;
    for (int j = 0; j < m->cols; j++)
        if (m->cost[j] != 0.0)
            least = fmin(least, fabs(m->cost[j]));
    return least < LP_INFINITY ? least : 0.0;
}

double bnb_gap_unit(double objective, double least_cost)
{
    static const double counts_as_zero = 1e-9;
    const double size = fabs(objective);
    return size < counts_as_zero * least_cost ? least_cost : size;
}

void bnb_result_clear(bnb_result *r)
{
    base_free(r->x);
    r->x = NULL;
    r->has_solution = false;
}
