/* What the two threads of a lane share (exact/lane.c, exact/lane_finder.c); not for others. */
#ifndef EXACT_LANE_STATE_H
#define EXACT_LANE_STATE_H

#include <locale.h>
#include <stdatomic.h>

#include "exact/lane.h"
#include "exact/working.h"

/* How far the proof is. */
typedef struct report {
    struct report *next;
    double at;          /* on the clock of who proves */
    schedule *schedule; /* the best; NULL: no better one since the report before */
    char source[64];
    double lower, work;
    long nodes;
    bool core_closed;
    uint8_t *mask, *core; /* extents n*n; core NULL: not closed */
    outlook now;
} report;

/* What a turn of the finder brought. */
typedef struct find {
    struct find *next;
    double at; /* on the finder's clock */
    exact_effort effort;
    exact_spent spent;
    schedule *schedule; /* NULL: none better than those that it knew */
    char source[64];
    double bound, coarse_bound;
    long nodes, iterations, cuts;
    bool infeasible, failed;
} find;

struct lane {
    engine *e; /* who proves */
    /* Its own: */
    double told;             /* overhead of the best schedule that was reported */
    double delivered;        /* work of the finder that e knows of */
    double waited;           /* its clock less `proven` */
    double last_taken;       /* time of the last find that was taken */
    _Atomic uint64_t proven; /* its clock */
    /* The finder's own, once its thread runs: */
    engine own;
    exact_params params;
    exact_proof proof; /* of params: of coarse timelines alone */
    exact_result result;
    finder finder;
    long nodes;                /* of its own */
    double read_at, read_work; /* of the last report that it read */
    _Atomic uint64_t found;    /* work done by its thread */
    /* Of both, under the lock: */
    pthread_mutex_t lock;
    report *reports, **last_report; /* not yet read */
    find *finds, **last_find;
    double reported; /* time of the last report */
    double ahead;    /* the finder's clock less what `found` counts as: it may have waited */
    bool idle;       /* the finder waits for the next report, having read all, or until: */
    double wake;     /* when it looks again what is due, on its clock */
    /* The thread: */
    base_guard *guard;
    locale_t locale; /* of who opened it: numbers are written as it writes them */
    pthread_t thread;
};

/* Time on the clock of who proves; under the lock, but for its own thread. */
static inline double lane_proving_clock(const lane *l)
{
    return l->waited + (double)atomic_load(&l->proven);
}

/* Time on the finder's; under the lock. Its steps count as several: it has but a part of a
 * processor where the proof's trees have threads for all of them, and who proves should not wait
 * for it. */
static inline double lane_finding_clock(const lane *l)
{
    return l->ahead + l->params.tuning.lane_rate * (double)atomic_load(&l->found);
}

void lane_report_free(report *r);
void lane_find_free(find *f);

/* The finder's thread; data: the lane. */
void *lane_run_finder(void *data);

#endif
