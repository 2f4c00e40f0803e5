/* baselines/starts: schedules for an exact solver to start from. */
#ifndef BASELINES_STARTS_H
#define BASELINES_STARTS_H

#include <stdio.h>

#include "baselines/baseline.h"

/* Feasible schedules, each with the name of its origin. */
typedef struct baseline_starts {
    int count, capacity;
    schedule **schedule; /* extent count */
    char **name;         /* extent count */
    bool *owned;         /* extent count: the schedule is freed with the list */
} baseline_starts;

/* Fills *starts for p, as far as how->limits allow. words is a list with commas: "auto" (all
 * methods of at most BASELINE_SWEEP), "none", the name of a method, or a schedule file. A single
 * file may have commas in its name. Starts that are not feasible for p are left out. log (may be
 * NULL) gets a line for each start; for the methods of "auto" without a schedule only with
 * log_failures. Returns 0, or -1 with an error for an unknown method or a file that is no schedule
 * of p's graph. Clear *starts in both cases. */
int baseline_starts_make(const char *words, const problem *p, const baseline_options *how,
                         FILE *log, bool log_failures, baseline_starts *starts, base_error *error);
/* Checks the words before the work: returns 0, or -1 with the error that baseline_starts_make
 * would give. Files that can be read only once are not opened. */
int baseline_starts_check(const char *words, const graph *g, base_error *error);
/* Adds s, which is borrowed. */
void baseline_starts_add(baseline_starts *starts, schedule *s, const char *name);
void baseline_starts_clear(baseline_starts *starts);

#endif
