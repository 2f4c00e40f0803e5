/* library/settings: the settings of poetbnb_set, which are the options of `poetbnb solve` except
 * the files of the command line. A test compares both. */
#ifndef LIBRARY_SETTINGS_H
#define LIBRARY_SETTINGS_H

#include "base/number.h"
#include "exact/exact.h"
#include "library/poetbnb.h"

/* Texts are owned; NULL: as initially. */
typedef struct library_settings {
    char *ram_budget; /* NULL: not set yet */
    base_amount ram;  /* ram_budget as an amount */
    bool least;       /* ram_budget is "min"; ram is unset */
    double runtime_budget, gap, time_limit, work_limit;
    int64_t seed, node_limit, memory_limit, threads, max_computations;
    char *charge_pagein, *order, *trust, *warm_start, *with, *without, *certificate;
    exact_tuning tuning; /* after all of "set" */
    bool paging, remat, deadline_includes_paging, heuristics, verbose;
} library_settings;

/* All at their initial values. Takes memory: in a step. */
void library_settings_init(library_settings *s);
void library_settings_clear(library_settings *s);
/* As poetbnb_set. Takes memory. */
int library_settings_set(library_settings *s, const char *name, const char *value,
                         base_error *error);

/* The problem on g. The graph is borrowed. 0, or -1 with an error: no budget, or too large a one.
 */
int library_settings_problem(const library_settings *s, const graph *g, problem *p,
                             base_error *error);

#endif
