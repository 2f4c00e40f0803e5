/* One coarse timeline (formulation/coarse.h) and its tree: a bound, and schedules from its
 * solutions. Part of the coarse search (exact/timeline/coarse.c); not for others. */
#ifndef EXACT_TIMELINE_H
#define EXACT_TIMELINE_H

#include "exact/engine.h"
#include "formulation/coarse.h"

typedef struct timeline {
    engine *e; /* engine of the current turn */
    coarse *c;
    double *x; /* best solution, extent columns of c; valid if `solved` */
    bool solved, ended;
    bool fresh;  /* x is newer than the last quench */
    bool closed; /* ended, with no open node below the bound */
    exact_timeline listener;
    bnb_callbacks callbacks;
    bnb_search *search;
    double bound, spent; /* bound in model units, and the steps spent */
} timeline;

/* Opens a timeline with these points, in ascending order. */
timeline *timeline_open(engine *e, const int *point, int points);
void timeline_close(timeline *l); /* NULL allowed */

/* Continues the tree for about `work` steps. Returns the steps taken. */
double timeline_run(timeline *l, double work);

/* Offers the schedule of the best solution, which may exceed the budget. */
void timeline_offer(const timeline *l);

/* If the best solution exceeds the budget, repairs it by a short annealing walk. Skips the walk if
 * it costs much of `spent`, the steps of all timelines. Also skips it near the cutoff. */
void timeline_quench(timeline *l, double spent);

#endif
