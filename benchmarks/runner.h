/* benchmarks/runner: runs the points that have no result yet, several at a time, each as a
 * process of its own. */
#ifndef BENCHMARKS_RUNNER_H
#define BENCHMARKS_RUNNER_H

#include <signal.h>

#include "benchmarks/store.h"

typedef struct bench_runner_options {
    int jobs;             /* processes at a time, >= 1 */
    double total_seconds; /* points get less than their limit so that all end by then; 0: no */
    bool quiet;           /* no progress */
    const base_flag *interrupt; /* stop when nonzero; NULL: never */
} bench_runner_options;

typedef struct bench_summary {
    int points, ran, failed;
    bool interrupted;
} bench_summary;

/* Every result is stored as soon as its process ends: whenever this program is killed, only
 * the points in flight are lost (their processes die with it). A process that runs for a
 * minute beyond its limit is killed. A point whose process crashed, whose output is no
 * JSON or whose schedule `poetbnb check' refuses counts as failed; it is stored and not
 * repeated. */
bench_summary bench_run(const bench_store *store, const bench_points *points,
                        const bench_runner_options *options);

#endif
