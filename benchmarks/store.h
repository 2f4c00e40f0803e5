/* benchmarks/store: results of comparisons, one file each, of one version of the program. A result
 * appears whole or not at all. */
#ifndef BENCHMARKS_STORE_H
#define BENCHMARKS_STORE_H

#include <jansson.h>
#include <stddef.h>

#include "base/base.h"

enum { STORE_PATH = 4096 };

typedef struct bench_store {
    const char *program; /* path of poetbnb */
    uint64_t version;    /* of its bytes */
    const char *folder;  /* results are in folder/points */
} bench_store;

/* Hashes the program and makes the folders. 0, or -1 with an error. */
int bench_store_open(const char *program, const char *folder, bench_store *store,
                     base_error *error);

/* Results have names (a file name, without its suffix), in folder/points: path, the result of this
 * program version that serves for this limit, which is a new reference (NULL when there is none, or
 * a shorter limit cut it off), and saving one, which steals the object. Members of a result:
 *   "limit"    seconds that it was granted
 *   "exit"     exit status of the program, 128 + signal when it was killed */
void bench_store_named_path(const bench_store *store, const char *name, const char *suffix,
                            char path[STORE_PATH]);
json_t *bench_store_load_named(const bench_store *store, const char *name, double limit);
int bench_store_save_named(const bench_store *store, const char *name, json_t *result,
                           base_error *error);

#endif
