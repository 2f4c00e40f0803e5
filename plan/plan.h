/* plan: from a schedule to the steps that the device executes (Patil et al., ICML 2022, section 5.5
 * and Algorithm 2). A plan is a straight list of steps - compute, page in, page out, free -
 * over buffers with addresses in one arena, fixed beforehand: the device needs no
 * allocator and no graph algorithm, only this list.
 *
 * Working form. The computations of a plan are numbered 0..m-1 in the order in which they
 * run; slot k is the moment before computation k, slot m the end. Within a slot buffers are
 * freed first, then transfers are handed to the bus. A buffer lives from its birth (the
 * computation, or the slot of the page-in, that writes it) to the slot in which it is freed. In
 * slot m nothing is freed: the buffers that live to the end are the outputs of the plan. Two
 * buffers with lives that meet in a computation share no address. A workspace lives during one
 * computation, and shares no address with a buffer that lives then. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include <stdint.h>
#include <stdio.h>

#include "problem/graph.h"
#include "problem/schedule.h"

typedef enum plan_op { PLAN_COMPUTE = 0, PLAN_PAGEIN, PLAN_PAGEOUT, PLAN_FREE } plan_op;

/* "compute", "pagein", "pageout", "free". */
const char *plan_op_name(plan_op op);

/* One step. COMPUTE and PAGEIN write the buffer and begin its life, PAGEOUT copies it to
 * storage, FREE ends its life. A computation reads each of its inputs in the buffer that got
 * it last. */
typedef struct plan_step {
    plan_op op;
    int buffer;
    int64_t workspace; /* address of the workspace of a COMPUTE; of no meaning elsewhere */
} plan_step;

typedef struct plan_buffer {
    int node;       /* node of the output in it */
    int reg;        /* register: the smallest number that no living buffer has */
    int64_t offset; /* address in the arena; it ends at offset + bytes of the node */
} plan_buffer;

typedef struct plan {
    int n; /* number of nodes of the graph */
    int step_count, buffer_count, register_count;
    plan_step *step;     /* extent step_count */
    plan_buffer *buffer; /* extent buffer_count, in the order in which their lives begin */
    int64_t budget_bytes;
    int64_t peak_bytes;  /* largest sum of the sizes of living buffers and of the workspace */
    int64_t arena_bytes; /* largest end of a buffer or workspace, >= peak_bytes */
    bool no_packing;     /* set by plan_make: proven that no addresses exist within the budget */
} plan;

typedef struct plan_options {
    bool overlap; /* plan transfers beside the computation (DMA) */
    int64_t work; /* counted steps of the search for addresses; 0: PLAN_WORK */
} plan_options;

/* Counted steps of the search for addresses, some seconds of work. */
#define PLAN_WORK INT64_C(3000000000)

plan_options plan_options_default(void); /* overlap */

/* The plan of schedule s, which must pass schedule_validate for p. Useless work of s is
 * left out (schedule_prune). Without `overlap' the transfers stand where the schedule has them:
 * page-outs at the beginning of their stage, page-ins at the end (with p->charge_pagein_transfer at
 * the beginning), and the peak equals the validator's. With it the transfer planner
 * (plan/transfer.c) moves them as far forward as the budget allows and the computation needs.
 * Addresses: greedy orders, then an exact search (plan/arena.h). If they find no addresses within
 * the budget, page-ins return to their stages of the schedule. arena_bytes may still exceed
 * budget_bytes. With no_packing it is then proven that the buffers of the schedule, with its own
 * transfers, have no packing within the budget. Without no_packing the work was used up. NULL and
 * an error when s is not valid for p. O(n^2 + n * edges), and at most about the work for the
 * addresses. */
plan *plan_make(const problem *p, const schedule *s, const plan_options *options,
                base_error *error);
void plan_free(plan *x); /* NULL allowed */

/* ---- time -------------------------------------------------------------------------- */

/* Times of the steps. Computations run one after the other, in order, and so do transfers on one
 * bus. */
typedef struct plan_timeline {
    double *start, *finish;  /* seconds, extent step_count; a free takes none */
    double compute_seconds;  /* sum of the computations */
    double transfer_seconds; /* sum of the transfers */
    double stall_seconds;    /* time during which the processor waits for the bus */
    double total_seconds;    /* end of the last step */
} plan_timeline;

/* overlap = false: the processor carries out every transfer itself; it stalls for all of
 * them. overlap = true: steps are taken in order, a transfer is queued for the bus and the
 * processor goes on; a computation waits until its inputs have arrived and until page-outs
 * that still read the memory it writes are done. O(steps * (transfers + edges)). */
plan_timeline plan_simulate(const graph *g, const plan *x, bool overlap);
void plan_timeline_clear(plan_timeline *t);

/* ---- execution on a simulated memory ------------------------------------------------- */

typedef struct plan_execution {
    int64_t peak_bytes;  /* largest sum of living buffers */
    int64_t arena_bytes; /* largest address used */
    double energy_joules, overhead_joules;
    double compute_seconds, transfer_seconds;
    int64_t recompute_count, pagein_count, pageout_count;
} plan_execution;

/* Executes x on a simulated memory and storage. Returns 0 if every read finds the value that it
 * expects: each input has a living buffer, living buffers and workspaces do not overlap, all lie
 * within the budget, no resident tensor is paged in, every node is computed for the first time in
 * the graph's order and none is missing, and with DMA no transfer touches memory that is being read
 * or written (on the timeline of plan_simulate). Otherwise -1 and an error that names step and
 * node. Assumes only the extents of x's arrays. */
int plan_execute(const graph *g, const plan *x, plan_execution *result, base_error *error);

/* ---- files ------------------------------------------------------------------------------ */

/* Prints the plan: a line a step with register, address, times with and without DMA, and other
 * names of the memory that is written. */
void plan_print_text(const graph *g, const plan *x, FILE *out);

/* {"builtin": {...} or "graph": {...}, "ram_budget_bytes": .., "arena_bytes": ..,
 *  "peak_bytes": .., "registers": .., "seconds": {"compute": .., "transfer": ..,
 *    "sequential": .., "overlapped": .., "stall": ..},
 *  "buffers": [{"node": 0, "register": 0, "offset": 0, "bytes": 12288}, ...],
 *  "steps": [{"op": "compute", "buffer": 0, "node": 0, "start": .., "finish": ..}, ...]}
 * A computation of a node with a workspace has its address, "workspace_offset", too.
 * Without a newline after it. Steps have their times with DMA. */
void plan_print_json(const graph *g, const plan *x, FILE *out);

/* A plan file with its graph. */
typedef struct plan_file {
    graph *graph; /* owned; NULL: not in the file */
    plan *plan;
} plan_file;

/* True if the text of a file is a plan: it begins with the magic of the binary form, or is a
 * JSON object with the key "steps". O(size). */
bool plan_file_detect(const char *text, size_t size);

/* Reads either form from the text of a file; name: its name in errors. A binary plan does not
 * hold its graph. The graph of a built-in network and platform is built again; otherwise g
 * (borrowed, may be NULL) is needed. If g is given it must be the graph of the plan. peak_bytes,
 * arena_bytes, registers and the sizes are recomputed, and a JSON file with other values is
 * refused. 0, or -1 with an error; then nothing is to be cleared. */
int plan_file_parse(const char *text, size_t size, const char *name, const graph *g,
                    plan_file *file, base_error *error);
void plan_file_clear(plan_file *file);

/* Writes the binary form for the device: a fresh block (base_free) of *size bytes. docs/formats.md,
 * "Binary plans", describes it; runtime/ executes it. mark[k] (NULL allowed, extent step_count +
 * 1): place of the first byte of step k; the last one: place of the checksum. */
uint8_t *plan_write_binary(const graph *g, const plan *x, size_t *size, size_t *mark);

/* Prints a C header for runtime/poet_runtime.h: an enum of the nodes, their table, the binary
 * form as an array with the steps as comments, and the sizes of the runtime's memory. All names
 * begin with the name of the graph. -1 and an error where a size or address does not fit into 32
 * bits; nothing is printed then. */
int plan_print_c(const graph *g, const plan *x, FILE *out, base_error *error);

/* Reads the binary form. As plan_file_parse. */
int plan_read_binary(const uint8_t *data, size_t size, const char *name, const graph *g,
                     plan_file *file, base_error *error);

#endif
