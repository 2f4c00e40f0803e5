/* Plans as text and JSON. */
#include <inttypes.h>

#include "plan/draft.h"
#include "problem/graph_json.h"
#include "problem/strict.h"

/* Prints the inputs of a computation as the registers that hold them. */
static void print_inputs(const graph *g, const plan *x, const int *holder, int node, FILE *out)
{
    fputc('(', out);
    for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++)
        fprintf(out, "%s%%%d", e > g->input_start[node] ? ", " : "",
                x->buffer[holder[g->input[e]]].reg);
    fputc(')', out);
}

void plan_print_step(const graph *g, const plan *x, const int *holder, int k, FILE *out)
{
    const plan_step *step = &x->step[k];
    const plan_buffer *buffer = &x->buffer[step->buffer];
    const char *name = g->node_name[buffer->node];
    switch (step->op) {
    case PLAN_COMPUTE:
    case PLAN_PAGEIN:
        fprintf(out, "%%%d @%" PRId64 " = %s %s", buffer->reg, buffer->offset,
                plan_op_name(step->op), name);
        if (step->op == PLAN_COMPUTE)
            print_inputs(g, x, holder, buffer->node, out);
        if (step->op == PLAN_COMPUTE && g->workspace[buffer->node] > 0)
            fprintf(out, " in @%" PRId64, step->workspace);
        graph_print_also(g, buffer->node, buffer->offset, out);
        break;
    case PLAN_PAGEOUT:
        fprintf(out, "pageout %%%d to %s", buffer->reg, name);
        break;
    case PLAN_FREE:
        fprintf(out, "free %%%d", buffer->reg);
        break;
    }
}

void plan_print_text(const graph *g, const plan *x, FILE *out)
{
    plan_timeline alone = plan_simulate(g, x, false), beside = plan_simulate(g, x, true);
    int *holder = base_calloc((size_t)x->n, sizeof *holder);
    fprintf(out, "%12s %12s  step\n", "without DMA", "with DMA");
    for (int k = 0; k < x->step_count; k++) {
        const plan_step *step = &x->step[k];
        if (step->op == PLAN_FREE)
            fprintf(out, "%12s %12s  ", "", "");
        else
            fprintf(out, "%12.6f %12.6f  ", alone.start[k], beside.start[k]);
        plan_print_step(g, x, holder, k, out);
        fputc('\n', out);
        if (step->op == PLAN_COMPUTE || step->op == PLAN_PAGEIN)
            holder[x->buffer[step->buffer].node] = step->buffer;
    }
    base_free(holder);
    plan_timeline_clear(&alone);
    plan_timeline_clear(&beside);
}

static void print_seconds(const graph *g, const plan *x, const plan_timeline *beside, FILE *out)
{
    plan_timeline alone = plan_simulate(g, x, false);
    const struct {
        const char *key;
        double value;
    } field[] = {{"compute", alone.compute_seconds},
                 {"transfer", alone.transfer_seconds},
                 {"sequential", alone.total_seconds},
                 {"overlapped", beside->total_seconds},
                 {"stall", beside->stall_seconds}};
    fputs(",\n\"seconds\": {", out);
    for (size_t k = 0; k < sizeof field / sizeof *field; k++) {
        fprintf(out, "%s\"%s\": ", k ? ", " : "", field[k].key);
        strict_print_real(field[k].value, out);
    }
    fputs("}", out);
    plan_timeline_clear(&alone);
}

void plan_print_json(const graph *g, const plan *x, FILE *out)
{
    plan_timeline beside = plan_simulate(g, x, true);
    fputs("{", out);
    graph_source_print(g, out);
    fprintf(out,
            ",\n\"ram_budget_bytes\": %" PRId64 ",\n\"arena_bytes\": %" PRId64
            ",\n\"peak_bytes\": %" PRId64 ",\n\"registers\": %d",
            x->budget_bytes, x->arena_bytes, x->peak_bytes, x->register_count);
    print_seconds(g, x, &beside, out);
    fputs(",\n\"buffers\": [", out);
    for (int b = 0; b < x->buffer_count; b++)
        fprintf(out,
                "%s\n  {\"node\": %d, \"register\": %d, \"offset\": %" PRId64
                ", \"bytes\": %" PRId64 "}",
                b ? "," : "", x->buffer[b].node, x->buffer[b].reg, x->buffer[b].offset,
                g->bytes[x->buffer[b].node]);
    fputs("],\n\"steps\": [", out);
    for (int k = 0; k < x->step_count; k++) {
        fprintf(out,
                "%s\n  {\"op\": \"%s\", \"buffer\": %d, \"node\": %d, \"start\": ", k ? "," : "",
                plan_op_name(x->step[k].op), x->step[k].buffer, x->buffer[x->step[k].buffer].node);
        strict_print_real(beside.start[k], out);
        if (x->step[k].op == PLAN_COMPUTE && g->workspace[x->buffer[x->step[k].buffer].node] > 0)
            fprintf(out, ", \"workspace_offset\": %" PRId64, x->step[k].workspace);
        fputs(", \"finish\": ", out);
        strict_print_real(beside.finish[k], out);
        fputs("}", out);
    }
    fputs("]}", out);
    plan_timeline_clear(&beside);
}
