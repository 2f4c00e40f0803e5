/* The parameters of the exact solver and of the rooms below it: defaults, and the table that the
 * command line reads. */
#include "exact/tuning.h"

#define RECORD exact_tuning

exact_tuning exact_tuning_default(void)
{
    return (exact_tuning){.lp = lp_tuning_default(),
                          .bnb = bnb_tuning_default(),
                          .heuristics = heuristic_tuning_default(),
                          EXACT_PARAMETERS(PARAMS_INITIAL)};
}

static const params_entry entries[] = {EXACT_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
const params_table exact_parameters = {"exact", entries};
