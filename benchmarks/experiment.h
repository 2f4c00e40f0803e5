/* benchmarks/experiment: what is measured. A declarative list of experiments, and the
 * points they expand to. */
#ifndef BENCHMARKS_EXPERIMENT_H
#define BENCHMARKS_EXPERIMENT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum bench_setting { BENCH_QUICK = 0, BENCH_FULL, BENCH_SMOKE } bench_setting;

/* What a point runs. */
typedef enum bench_kind {
    BENCH_EXACT,    /* poetbnb solve, then poetbnb check of its schedule */
    BENCH_BASELINE, /* poetbnb compare with one method */
    BENCH_RELAX     /* poetbnb export --relax, then poetbnb lp: a root bound */
} bench_kind;

enum { POINT_TEXT = 40 };

/* One point: an instance, a method and its options. Texts are static, stored here or the list's. */
typedef struct bench_point {
    const char *experiment; /* "fig3"; a point wanted by several appears once for each */
    bench_kind kind;
    const char *network, *platform;
    char budget[POINT_TEXT];  /* of the RAM, as --ram-budget takes it */
    char runtime[POINT_TEXT]; /* of the time, as --runtime-budget takes it, or "none" */
    const char *method;       /* of compare; "poetbnb"; "published" or "tight" (relax) */
    const char *variant;      /* name of the options below for readers; "" */
    const char *options;      /* further options, separated by blanks; "" */
    double limit;             /* seconds */
} bench_point;

typedef struct bench_points {
    int count, capacity;
    bench_point *point; /* extent count */
    int word_count;
    char **word; /* texts that the points refer to, extent word_count */
} bench_points;

/* All points of a setting; only those of the named experiment unless only is NULL. Sorted:
 * cheap methods first, the exact solver by rising limit. Clear with bench_points_clear. */
bench_points bench_points_make(bench_setting setting, const char *only);
void bench_points_clear(bench_points *points);

/* The name of experiment number k, NULL from the end on. */
const char *bench_experiment_name(int k);

#endif
