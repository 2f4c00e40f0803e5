/* The parameters of annealing: their defaults, and the table that the command line reads.
 * */
#include "heuristics/tuning.h"

#define RECORD heuristic_tuning

heuristic_tuning heuristic_tuning_default(void)
{
    return (heuristic_tuning){HEURISTIC_PARAMETERS(PARAMS_INITIAL)};
}

static const params_entry entries[] = {HEURISTIC_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
const params_table heuristic_parameters = {"heuristics", entries};
