/* Inside plan/: a plan while it is made, in the working form of plan/plan.h; shared by the readers
 * and the writers of plan files. */
#ifndef PLAN_DRAFT_H
#define PLAN_DRAFT_H

#include "plan/arena.h"
#include "plan/plan.h"

typedef struct draft_buffer {
    int node;
    bool paged;     /* a page-in writes it */
    bool workspace; /* a workspace, not a buffer of the plan, of the computation that writes buffer
                       `next` */
    int birth, death;    /* lives in computations birth <= c < death; birth < death */
    int scheduled_birth; /* birth in the schedule, before transfers were moved; >= birth */
    int earliest;        /* lowest slot a page-in may have; birth of the others */
    int scheduled_death; /* death in the schedule; <= death */
    int next;   /* next buffer of the node, -1: none; of a workspace: the computation's buffer */
    int reader; /* first computation that reads it, death without one */
    int64_t offset;
} draft_buffer;

/* A transfer out of a buffer. */
typedef struct draft_pageout {
    int buffer;
    int slot, scheduled_slot; /* birth of the buffer <= slot < its death; after the computation that
                                 writes it */
} draft_pageout;

typedef struct draft {
    const graph *graph;
    int64_t budget;
    int m;            /* number of computations */
    int *computed;    /* buffer that computation c writes; extent m */
    int buffer_count; /* the last ones are workspaces */
    draft_buffer *buffer;
    int pageout_count;
    draft_pageout *pageout;
    int64_t *load; /* bytes that live during computation c; extent m */
} draft;

int64_t draft_bytes(const draft *d, int buffer);

/* Draft of a pruned, valid schedule, with the transfers where the schedule has them. */
draft *draft_create(const problem *p, const schedule *s);
void draft_free(draft *d);

/* Moves the birth of a page-in to slot and keeps load up to date. */
void draft_set_birth(draft *d, int buffer, int slot);
/* Lowest slot from which on the birth of a page-in can be moved without a load above the budget. */
int draft_earliest_birth(const draft *d, int buffer);

/* Extends the life of b from its scheduled death to slot, or as far as the load stays within the
 * budget and before the next buffer of the node. */
void draft_extend_life(draft *d, int buffer, int slot);

int64_t draft_peak(const draft *d);

/* The plan, with the draft's offsets. number (NULL allowed, extent buffer_count): the number in the
 * plan of each buffer, -1 of workspaces. Transfers of one slot are ordered by when they are needed:
 * a page-in by its first reader, a page-out by the next use of its memory. */
plan *draft_finish(const draft *d, int *number);

/* Gives every buffer an offset (plan/arena.h), within the budget if the answer is ARENA_FITS. */
arena_answer draft_assign(draft *d, int64_t *effort);

/* The transfer planner: moves page-ins and page-outs; see plan/transfer.c. */
void transfer_plan(draft *d);

/* Recomputes registers, peak and arena from the steps and offsets. Registers are counted up
 * to the largest. The plan must have passed plan_check_shape. */
void plan_measure(const graph *g, plan *x);

/* True if steps refer to buffers in the order of their lives: COMPUTE and PAGEIN begin the
 * next buffer, PAGEOUT and FREE name a living one, nodes lie in 0..n-1. 0, or -1 with an
 * error that names the step. */
int plan_check_shape(const plan *x, base_error *error);

/* ---- files --------------------------------------------------------------------------- */

/* CRC-32 of the graph's sizes and inputs, which a plan rests on. */
uint32_t plan_graph_crc(const graph *g);

/* True if data begins with the magic of a binary plan. */
bool plan_is_binary(const uint8_t *data, size_t size);

/* Prints step k as a line of the text form, without its end. holder[i]: last buffer of node i up to
 * step k; extent n. */
void plan_print_step(const graph *g, const plan *x, const int *holder, int k, FILE *out);

#endif
