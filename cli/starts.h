/* cli/starts: the schedules that a solve starts from, as --warm-start asks. */
#ifndef CLI_STARTS_H
#define CLI_STARTS_H

#include "baselines/baseline.h"
#include "cli/options.h"

/* Feasible schedules with the names of where they came from. */
typedef struct cli_starts {
    int count, capacity;
    schedule **schedule; /* extent count */
    char **name;         /* extent count */
    bool *owned;         /* extent count: the schedule is freed with the list */
} cli_starts;

/* The methods' options as the command line gave them. limits is kept by reference. */
baseline_options cli_baseline_options(const cli_options *options, const base_limits *limits);

/* Fills *starts for p, as far as the limits allow: none, one method's schedule, a file's, or those
 * of all cheap methods. A start that is not feasible for p is left out; log (may be NULL) gets a
 * line about each. 0, or -1 after a message for an unknown method or a file that is not a schedule
 * of p's graph. Clear in both cases. */
int cli_starts_make(const cli_options *options, const problem *p, const base_limits *limits,
                    FILE *log, cli_starts *starts);
/* A paragraph a baseline: name, what it is, citation, options. Free with base_free. */
char *cli_methods_text(void);
/* Adds s, which is borrowed. */
void cli_starts_add(cli_starts *starts, schedule *s, const char *name);
void cli_starts_clear(cli_starts *starts);

#endif
