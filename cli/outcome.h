/* cli/outcome: the result of a method on a problem, as a row of a table, and its record, which has
 * the columns that solve --json, compare and sweep have in common; docs/formats.md explains them.
 */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include <jansson.h>

#include "baselines/baseline.h"
#include "exact/exact.h"
#include "library/options.h"

typedef struct cli_outcome {
    problem problem;
    graph *own;             /* a graph that is freed with the row; NULL: none */
    const graph *given;     /* the problem's, or in the order in which the user gave it */
    const char *method;     /* static text */
    const char *status;     /* "feasible", "none"; of the exact solver as exact_status_name */
    schedule *schedule;     /* NULL: none; owned */
    validation found;       /* of the schedule */
    int exit_status;        /* CLI_DONE; of the exact solver as cli_exact_exit */
    const char *stopped_by; /* static text: the limit that ended the method early; NULL: none did */
    double bound;           /* on the overhead, joules; NAN: the method gives none */
    /* Overheads in joules that the LP over the first windows cannot fall below, before and after
     * cuts: no bounds on schedules that leave the windows. NAN: none */
    double windows_bound, windows_bound_cuts;
    int64_t nodes, lp_iterations, cuts; /* -1: the method has none */
    double work, span;                  /* counted effort; NAN: the method has none */
    int64_t minimum_bytes;              /* no schedule fits into less; -1: unknown */
    double seconds, cpu_seconds;        /* seconds of the method: elapsed, and of all threads */
    char reason[1100];                  /* why there is no schedule, or a remark on it */
} cli_outcome;

/* A growing list. */
typedef struct cli_outcomes {
    int count, capacity;
    cli_outcome *row; /* extent count */
} cli_outcomes;

/* A new row for p at the end, without a schedule; valid until the next is added. Its graph is as
 * given. */
cli_outcome *cli_outcomes_add(cli_outcomes *list, const problem *p, const char *method);
void cli_outcomes_clear(cli_outcomes *list);

/* A row for p alone, without a schedule, in no list. */
cli_outcome cli_outcome_make(const problem *p, const char *method);

/* Fills in the result of the exact solver. Both have the schedule then; one of them owns it. */
void cli_outcome_describe(cli_outcome *row, const exact_result *result);

/* The clocks at the start of a method, and their difference entered in its row. */
typedef struct cli_clock {
    double seconds, cpu_seconds;
} cli_clock;
cli_clock cli_clock_start(void);
void cli_clock_stop(const cli_clock *started, cli_outcome *row);

/* Makes a row optimal if its schedule is within the gap of its bound. For rows with a bound or
 * schedule from another problem. Without a bound or a schedule nothing changes. */
void cli_outcome_settle(cli_outcome *row);

/* The overhead in percent of the base energy; NAN without one. */
double cli_outcome_percent(const cli_outcome *row);

/* "NETWORK on PLATFORM". */
base_shown cli_graph_words(const graph *g);
/* The problem in a line: network, platform, budget and deadline. */
void cli_outcome_print_problem(FILE *stream, const problem *p);
/* Lines of a table: the heading, then a row a method. */
void cli_outcome_print_heading(FILE *stream);
void cli_outcome_print(FILE *stream, const cli_outcome *row);

/* Lines of a table of one method at many budgets. */
void cli_outcome_print_budgets_heading(FILE *stream, const graph *g);
void cli_outcome_print_budget(FILE *stream, const cli_outcome *row);

/* Exit status that belongs to the result. */
int cli_exact_exit(const exact_result *result);
/* The answer of one run in sentences with units. */
void cli_exact_print(FILE *stream, const problem *p, const exact_result *result, double seconds);
/* Prints the work of each part of the search as a table; nothing if there was none. */
void cli_exact_print_profile(FILE *stream, const exact_result *result);

/* Writes the row's schedule, which must be there, as a schedule file. 0, or -1 after a message. */
int cli_outcome_write(const char *path, const cli_outcome *row);

/* ---- records (cli/record.c) -------------------------------------------------------- */

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
