/* The transfer planner of section 5.5. Transfers share one bus. From the end of the run backward,
 * each transfer gets the last free place on the bus before it is needed: a page-in before the first
 * computation that reads its buffer, a page-out before the memory of its buffer is used again. The
 * start time gives the slot in which the transfer is handed to the bus. A page-in that is moved
 * forward holds memory for longer, so it moves only as far as the budget allows; if it then arrives
 * late, the processor stalls. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/draft.h"

typedef struct job {
    bool in;
    int index; /* buffer of a page-in; number of a page-out */
    double due, seconds;
} job;

/* Latest first. Page-outs, and page-ins that are due together, in the order of their numbers, so
 * that the plan does not depend on qsort. */
static int compare_due(const void *a, const void *b)
{
    const job *x = a, *y = b;
    if (x->due != y->due)
        return x->due > y->due ? -1 : 1;
    if (x->in != y->in)
        return x->in ? -1 : 1;
    return (x->index < y->index) - (x->index > y->index);
}

/* Last slot of low..high with a start of at most `time`. */
static int slot_at(const double *start, int low, int high, double time)
{
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (start[middle] <= time)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static job *collect_jobs(const draft *d, const double *start, int *count)
{
    const graph *g = d->graph;
    job *list = base_malloc((size_t)d->buffer_count + (size_t)d->pageout_count, sizeof *list);
    int used = 0;
    for (int b = 0; b < d->buffer_count; b++)
        if (d->buffer[b].paged)
            list[used++] = (job){.in = true,
                                 .index = b,
                                 .due = start[d->buffer[b].reader],
                                 .seconds = g->pagein_seconds[d->buffer[b].node]};
    for (int k = 0; k < d->pageout_count; k++) {
        const draft_buffer *buffer = &d->buffer[d->pageout[k].buffer];
        list[used++] = (job){.in = false,
                             .index = k,
                             .due = start[buffer->death],
                             .seconds = g->pageout_seconds[buffer->node]};
    }
    qsort(list, (size_t)used, sizeof *list, compare_due);
    *count = used;
    return list;
}

static void move_pagein(draft *d, int b, const double *start, double time)
{
    const int wanted = slot_at(start, d->buffer[b].earliest, d->buffer[b].scheduled_birth, time);
    const int possible = draft_earliest_birth(d, b);
    draft_set_birth(d, b, wanted > possible ? wanted : possible);
}

/* Places the transfers from the schedule's placement on. start[k], k = 0..m: time of slot k. eager:
 * page-outs start once their buffer is written, not as late as possible. */
static void place_transfers(draft *d, const double *start, bool eager)
{
    int count;
    job *list = collect_jobs(d, start, &count);
    double bus_free = count ? list[0].due : 0;
    for (int k = 0; k < count; k++) {
        const double end = list[k].due < bus_free ? list[k].due : bus_free;
        const double begin = end - list[k].seconds;
        bus_free = begin;
        if (list[k].in)
            move_pagein(d, list[k].index, start, begin);
    }
    /* page-outs last: a buffer that is paged in and out again is placed by then */
    bus_free = count ? list[0].due : 0;
    for (int k = 0; k < count; k++) {
        const double end = list[k].due < bus_free ? list[k].due : bus_free;
        bus_free = end - list[k].seconds;
        if (list[k].in)
            continue;
        draft_pageout *out = &d->pageout[list[k].index];
        const draft_buffer *buffer = &d->buffer[out->buffer];
        /* the first slot after the buffer is written */
        const int low = buffer->birth + !buffer->paged, high = out->scheduled_slot;
        out->slot = eager ? low : slot_at(start, low, high > low ? high : low, bus_free);
        assert(out->slot < buffer->death);
    }
    base_free(list);
}

/* ---- time ------------------------------------------------------------------------------ */

/* Results of slot_times. */
typedef struct times {
    double *slot; /* time at which the processor reaches slot k; extent m + 1 */
    double
        *left; /* time at which the last page-out of buffer b ends, 0: none; extent buffer_count */
    double total;
} times;

/* Simulates the draft before addresses are known: a computation waits for its inputs and, as if it
 * took their memory, for the page-outs of all dead buffers. */
static void run_draft(const draft *d, times *t)
{
    const graph *g = d->graph;
    int *number = base_malloc((size_t)d->buffer_count, sizeof *number);
    plan *x = draft_finish(d, number);
    double *ready = base_calloc((size_t)x->buffer_count, sizeof *ready);
    double *left = base_calloc((size_t)x->buffer_count, sizeof *left);
    int *holder = base_calloc((size_t)x->n, sizeof *holder);
    double now = 0, bus = 0, memory_free = 0;
    int c = 0;
    for (int k = 0; k < x->step_count; k++) {
        const int b = x->step[k].buffer, node = x->buffer[b].node;
        switch (x->step[k].op) {
        case PLAN_COMPUTE:
            t->slot[c++] = now; /* without the stall of c, which is to be removed */
            for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++)
                now = fmax(now, ready[holder[g->input[e]]]);
            now = fmax(now, memory_free) + g->seconds[node];
            holder[node] = b;
            break;
        case PLAN_PAGEIN:
            ready[b] = bus = fmax(bus, now) + g->pagein_seconds[node];
            holder[node] = b;
            break;
        case PLAN_PAGEOUT:
            left[b] = bus = fmax(bus, now) + g->pageout_seconds[node];
            break;
        case PLAN_FREE:
            memory_free = fmax(memory_free, left[b]);
            break;
        }
    }
    assert(c == d->m);
    t->slot[c] = now;
    t->total = fmax(now, bus);
    for (int b = 0; b < d->buffer_count; b++)
        t->left[b] = number[b] >= 0 ? left[number[b]] : 0;
    base_free_all(number, ready, left, holder);
    plan_free(x);
}

/* Lets buffers that are being paged out keep their memory until that ends, where there is room, so
 * that nothing waits for it. */
static void extend_lives(draft *d, const times *t)
{
    for (int b = 0; b < d->buffer_count; b++) {
        const draft_buffer *buffer = &d->buffer[b];
        if (t->left[b] <= t->slot[buffer->scheduled_death])
            continue;
        int slot = slot_at(t->slot, buffer->scheduled_death, d->m, t->left[b]);
        draft_extend_life(d, b, slot < d->m ? slot + 1 : slot);
    }
}

/* ---- choosing -------------------------------------------------------------------------- */

/* Copies the placement of a draft to another one of the same extents. */
static void copy_placement(const draft *from, draft *to)
{
    memcpy(to->buffer, from->buffer, (size_t)from->buffer_count * sizeof *to->buffer);
    memcpy(to->load, from->load, (size_t)from->m * sizeof *to->load);
    for (int k = 0; k < from->pageout_count; k++)
        to->pageout[k] = from->pageout[k];
}

/* Restores the schedule's placement of all transfers. */
static void reset_placement(draft *d)
{
    for (int b = 0; b < d->buffer_count; b++) {
        draft_extend_life(d, b, d->buffer[b].scheduled_death);
        if (d->buffer[b].paged)
            draft_set_birth(d, b, d->buffer[b].scheduled_birth);
    }
    for (int k = 0; k < d->pageout_count; k++)
        d->pageout[k].slot = d->pageout[k].scheduled_slot;
}

/* The fastest placement so far, in a draft that has only what depends on it. */
typedef struct fastest {
    draft draft;
    double total;
} fastest;

static void try_placement(draft *d, times *t, bool eager, fastest *best)
{
    reset_placement(d);
    place_transfers(d, t->slot, eager);
    run_draft(d, t);
    extend_lives(d, t);
    run_draft(d, t);
    if (t->total >= best->total)
        return;
    copy_placement(d, &best->draft);
    best->total = t->total;
}

/* Repeats the placement, since stalls delay everything behind them; keeps the fastest placement,
 * the schedule's own included. */
void transfer_plan(draft *d)
{
    enum { ROUNDS = 3 };
    const size_t buffers = (size_t)d->buffer_count;
    times t = {.slot = base_malloc((size_t)d->m + 1, sizeof *t.slot),
               .left = base_malloc(buffers, sizeof *t.left)};
    fastest best = {.draft = *d};
    best.draft.buffer = base_malloc(buffers, sizeof *d->buffer);
    best.draft.pageout = base_malloc((size_t)d->pageout_count, sizeof *d->pageout);
    best.draft.load = base_malloc((size_t)d->m, sizeof *d->load);
    run_draft(d, &t);
    copy_placement(d, &best.draft);
    best.total = t.total;
    for (int round = 0; round < 2 * ROUNDS; round++)
        try_placement(d, &t, round >= ROUNDS, &best);
    copy_placement(&best.draft, d);
    base_free_all(best.draft.buffer, best.draft.pageout, best.draft.load, t.slot, t.left);
}
