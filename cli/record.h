/* cli/record: the result of a method on a problem, in the columns that solve --json, compare and
 * sweep have in common; docs/formats.md explains them. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <jansson.h>

#include "cli/options.h"
#include "cli/outcome.h"

/* All columns in their order, null where a figure is unknown or there is none. */
json_t *cli_record_json(const cli_options *options, const cli_outcome *row);

/* An array of records. */
json_t *cli_records_json(const cli_options *options, const cli_outcomes *list);

/* The same columns as comma-separated values, RFC 4180: a header line, then a line a row; nothing
 * stands for null. A text that begins with one of = + - @ stands behind an apostrophe, so that no
 * spreadsheet computes it. */
void cli_records_csv(FILE *stream, const cli_options *options, const cli_outcomes *list);

#endif
