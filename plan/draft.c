/* Drafts: the buffers of a schedule, with births and deaths, and the list of steps from the moved
 * and placed buffers. */
#include "plan/draft.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

/* State of the walk through the schedule, with growing lists. */
typedef struct walk {
    draft *d;
    int buffer_capacity, pageout_capacity, computed_capacity;
    int *live;        /* buffer that holds node i, -1: none; extent n */
    int *last_reader; /* largest node computed in the stage that reads i; -1: none */
    int *last;        /* last buffer of node i, -1: none; extent n */
} walk;

static int add_buffer(walk *w, int node, bool paged, int birth)
{
    draft *d = w->d;
    d->buffer = base_grow(d->buffer, d->buffer_count, &w->buffer_capacity, sizeof *d->buffer);
    const int before = w->last[node];
    assert(before >= 0 || !paged);
    if (before >= 0)
        d->buffer[before].next = d->buffer_count;
    d->buffer[d->buffer_count] = (draft_buffer){.node = node,
                                                .paged = paged,
                                                .birth = birth,
                                                .death = -1,
                                                .scheduled_birth = birth,
                                                .earliest = paged ? d->buffer[before].death : birth,
                                                .next = -1,
                                                .reader = -1};
    return w->last[node] = w->live[node] = d->buffer_count++;
}

static void kill_buffer(walk *w, int node, int slot)
{
    draft_buffer *buffer = &w->d->buffer[w->live[node]];
    buffer->death = buffer->scheduled_death = slot;
    w->live[node] = -1;
}

static void add_pageout(walk *w, int node, int slot)
{
    draft *d = w->d;
    d->pageout = base_grow(d->pageout, d->pageout_count, &w->pageout_capacity, sizeof *d->pageout);
    d->pageout[d->pageout_count++] =
        (draft_pageout){.buffer = w->live[node], .slot = slot, .scheduled_slot = slot};
}

static void add_computation(walk *w, int node)
{
    draft *d = w->d;
    const graph *g = d->graph;
    d->computed = base_grow(d->computed, d->m, &w->computed_capacity, sizeof *d->computed);
    for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++) {
        assert(w->live[g->input[e]] >= 0);
        draft_buffer *input = &d->buffer[w->live[g->input[e]]];
        if (input->reader < 0)
            input->reader = d->m;
    }
    d->computed[d->m] = add_buffer(w, node, false, d->m);
    d->m++;
}

/* True if the schedule keeps node i after stage t. */
static bool is_kept(const schedule *s, int t, int i)
{
    return t + 1 < s->n && s->S[schedule_cell(s, t + 1, i)];
}

static void walk_computations(walk *w, const schedule *s, int t)
{
    draft *d = w->d;
    const graph *g = d->graph;
    const uint8_t *R = s->R + schedule_cell(s, t, 0);
    for (int i = 0; i <= t; i++)
        w->last_reader[i] = -1;
    for (int k = 0; k <= t; k++)
        for (int e = g->input_start[k]; R[k] && e < g->input_start[k + 1]; e++)
            w->last_reader[g->input[e]] = k;
    for (int k = 0; k <= t; k++) {
        if (!R[k])
            continue;
        /* schedule_prune keeps a computation of a resident tensor where its place in the order
         * releases an input: the new buffer replaces the old one */
        const int old = w->live[k];
        add_computation(w, k);
        if (old >= 0)
            d->buffer[old].death = d->buffer[old].scheduled_death = d->m;
        for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++) {
            int i = g->input[e];
            if (w->last_reader[i] == k && !is_kept(s, t, i) && w->live[i] >= 0)
                kill_buffer(w, i, d->m);
        }
    }
}

static void walk_stage(walk *w, const problem *p, const schedule *s, int t)
{
    draft *d = w->d;
    const int first = d->m;
    for (int i = 0; i < t; i++)
        if (s->Out[schedule_cell(s, t, i)])
            add_pageout(w, i, first);
    walk_computations(w, s, t);
    for (int i = 0; i <= t; i++)
        if (w->live[i] >= 0 && !is_kept(s, t, i))
            kill_buffer(w, i, d->m);
    for (int i = 0; i < t; i++)
        if (s->In[schedule_cell(s, t, i)]) {
            assert(w->live[i] < 0 && is_kept(s, t, i));
            add_buffer(w, i, true, p->charge_pagein_transfer ? first : d->m);
        }
}

int64_t draft_bytes(const draft *d, int b)
{
    const draft_buffer *buffer = &d->buffer[b];
    return buffer->workspace ? d->graph->workspace[buffer->node] : d->graph->bytes[buffer->node];
}

/* Appends, behind all buffers, the workspaces. */
static void add_workspaces(draft *d)
{
    d->buffer = base_realloc(d->buffer, (size_t)d->buffer_count + (size_t)d->m, sizeof *d->buffer);
    for (int c = 0; c < d->m; c++) {
        const int node = d->buffer[d->computed[c]].node;
        if (d->graph->workspace[node] > 0)
            d->buffer[d->buffer_count++] = (draft_buffer){.node = node,
                                                          .workspace = true,
                                                          .birth = c,
                                                          .death = c + 1,
                                                          .scheduled_birth = c,
                                                          .earliest = c,
                                                          .scheduled_death = c + 1,
                                                          .next = d->computed[c],
                                                          .reader = c + 1};
    }
}

static void compute_load(draft *d)
{
    d->load = base_calloc((size_t)d->m, sizeof *d->load);
    for (int b = 0; b < d->buffer_count; b++)
        for (int c = d->buffer[b].birth; c < d->buffer[b].death; c++)
            d->load[c] += draft_bytes(d, b);
}

draft *draft_create(const problem *p, const schedule *s)
{
    const int n = s->n;
    draft *d = base_calloc(1, sizeof *d);
    d->graph = p->graph;
    d->budget = p->ram_budget_bytes;
    walk w = {.d = d,
              .live = base_malloc((size_t)n, sizeof *w.live),
              .last_reader = base_malloc((size_t)n, sizeof *w.last_reader),
              .last = base_malloc((size_t)n, sizeof *w.last)};
    for (int i = 0; i < n; i++)
        w.live[i] = w.last[i] = -1;
    for (int t = 0; t < n; t++)
        walk_stage(&w, p, s, t);
    for (int b = 0; b < d->buffer_count; b++) {
        draft_buffer *buffer = &d->buffer[b];
        assert(buffer->birth < buffer->death && buffer->earliest <= buffer->birth);
        if (buffer->reader < 0)
            buffer->reader = buffer->death;
    }
    add_workspaces(d);
    compute_load(d);
    base_free_all(w.live, w.last_reader, w.last);
    return d;
}

void draft_free(draft *d)
{
    if (!d)
        return;
    base_free_all(d->computed, d->buffer, d->pageout, d->load, d);
}

void draft_set_birth(draft *d, int b, int slot)
{
    draft_buffer *buffer = &d->buffer[b];
    const int64_t bytes = d->graph->bytes[buffer->node];
    assert(buffer->paged && slot >= buffer->earliest && slot <= buffer->scheduled_birth);
    for (; buffer->birth < slot; buffer->birth++)
        d->load[buffer->birth] -= bytes;
    while (buffer->birth > slot)
        d->load[--buffer->birth] += bytes;
}

int draft_earliest_birth(const draft *d, int b)
{
    const draft_buffer *buffer = &d->buffer[b];
    const int64_t bytes = d->graph->bytes[buffer->node];
    int slot = buffer->birth;
    while (slot > buffer->earliest && d->load[slot - 1] + bytes <= d->budget)
        slot--;
    return slot;
}

void draft_extend_life(draft *d, int b, int slot)
{
    draft_buffer *buffer = &d->buffer[b];
    if (buffer->workspace)
        return;
    const int64_t bytes = d->graph->bytes[buffer->node];
    const int next = buffer->next < 0 ? d->m : d->buffer[buffer->next].birth;
    while (buffer->death > buffer->scheduled_death)
        d->load[--buffer->death] -= bytes;
    while (buffer->death < slot && buffer->death < next &&
           d->load[buffer->death] + bytes <= d->budget)
        d->load[buffer->death++] += bytes;
}

int64_t draft_peak(const draft *d)
{
    int64_t peak = 0;
    for (int c = 0; c < d->m; c++)
        peak = d->load[c] > peak ? d->load[c] : peak;
    return peak;
}

/* ---- the finished plan -------------------------------------------------------------- */

/* A step and its sort keys. */
typedef struct keyed_step {
    plan_op op;
    int buffer;   /* buffer of the draft */
    int slot;     /* slot in which it happens */
    int urgency;  /* of a transfer: the first computation that waits for it */
    int sequence; /* makes the sort stable */
} keyed_step;

/* Order within a slot: frees, transfers, the computation. */
static int rank(plan_op op)
{
    return op == PLAN_FREE ? 0 : op == PLAN_COMPUTE ? 2 : 1;
}

static int compare_steps(const void *a, const void *b)
{
    const keyed_step *x = a, *y = b;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    if (rank(x->op) != rank(y->op))
        return rank(x->op) < rank(y->op) ? -1 : 1;
    if (x->urgency != y->urgency)
        return x->urgency < y->urgency ? -1 : 1;
    if (x->op != y->op) /* a buffer can be paged in and out in one slot */
        return x->op == PLAN_PAGEIN ? -1 : 1;
    return (x->sequence > y->sequence) - (x->sequence < y->sequence);
}

static keyed_step *collect_steps(const draft *d, int *count)
{
    keyed_step *list =
        base_malloc(2 * (size_t)d->buffer_count + (size_t)d->pageout_count + 1, sizeof *list);
    int used = 0;
    for (int b = 0; b < d->buffer_count; b++) {
        const draft_buffer *buffer = &d->buffer[b];
        if (buffer->workspace)
            continue;
        list[used] = (keyed_step){.op = buffer->paged ? PLAN_PAGEIN : PLAN_COMPUTE,
                                  .buffer = b,
                                  .slot = buffer->birth,
                                  .urgency = buffer->reader,
                                  .sequence = used};
        used++;
        if (buffer->death == d->m)
            continue; /* an output of the plan, which is never freed */
        list[used] =
            (keyed_step){.op = PLAN_FREE, .buffer = b, .slot = buffer->death, .sequence = used};
        used++;
    }
    for (int k = 0; k < d->pageout_count; k++) {
        const draft_pageout *out = &d->pageout[k];
        list[used] = (keyed_step){.op = PLAN_PAGEOUT,
                                  .buffer = out->buffer,
                                  .slot = out->slot,
                                  .urgency = d->buffer[out->buffer].death,
                                  .sequence = used};
        used++;
    }
    qsort(list, (size_t)used, sizeof *list, compare_steps);
    *count = used;
    return list;
}

/* Workspaces by the buffer that their computation writes. */
static int64_t *workspace_offsets(const draft *d)
{
    int64_t *offset = base_calloc((size_t)d->buffer_count, sizeof *offset);
    for (int b = 0; b < d->buffer_count; b++)
        if (d->buffer[b].workspace)
            offset[d->buffer[b].next] = d->buffer[b].offset;
    return offset;
}

plan *draft_finish(const draft *d, int *numbers)
{
    plan *x = base_calloc(1, sizeof *x);
    keyed_step *list = collect_steps(d, &x->step_count);
    int *number = base_malloc((size_t)d->buffer_count, sizeof *number);
    int64_t *workspace = workspace_offsets(d);
    x->n = d->graph->n;
    x->budget_bytes = d->budget;
    x->step = base_malloc((size_t)x->step_count, sizeof *x->step);
    x->buffer = base_calloc((size_t)d->buffer_count, sizeof *x->buffer);
    for (int k = 0; k < x->step_count; k++) {
        const int b = list[k].buffer;
        if (list[k].op == PLAN_COMPUTE || list[k].op == PLAN_PAGEIN) {
            number[b] = x->buffer_count++;
            x->buffer[number[b]] =
                (plan_buffer){.node = d->buffer[b].node, .offset = d->buffer[b].offset};
        }
        x->step[k] = (plan_step){.op = list[k].op,
                                 .buffer = number[b],
                                 .workspace = list[k].op == PLAN_COMPUTE ? workspace[b] : 0};
    }
    for (int b = 0; numbers && b < d->buffer_count; b++)
        numbers[b] = d->buffer[b].workspace ? -1 : number[b];
    base_free_all(workspace, number, list);
    plan_measure(d->graph, x);
    return x;
}
