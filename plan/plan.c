/* Figures of a plan, and the check of its shape. */
#include "plan/plan.h"

#include <assert.h>
#include <string.h>

#include "plan/draft.h"

const char *plan_op_name(plan_op op)
{
    static const char *const name[] = {"compute", "pagein", "pageout", "free"};
    return name[op];
}

plan_options plan_options_default(void)
{
    return (plan_options){.overlap = true};
}

void plan_free(plan *x)
{
    if (!x)
        return;
    base_free_all(x->step, x->buffer, x);
}

void plan_file_clear(plan_file *file)
{
    graph_free(file->graph);
    plan_free(file->plan);
    *file = (plan_file){0};
}

static bool begins_life(plan_op op)
{
    return op == PLAN_COMPUTE || op == PLAN_PAGEIN;
}

int plan_check_shape(const plan *x, base_error *error)
{
    bool *alive = base_calloc((size_t)x->buffer_count, sizeof *alive);
    int begun = 0, bad = -1;
    const char *why = NULL;
    for (int k = 0; k < x->step_count && !why; k++) {
        const int b = x->step[k].buffer;
        bad = k;
        if (b < 0 || b >= x->buffer_count)
            why = "no such buffer";
        else if (begins_life(x->step[k].op)) {
            if (b != begun)
                why = "buffers are expected in the order in which they are first written";
            else if (x->buffer[b].node < 0 || x->buffer[b].node >= x->n)
                why = "its node is not in the graph";
            else
                alive[begun++] = true;
        } else if (b >= begun || !alive[b])
            why = "the buffer is not in use";
        else if (x->step[k].op == PLAN_FREE)
            alive[b] = false;
    }
    base_free(alive);
    if (why)
        return base_fail(error, "step %d (%s buffer %d): %s", bad, plan_op_name(x->step[bad].op),
                         x->step[bad].buffer, why);
    if (begun != x->buffer_count)
        return base_fail(error, "%d of %d buffers are never written", x->buffer_count - begun,
                         x->buffer_count);
    return 0;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Updates peak and arena for a step that begins a buffer's life; load: with that buffer. */
static void measure_step(const graph *g, plan *x, int k, int64_t load)
{
    const plan_step *step = &x->step[k];
    const plan_buffer *buffer = &x->buffer[step->buffer];
    const int64_t work = step->op == PLAN_COMPUTE ? g->workspace[buffer->node] : 0;
    x->peak_bytes = larger(x->peak_bytes, load + work);
    x->arena_bytes = larger(x->arena_bytes, buffer->offset + g->bytes[buffer->node]);
    if (work > 0)
        x->arena_bytes = larger(x->arena_bytes, step->workspace + work);
}

void plan_measure(const graph *g, plan *x)
{
    bool *taken = base_calloc((size_t)x->buffer_count + 1, sizeof *taken);
    int64_t load = 0;
    int lowest = 0; /* all registers below it are taken */
    x->peak_bytes = x->arena_bytes = 0;
    x->register_count = 0;
    for (int k = 0; k < x->step_count; k++) {
        plan_buffer *buffer = &x->buffer[x->step[k].buffer];
        const int64_t bytes = g->bytes[buffer->node];
        if (begins_life(x->step[k].op)) {
            while (taken[lowest])
                lowest++;
            taken[buffer->reg = lowest] = true;
            if (buffer->reg >= x->register_count)
                x->register_count = buffer->reg + 1;
            load += bytes;
            measure_step(g, x, k, load);
        } else if (x->step[k].op == PLAN_FREE) {
            taken[buffer->reg] = false;
            if (buffer->reg < lowest)
                lowest = buffer->reg;
            load -= bytes;
        }
    }
    base_free(taken);
}
