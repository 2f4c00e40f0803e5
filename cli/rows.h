/* cli/rows: `solve --check-rows': the rows of the model against a schedule that is known to be
 * good. */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "cli/options.h"
#include "problem/graph.h"

/* Reads the schedule file of --check-rows, which must be valid for p, checks all rows of the
 * models with these features (formulation/check.h), and prints the broken ones. Returns the exit
 * status: CLI_DONE, CLI_CHECK_FAILED if a row is broken, CLI_BAD_INPUT after a message. */
int cli_rows_check(const cli_options *options, const problem *p, unsigned features);

#endif
