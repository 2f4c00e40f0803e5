/* problem/json: graphs, platforms and schedules as JSON files.
 *
 * Readers are strict: unknown, missing and duplicate keys, wrong types, numbers
 * out of range, cycles, truncated and binary files are refused with a message
 * that names the file, the place (`nodes[3].bytes`; line and column for syntax)
 * and the expectation. The path "-" is standard input or output. Writers print
 * reals with 17 digits, so that reading gives the same doubles back. */
#ifndef PROBLEM_JSON_H
#define PROBLEM_JSON_H

#include <stdio.h>

#include "problem/graph.h"
#include "problem/network.h"
#include "problem/platform.h"
#include "problem/schedule.h"

/* Bytes of the longest file that is read. */
enum { JSON_FILE_LIMIT = 1 << 30 };

/* True if a text that may be a built-in name or a path is a path: it has a '/', or ends in .json
 * or .json.gz. */
bool json_names_file(const char *text);

/* ---- graphs --------------------------------------------------------------
 *
 *   {"name": "...", "nodes": [{"name": "conv1", "inputs": [0], "bytes": 65536,
 *     "seconds": 1e-3, "joules": 2e-3, "pagein_joules": .., "pageout_joules": ..,
 *     "pagein_seconds": .., "pageout_seconds": .., "backward": false}, ...]}
 *
 * Nodes in a topological order: inputs are earlier nodes, by their numbers or names. The graph's
 * and the nodes' names and "backward" (false) may be left out. A node may have "flops", a whole
 * number, instead of the six costs: a platform then costs it. It may have "workspace_bytes" (0) and
 * a "pin", one of "keep", "no-recompute", "no-page", "output": true, and "stateful": true or
 * "replayed" (problem/graph.h). The graph may have "resident_bytes". "op", "shape" and "notes" (of
 * a node), and "notes" (of the graph), are kept and written again.
 *
 * "view": true says that the output is the memory of the only input (then no sizes and costs are
 * there), "in_place": INPUT that it overwrites that input, "outputs": [{"name": .., "bytes": ..}]
 * in place of "bytes" that there are several; an input may be "NODE.OUTPUT" or [NODE, INDEX].
 * The graph has none of these (problem/lower.h). As it is written, nodes have "aliases":
 * [{"name": .., "kind": "view"}, ...], which are read, too. */

/* Rates that turn FLOPs into costs. */
typedef struct graph_costing {
    const platform *platform;
    double mem_power_scale; /* factor on the power that storage draws */
} graph_costing;

/* The graph of a file's text; name: what errors call the file. With text NULL of the file `name'.
 * NULL with an error. costing may be NULL: then no node may have FLOPs; with it one must. */
graph *graph_parse(const char *text, size_t size, const char *name, const graph_costing *costing,
                   base_error *error);

/* Prints what else goes by the memory of node i as "; also flat (view), max @1024 (output)", where
 * the tensor has the address `offset`; without addresses if that is negative. */
void graph_print_also(const graph *g, int i, int64_t offset, FILE *out);

/* Prints g as such an object, without a newline after it; stream errors are left
 * to the caller's ferror or base_output_commit. */
void graph_print(const graph *g, FILE *out);

/* ---- platforms -------------------------------------------------------------
 *
 *   {"name": "...", "note": "...", "flops_per_second": .., "flops_per_joule": ..,
 *    "compute_watts": .., "storage_watts": ..,
 *    "pagein_latency_seconds": .., "pagein_bytes_per_second": ..,
 *    "pageout_latency_seconds": .., "pageout_bytes_per_second": ..}
 *
 * "note" may be left out; so may "compute_watts", which is then
 * flops_per_second / flops_per_joule. The name is not a built-in platform's. */

/* The built-in platform of that name or, when json_names_file(text), the platform of
 * that file. 0, or -1 with an error. */
int platform_load(const char *text, platform *p, base_error *error);
/* The platform of a file's text; name: what errors call the file. With text NULL of the file
 * `name'. 0, or -1 with an error. */
int platform_parse(const char *text, size_t size, const char *name, platform *p, base_error *error);

/* Prints p as a file that platform_parse reads, number by number as it is. */
void platform_print(const platform *p, FILE *out);

/* ---- schedules -------------------------------------------------------------
 *
 *   {"graph": {...} or "builtin": {"model": .., "platform": .., "batch_size": 1,
 *      "backward": "published", "mem_power_scale": 1},
 *    "ram_budget_bytes": .., "deadline_seconds": .. or null, "method": "poetbnb",
 *    "status": "optimal", "energy_joules": .., "overhead_joules": ..,
 *    "lower_bound_overhead_joules": .., "peak_bytes": .., "compute_seconds": ..,
 *    "R": [[t,i],...], "S": [[t,i],...], "A": [...], "In": [...], "Out": [...]}
 *
 * An entry may be [t,i,u]: node i in stages t to u. "R" lists the diagonal too. Further keys,
 * written only when they differ from the default: "allow_paging", "allow_remat" (true),
 * "max_computations" (2147483647: any number), "charge_pagein_transfer",
 * "deadline_includes_paging" (false). When reading, the graph, the budget and the five matrices
 * are required; of "builtin", the model and the platform. */

/* The contents of a schedule file. The numbers after `status` are claims of the file; the
 * validator checks them. */
typedef struct schedule_file {
    graph *graph;
    problem problem; /* its graph is `graph` */
    schedule *schedule;
    char *method;         /* NULL: not stated */
    char *status;         /* NULL: not stated */
    double energy_joules; /* these: NAN when not stated */
    double overhead_joules;
    double lower_bound_overhead_joules;
    double compute_seconds;
    int64_t peak_bytes; /* -1 when not stated */
} schedule_file;

/* Reads a schedule from a text, or with text NULL from the file `name'; name: what errors call it.
 * Its cells must lie in the triangle, each listed once; nothing else is checked. *length gets the
 * length of the object at its beginning, after which anything may follow; with NULL only blanks
 * may. NULL with an error. schedule_file_free frees all of it. */
schedule_file *schedule_file_parse(const char *text, size_t size, const char *name, size_t *length,
                                   base_error *error);
void schedule_file_free(schedule_file *file); /* NULL allowed */

/* Writes schedule s of p as such an object, and a line end. The graph is written as "builtin" when
 * it was made from a built-in network and platform, else whole. v: figures of the validator; NULL,
 * or a NAN or negative one: not stated. method, status: NULL: not stated. bound: on the overhead in
 * joules; NAN: none, written as null as no deadline is. */
void schedule_print(const problem *p, const schedule *s, const validation *v, const char *method,
                    const char *status, double bound, FILE *out);

#endif
