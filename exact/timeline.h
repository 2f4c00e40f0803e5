/* One coarse timeline (formulation/coarse.h) and its tree: a bound, and schedules from its
 * solutions. Of the coarse search (exact/coarse.c); not for others. */
#ifndef EXACT_TIMELINE_H
#define EXACT_TIMELINE_H

#include "exact/engine.h"
#include "formulation/coarse.h"

typedef struct timeline {
    engine *e; /* for which it runs */
    int stage; /* of its points the one that is tried; -1: none */
    coarse *c;
    double *x; /* its best solution, extent its columns, if `solved` */
    bool solved, ended;
    bool fresh;  /* x is newer than its last quench */
    bool closed; /* ended, with nothing left open */
    exact_timeline told;
    bnb_callbacks callbacks;
    bnb_search *search;
    double bound, spent; /* what it has proven, for which work */
} timeline;

/* With these points, of which one, `stage`, is on trial (-1: none). */
timeline *timeline_open(engine *e, const int *point, int points, int stage);
void timeline_close(timeline *l); /* NULL allowed */

/* For bnb_callbacks; user: a timeline. Which tensors are paged at all decides most, then what is
 * computed again, the dearest first. */
void timeline_priority(void *user, int *score);

/* Goes on for about so much work; the work that it took. */
double timeline_run(timeline *l, double work);

/* Offers its solution, which may overflow the budget. */
void timeline_offer(const timeline *l);

/* What a short walk makes of a solution that overflows: it keeps most of it. Where that takes
 * little beside `spent`, the work on all timelines, and there is more to gain than a tree is likely
 * to. */
void timeline_quench(timeline *l, double spent);

#endif
