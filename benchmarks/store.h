/* benchmarks/store: results of points, one file each, keyed by instance, options and the
 * program. A result appears whole or not at all. */
#ifndef BENCHMARKS_STORE_H
#define BENCHMARKS_STORE_H

#include <jansson.h>
#include <stddef.h>

#include "base/base.h"
#include "benchmarks/experiment.h"

enum { STORE_PATH = 4096 };

typedef struct bench_store {
    const char *program; /* path of poetbnb */
    uint64_t version;    /* of its bytes */
    const char *folder;  /* results are in folder/points */
} bench_store;

/* Hashes the program and makes the folders. 0, or -1 with an error. */
int bench_store_open(const char *program, const char *folder, bench_store *store,
                     base_error *error);

/* What identifies the result: hash of program, instance, method and options; the time limit
 * is not in it. */
uint64_t bench_store_key(const bench_store *store, const bench_point *p);

/* folder/points/KEY.suffix */
void bench_store_path(const bench_store *store, const bench_point *p, const char *suffix,
                      char path[STORE_PATH]);

/* The stored result of p: a new reference, NULL when there is none that serves. One that a
 * shorter limit than p->limit cut off does not serve. Members:
 *   "limit"    seconds the point was granted nominally
 *   "exit"     exit status of the program, 128 + signal when it was killed
 *   "checked"  whether the validator accepted the schedule (exact only; else absent)
 *   "output"   what the program printed as JSON, null when it printed none
 *   "errors"   last line of its standard error */
json_t *bench_store_load(const bench_store *store, const bench_point *p);

/* Writes one; steals the object. 0, or -1 with an error. */
int bench_store_save(const bench_store *store, const bench_point *p, json_t *result,
                     base_error *error);

/* The same for results that are no points, under a name of their own (a file name, without its
 * suffix) in folder/points: path, the result of this program version that serves for this limit,
 * and saving one, which steals the object, with the member "limit" in it. */
void bench_store_named_path(const bench_store *store, const char *name, const char *suffix,
                            char path[STORE_PATH]);
json_t *bench_store_load_named(const bench_store *store, const char *name, double limit);
int bench_store_save_named(const bench_store *store, const char *name, json_t *result,
                           base_error *error);

/* The object with status, overhead_joules ... in the output of a result: borrowed, NULL when
 * there is none. */
const json_t *bench_result_figures(const json_t *result);

#endif
