/* cli/report: measured figures as text with units and as members of a JSON object. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "problem/schedule.h"

/* A number for JSON: null when it is not finite. */
json_t *cli_json_real(double value);

/* Cleans a text for JSON: invalid UTF-8, as in paths and truncated texts, is replaced. */
json_t *cli_json_text(const char *text);

/* Prints the object and a line end on standard output and frees it. Every number is the shortest
 * that reads as its value. */
void cli_json_print(json_t *object);

/* A column of a printed table: its heading, and the member of the records that it shows; "range":
 * their members "least" and "most". */
typedef struct cli_column {
    const char *heading, *member;
} cli_column;

/* Prints an array of records as an aligned Markdown table under its title, and frees it. At most
 * six columns. */
void cli_table_print(const char *title, json_t *records, const cli_column *columns, int count);

/* "1232916 bytes (1.18 MiB)". */
base_counted cli_format_bytes(int64_t bytes);

/* The graph's checksum as "fnv:" and 16 digits. */
base_counted cli_format_checksum(const graph *g);

/* Sets energy_joules, overhead_joules, base_joules, peak_bytes, ram_budget_bytes,
 * compute_seconds, transfer_seconds, deadline_seconds, recompute_count, pagein_count and
 * pageout_count. */
void cli_report_measures(json_t *object, const problem *p, const validation *v);

/* The same as lines of text. */
void cli_report_print_measures(FILE *stream, const problem *p, const validation *v);

#endif
