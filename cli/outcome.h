/* cli/outcome: what a method achieved on a problem, as a row of a table, of CSV and of
 * JSON; for compare and sweep. */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include <jansson.h>

#include "baselines/baseline.h"
#include "exact/exact.h"

typedef struct cli_outcome {
    problem problem;
    const char *method; /* static text */
    const char *status; /* "feasible", "none"; of the exact solver as cli_exact_status */
    schedule *schedule; /* NULL: none; owned */
    validation found;   /* of the schedule */
    int exit_status;    /* CLI_DONE; of the exact solver as cli_exact_exit */
    double bound;       /* on the overhead, joules; NAN: the method gives none */
    double seconds;     /* what the method took */
    char reason[1100];  /* why there is no schedule, or a remark on it */
} cli_outcome;

/* A growing list. */
typedef struct cli_outcomes {
    int count, capacity;
    cli_outcome *row; /* extent count */
} cli_outcomes;

/* A new row for p at the end, without a schedule; valid until the next is added. */
cli_outcome *cli_outcomes_add(cli_outcomes *list, const problem *p, const char *method);
void cli_outcomes_clear(cli_outcomes *list);

/* Takes what the exact solver found: the schedule is moved. */
void cli_outcome_take(cli_outcome *row, exact_result *result);

/* Lines of a table; the heading of one problem, then a row a method. */
void cli_outcome_print_heading(FILE *stream, const problem *p);
void cli_outcome_print(FILE *stream, const cli_outcome *row);

/* Lines of a table of one method at many budgets. */
void cli_outcome_print_budgets_heading(FILE *stream, const graph *g);
void cli_outcome_print_budget(FILE *stream, const cli_outcome *row);

/* Comma-separated values, RFC 4180: a header line, then a line a row. A text that begins with one
 * of = + - @ stands behind an apostrophe, so that no spreadsheet computes it. */
void cli_outcomes_csv(FILE *stream, const cli_outcomes *list);

/* Has at least method, feasible (null: unknown), overhead_joules, peak_bytes,
 * compute_seconds, recompute_count, pagein_count, pageout_count and reason. */
json_t *cli_outcome_json(const cli_outcome *row);

#endif
