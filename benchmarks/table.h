/* benchmarks/table: the results as rows, and as tidy CSV, one file an experiment. */
#ifndef BENCHMARKS_TABLE_H
#define BENCHMARKS_TABLE_H

#include "benchmarks/store.h"

/* A point with what was measured; NAN and -1 where nothing was. */
typedef struct bench_row {
    const bench_point *point;
    int n;             /* nodes of the graph */
    char status[24];   /* optimal, feasible, infeasible, none, unknown, failed, missing */
    bool has_schedule; /* figures below are of a schedule the validator accepted */
    bool proven;       /* the exact solver's, optimal or infeasible */
    double base, overhead, bound; /* joules */
    double compute_seconds, transfer_seconds, seconds;
    double root_bound, root_bound_cuts; /* joules */
    int64_t budget_bytes, peak_bytes;
    long recompute_count, pagein_count, pageout_count, nodes;
    char reason[200];
} bench_row;

typedef struct bench_table {
    int count;
    bench_row *row; /* extent count, in the order of the points */
} bench_table;

bench_table bench_table_make(const bench_store *store, const bench_points *points);
void bench_table_clear(bench_table *table);

/* Writes FOLDER/NAME.csv with the rows of every experiment that has some. 0, or -1 with an
 * error. */
int bench_table_write(const bench_table *table, const char *folder, base_error *error);

/* 100 * overhead / base; NAN without a schedule. */
double bench_row_percent(const bench_row *row);

/* The row of that experiment, network, platform, method and budget ("50%"), runtime "none"
 * and variant; NULL without one. Any of the texts may be NULL: the first that fits. */
const bench_row *bench_table_find(const bench_table *table, const char *experiment,
                                  const char *network, const char *device, const char *method,
                                  const char *budget, const char *runtime, const char *variant);

#endif
