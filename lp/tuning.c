/* The parameters of the simplex: defaults, and the table that the command line reads. */
#include "lp/tuning.h"

#define RECORD lp_tuning

lp_tuning lp_tuning_default(void)
{
    return (lp_tuning){LP_PARAMETERS(PARAMS_INITIAL)};
}

static const params_entry entries[] = {LP_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
const params_table lp_parameters = {"lp", entries};
