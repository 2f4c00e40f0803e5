/* cli/record: the result of a method on a problem, in the columns that solve --json, compare and
 * sweep have in common; docs/formats.md explains them. */
#ifndef CLI_RECORD_H
#define CLI_RECORD_H

#include <jansson.h>

#include "cli/outcome.h"
#include "library/options.h"

/* All columns in their order, null where a figure is unknown or there is none. */
json_t *cli_record_json(const cli_options *options, const cli_outcome *row);

/* True if neither --json nor --csv replaces the table. */
bool cli_records_table(const cli_options *options);

/* Checks --json, --csv, --plot and --out before the work. 0, or -1 after a message. */
int cli_records_check(const cli_options *options);

/* Prints the rows with --json, in an object as the member `name`, or with --csv; draws --plot and
 * writes --out. 0, or -1 after a message.
 *
 * CSV has the columns of a record, RFC 4180: a header line, then a line a row; an empty field
 * stands for null. A text that begins with one of = + - @ stands behind an apostrophe, so that no
 * spreadsheet computes it. */
int cli_records_write(const cli_options *options, const cli_outcomes *list, const char *name);

#endif
