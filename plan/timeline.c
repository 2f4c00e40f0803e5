/* Times of a plan's steps, with a bus beside the processor or without. */
#include <assert.h>

#include "plan/draft.h"

/* Page-outs that may be reading their buffers. */
typedef struct running {
    int64_t begin, end;
    double finish;
} running;

typedef struct clock {
    const graph *g;
    const plan *x;
    double processor, bus;
    double *arrival; /* time at which buffer b holds its value; extent buffer_count */
    int *holder;     /* buffer that held node i last; extent n */
    running *out;    /* page-outs in the order of their ends */
    int out_first, out_count;
} clock;

static double later(double a, double b)
{
    return a > b ? a : b;
}

static double transfer_seconds(const graph *g, plan_op op, int node)
{
    return op == PLAN_PAGEIN ? g->pagein_seconds[node] : g->pageout_seconds[node];
}

/* Time at which the computation can begin. */
static double compute_ready(clock *c, const plan_step *step)
{
    const graph *g = c->g;
    const int b = step->buffer, node = c->x->buffer[b].node;
    const int64_t begin = c->x->buffer[b].offset, end = begin + g->bytes[node];
    const int64_t work = step->workspace, work_end = work + g->workspace[node];
    double ready = c->processor;
    for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++)
        if (c->holder[g->input[e]] >= 0)
            ready = later(ready, c->arrival[c->holder[g->input[e]]]);
    while (c->out_first < c->out_count && c->out[c->out_first].finish <= ready)
        c->out_first++;
    for (int k = c->out_first; k < c->out_count; k++)
        if ((c->out[k].begin < end && begin < c->out[k].end) ||
            (g->workspace[node] > 0 && c->out[k].begin < work_end && work < c->out[k].end))
            ready = later(ready, c->out[k].finish);
    return ready;
}

static void run_compute(clock *c, const plan_step *step, bool overlap, double *start,
                        double *finish)
{
    const int b = step->buffer, node = c->x->buffer[b].node;
    *start = overlap ? compute_ready(c, step) : c->processor;
    *finish = c->processor = *start + c->g->seconds[node];
    c->arrival[b] = *finish;
    c->holder[node] = b;
}

static void run_transfer(clock *c, plan_op op, int b, bool overlap, double *start, double *finish)
{
    const int node = c->x->buffer[b].node;
    *start = later(c->processor, c->bus);
    *finish = c->bus = *start + transfer_seconds(c->g, op, node);
    if (!overlap)
        c->processor = *finish;
    if (op == PLAN_PAGEIN) {
        c->arrival[b] = *finish;
        c->holder[node] = b;
    } else {
        const int64_t begin = c->x->buffer[b].offset;
        c->out[c->out_count++] = (running){begin, begin + c->g->bytes[node], *finish};
    }
}

plan_timeline plan_simulate(const graph *g, const plan *x, bool overlap)
{
    const size_t steps = (size_t)x->step_count;
    plan_timeline t = {.start = base_calloc(steps, sizeof *t.start),
                       .finish = base_calloc(steps, sizeof *t.finish)};
    clock c = {.g = g,
               .x = x,
               .arrival = base_calloc((size_t)x->buffer_count, sizeof *c.arrival),
               .holder = base_malloc((size_t)x->n, sizeof *c.holder),
               .out = base_calloc(steps, sizeof *c.out)};
    for (int i = 0; i < x->n; i++)
        c.holder[i] = -1;
    for (int k = 0; k < x->step_count; k++) {
        const int b = x->step[k].buffer, node = x->buffer[b].node;
        switch (x->step[k].op) {
        case PLAN_COMPUTE:
            run_compute(&c, &x->step[k], overlap, &t.start[k], &t.finish[k]);
            t.compute_seconds += g->seconds[node];
            break;
        case PLAN_PAGEIN:
        case PLAN_PAGEOUT:
            run_transfer(&c, x->step[k].op, b, overlap, &t.start[k], &t.finish[k]);
            t.transfer_seconds += transfer_seconds(g, x->step[k].op, node);
            break;
        case PLAN_FREE:
            t.start[k] = t.finish[k] = c.processor;
            break;
        }
    }
    t.total_seconds = later(c.processor, c.bus);
    t.stall_seconds = later(t.total_seconds - t.compute_seconds, 0);
    base_free_all(c.arrival, c.holder, c.out);
    return t;
}

void plan_timeline_clear(plan_timeline *t)
{
    base_free(t->start);
    base_free(t->finish);
    *t = (plan_timeline){0};
}
