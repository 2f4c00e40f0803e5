/* Parameters and statuses of the simplex: defaults, names. */
#include <assert.h>
#include <limits.h>
#include <math.h>

#include "lp/simplex.h"

#define RECORD lp_tuning

lp_tuning lp_tuning_default(void)
{
    return (lp_tuning){LP_PARAMETERS(PARAMS_INITIAL)};
}

static const params_entry entries[] = {LP_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
const params_table lp_parameters = {"lp", entries};

const char *lp_status_name(lp_status status)
{
    static const char *const names[] = {"unsolved",   "optimal",          "infeasible",
                                        "unbounded",  "cutoff",           "iteration limit",
                                        "time limit", "memory limit",     "interrupted",
                                        "work limit", "numerical trouble"};
    assert((size_t)status < sizeof names / sizeof *names);
    return names[status];
}

lp_params lp_params_default(void)
{
    return (lp_params){.cutoff = INFINITY,
                       .iteration_limit = LONG_MAX,
                       .scale = true,
                       .seed = 1,
                       .tuning = lp_tuning_default()};
}
