/* problem/platform: the devices of POET's cost model. A platform is data: the built-in ones are
 * one table, any other is a JSON file of the same fields (problem/json.h reads and writes it). */
#ifndef PROBLEM_PLATFORM_H
#define PROBLEM_PLATFORM_H

#include <stdint.h>

#include "problem/graph.h"

enum { PLATFORM_NAME_SIZE = 64, PLATFORM_NOTE_SIZE = 512 };

/* The FLOP model of the POET artifact: computing f FLOPs takes
 * f / flops_per_second seconds and f / flops_per_joule joules; moving b bytes to
 * or from secondary storage takes latency + b / bytes_per_second seconds at
 * storage_watts. All numbers from GRAPH_LEAST_COST to GRAPH_MOST_COST; latencies may be 0. */
typedef struct platform {
    char name[PLATFORM_NAME_SIZE];
    char note[PLATFORM_NOTE_SIZE]; /* where the numbers come from; may be empty */
    double flops_per_second;
    double flops_per_joule;
    double compute_watts; /* measured or rated; shown, not used by the model */
    double storage_watts;
    double pagein_latency_seconds;
    double pagein_bytes_per_second;
    double pageout_latency_seconds;
    double pageout_bytes_per_second;
} platform;

/* The numbers of a platform, in the order in which files list them. */
enum { PLATFORM_FIELDS = 8 };
extern const struct platform_field {
    const char *key;
    size_t offset;
} platform_fields[PLATFORM_FIELDS];
static inline double *platform_number(const platform *p, int k)
{
    const void *field = (const char *)p + platform_fields[k].offset;
    return (double *)field;
}

/* Built-in platform number i, in the order of the table; NULL from the end of
 * the table on. */
const platform *platform_builtin(int i);

/* The built-in platform of that name, NULL if there is none. */
const platform *platform_find(const char *name);

/* 0 when every field is in the range given above, else -1 and an error that
 * names the field. */
int platform_check(const platform *p, base_error *error);

/* Sets the costs of a node of node->bytes bytes that takes `flops` FLOPs, both >= 0.
 * mem_power_scale: factor on storage_watts. */
void platform_cost(const platform *p, double mem_power_scale, int64_t flops, graph_node *node);

#endif
