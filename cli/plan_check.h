/* cli/plan_check: the part of `poetbnb check' that judges plans. */
#ifndef CLI_PLAN_CHECK_H
#define CLI_PLAN_CHECK_H

#include "cli/options.h"

/* Executes the plan in the text of options->file on a simulated memory and prints the result. The
 * graph is in the file or comes from --graph. Returns the exit status. */
int cli_plan_check(const cli_options *options, const char *text, size_t size);

#endif
