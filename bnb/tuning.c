/* The parameters of the branch and bound: default values, and the table for the command line. */
#include "bnb/tuning.h"

#define RECORD bnb_tuning

bnb_tuning bnb_tuning_default(void)
{
    return (bnb_tuning){BNB_PARAMETERS(PARAMS_INITIAL)};
}

static const params_entry entries[] = {BNB_PARAMETERS(PARAMS_ENTRY) PARAMS_END};
const params_table bnb_parameters = {"bnb", entries};
