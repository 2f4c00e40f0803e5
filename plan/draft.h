/* Inside plan/: a plan while it is made, in the working form of plan/plan.h. */
#ifndef PLAN_DRAFT_H
#define PLAN_DRAFT_H

#include "plan/arena.h"
#include "plan/plan.h"

typedef struct draft_buffer {
    int node;
    bool paged;          /* a page-in writes it */
    bool workspace;      /* no buffer of the plan, but what the computation that writes buffer
                            `next` works in */
    int birth, death;    /* lives in computations birth <= c < death; birth < death */
    int scheduled_birth; /* birth as the schedule has it, >= birth */
    int earliest;        /* lowest slot a page-in may have; birth of the others */
    int scheduled_death; /* death as the schedule has it, <= death */
    int next;            /* the next buffer of the node, -1: none; of a workspace see there */
    int reader;          /* first computation that reads it, death without one */
    int64_t offset;
} draft_buffer;

/* A transfer out of a buffer. */
typedef struct draft_pageout {
    int buffer;
    int slot, scheduled_slot; /* birth of the buffer <= slot < its death; a computed one is
                               * there from the slot after its computation on */
} draft_pageout;

typedef struct draft {
    const graph *graph;
    int64_t budget;
    int m;            /* computations */
    int *computed;    /* buffer that computation c writes, extent m */
    int buffer_count; /* workspaces are the last */
    draft_buffer *buffer;
    int pageout_count;
    draft_pageout *pageout;
    int64_t *load; /* extent m: bytes living during computation c */
} draft;

int64_t draft_bytes(const draft *d, int buffer);

/* The draft of a pruned, valid schedule, transfers where the schedule has them. */
draft *draft_create(const problem *p, const schedule *s);
void draft_free(draft *d);

/* Moves the birth of a page-in to slot and keeps load up to date. */
void draft_set_birth(draft *d, int buffer, int slot);
/* The lowest slot to which the birth of a page-in can move, and every one from there on,
 * without load above the budget. */
int draft_earliest_birth(const draft *d, int buffer);

/* Lets b live on from its scheduled death until slot, or as far as load stays within the
 * budget and the next buffer of the node has not begun. */
void draft_linger(draft *d, int buffer, int slot);

int64_t draft_peak(const draft *d);

/* The finished plan; offsets as they are in the draft. number (NULL allowed) gets the number
 * in the plan of each buffer of the draft, extent buffer_count, -1 of workspaces. Transfers of one
 * slot stand in the order in which something waits for them: the first reader of a page-in, whoever
 * follows in the memory of a page-out. */
plan *draft_finish(const draft *d, int *number);

/* Gives every buffer an offset (plan/arena.h), within the budget if the answer is ARENA_FITS. */
arena_answer draft_assign(draft *d, arena_effort *effort);

/* The transfer planner: moves page-ins and page-outs; see plan/transfer.c. */
void transfer_plan(draft *d);

/* Recomputes registers, peak and arena from the steps and offsets. Registers are counted up
 * to the largest. The plan must have passed plan_check_shape. */
void plan_measure(const graph *g, plan *x);

/* True if steps refer to buffers in the order of their lives: COMPUTE and PAGEIN begin the
 * next buffer, PAGEOUT and FREE name a living one, nodes lie in 0..n-1. 0, or -1 with an
 * error that names the step. */
int plan_check_shape(const plan *x, base_error *error);

#endif
