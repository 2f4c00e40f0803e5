/* Execution on a simulated memory. Writes go to memory without living buffers, so a living
 * buffer holds the value with which its life began, and a read of it finds that value. */
#include <inttypes.h>

#include "plan/draft.h"

typedef struct machine {
    const graph *g;
    const plan *x;
    int *holder;  /* living buffer of node i, -1: none; extent n */
    bool *stored; /* true: node i is on storage */
    int *living;  /* living buffers, extent living_count */
    int living_count;
    int first_done; /* number of nodes computed so far: 0..first_done-1 */
    int64_t load;
    long double extra_joules, extra_seconds, transfer_seconds;
    plan_execution *result;
    int step;
    base_error *error;
} machine;

static int64_t begin_of(const machine *v, int b)
{
    return v->x->buffer[b].offset;
}

static int64_t end_of(const machine *v, int b)
{
    return v->x->buffer[b].offset + v->g->bytes[v->x->buffer[b].node];
}

static int fail(const machine *v, const char *text, int other)
{
    const plan_step *step = &v->x->step[v->step];
    const int node = v->x->buffer[step->buffer].node;
    return base_fail(v->error, "step %d, %s node %d (%s) in buffer %d: %s %d", v->step,
                     plan_op_name(step->op), node, v->g->node_name[node], step->buffer, text,
                     other);
}

/* Counts memory that a step uses: `bytes' beside the living buffers, up to the address end. */
static void count_memory(machine *v, int64_t bytes, int64_t end)
{
    plan_execution *result = v->result;
    if (v->load + bytes > result->peak_bytes)
        result->peak_bytes = v->load + bytes;
    if (end > result->arena_bytes)
        result->arena_bytes = end;
}

static bool ranges_meet(const machine *v, int a, int b)
{
    return begin_of(v, a) < end_of(v, b) && begin_of(v, b) < end_of(v, a);
}

static int begin_life(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    if (begin_of(v, b) < 0 || begin_of(v, b) > v->x->budget_bytes - v->g->bytes[node])
        return fail(v, "the buffer ends beyond the budget, node", node);
    for (int k = 0; k < v->living_count; k++) {
        const int other = v->living[k];
        if (ranges_meet(v, b, other))
            return fail(v, "overlaps living buffer", other);
    }
    v->living[v->living_count++] = b;
    v->load += v->g->bytes[node];
    count_memory(v, 0, end_of(v, b));
    return 0;
}

/* Checks that the workspace of the step's node, if it has one, is free memory. */
static int use_workspace(machine *v, int node)
{
    const int64_t bytes = v->g->workspace[node], begin = v->x->step[v->step].workspace;
    if (bytes == 0)
        return 0;
    if (begin < 0 || begin > v->x->budget_bytes - bytes)
        return fail(v, "the workspace ends beyond the budget, node", node);
    for (int k = 0; k < v->living_count; k++)
        if (begin < end_of(v, v->living[k]) && begin_of(v, v->living[k]) < begin + bytes)
            return fail(v, "the workspace overlaps living buffer", v->living[k]);
    count_memory(v, bytes, begin + bytes);
    return 0;
}

static int read_inputs(const machine *v, int node)
{
    const graph *g = v->g;
    for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++)
        if (v->holder[g->input[e]] < 0)
            return fail(v, "no buffer holds its input, node", g->input[e]);
    return 0;
}

static int execute_compute(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    if (node > v->first_done)
        return fail(v, "computed before its stage: expected first is node", v->first_done);
    if (read_inputs(v, node) || begin_life(v, b) || use_workspace(v, node))
        return -1;
    v->holder[node] = b;
    if (node == v->first_done) {
        v->first_done++;
        return 0;
    }
    v->result->recompute_count++;
    v->extra_joules += v->g->joules[node];
    v->extra_seconds += v->g->seconds[node];
    return 0;
}

static int execute_pagein(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    if (!v->stored[node])
        return fail(v, "nothing on storage of node", node);
    if (v->holder[node] >= 0)
        return fail(v, "the tensor is already in buffer", v->holder[node]);
    if (begin_life(v, b))
        return -1;
    v->holder[node] = b;
    v->result->pagein_count++;
    v->extra_joules += v->g->pagein_joules[node];
    v->transfer_seconds += v->g->pagein_seconds[node];
    return 0;
}

static int execute_pageout(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    v->stored[node] = true;
    v->result->pageout_count++;
    v->extra_joules += v->g->pageout_joules[node];
    v->transfer_seconds += v->g->pageout_seconds[node];
    return 0;
}

static int execute_free(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    if (v->holder[node] == b)
        v->holder[node] = -1;
    v->load -= v->g->bytes[node];
    int k = 0;
    while (v->living[k] != b)
        k++;
    v->living[k] = v->living[--v->living_count];
    return 0;
}

static int execute_steps(machine *v)
{
    static int (*const action[])(machine *, int) = {execute_compute, execute_pagein,
                                                    execute_pageout, execute_free};
    for (v->step = 0; v->step < v->x->step_count; v->step++) {
        const plan_step *step = &v->x->step[v->step];
        if (action[step->op](v, step->buffer))
            return -1;
    }
    if (v->first_done < v->g->n)
        return base_fail(v->error, "the plan ends before node %d (%s) is computed", v->first_done,
                         v->g->node_name[v->first_done]);
    return 0;
}

/* ---- transfers beside the computation ------------------------------------------------------ */

/* Checks that step k and the transfer of step `transfer`, which run at the same time, do not write
 * memory that the other reads or writes. */
static int check_pair(machine *v, int transfer, int k, int *const *inputs)
{
    const plan_step *moving = &v->x->step[transfer], *step = &v->x->step[k];
    v->step = k;
    if (step->op != PLAN_COMPUTE)
        return fail(v, "the bus is busy with step", transfer);
    if (ranges_meet(v, moving->buffer, step->buffer))
        return fail(v, "writes memory under the transfer of step", transfer);
    const int node = v->x->buffer[step->buffer].node;
    const int count = v->g->input_start[node + 1] - v->g->input_start[node];
    if (step->workspace < end_of(v, moving->buffer) &&
        begin_of(v, moving->buffer) < step->workspace + v->g->workspace[node] &&
        v->g->workspace[node] > 0)
        return fail(v, "works in memory under the transfer of step", transfer);
    for (int e = 0; moving->op == PLAN_PAGEIN && e < count; e++)
        if (ranges_meet(v, moving->buffer, inputs[k][e]))
            return fail(v, "reads memory under the transfer of step", transfer);
    return 0;
}

/* inputs[k]: buffers that the computation of step k reads; rows are slices of pool. */
static int **reader_buffers(const machine *v, int **pool)
{
    const graph *g = v->g;
    size_t total = 0;
    for (int k = 0; k < v->x->step_count; k++) {
        const int node = v->x->buffer[v->x->step[k].buffer].node;
        total += (size_t)(g->input_start[node + 1] - g->input_start[node]);
    }
    int **inputs = base_calloc((size_t)v->x->step_count, sizeof *inputs);
    int *at = *pool = base_malloc(total + 1, sizeof **pool);
    for (int k = 0; k < v->x->step_count; k++) {
        const plan_step *step = &v->x->step[k];
        const int node = v->x->buffer[step->buffer].node;
        inputs[k] = at;
        for (int e = g->input_start[node]; step->op == PLAN_COMPUTE && e < g->input_start[node + 1];
             e++)
            *at++ = v->holder[g->input[e]];
        if (step->op == PLAN_COMPUTE || step->op == PLAN_PAGEIN)
            v->holder[node] = step->buffer;
    }
    return inputs;
}

/* Checks every two steps that run at the same time when transfers overlap. */
static int check_overlap(machine *v)
{
    plan_timeline t = plan_simulate(v->g, v->x, true);
    int *pool;
    int **inputs = reader_buffers(v, &pool);
    int failed = 0;
    for (int k = 0; k < v->x->step_count && !failed; k++) {
        if (v->x->step[k].op != PLAN_PAGEIN && v->x->step[k].op != PLAN_PAGEOUT)
            continue;
        for (int j = 0; j < v->x->step_count && !failed; j++) {
            bool transfer = v->x->step[j].op == PLAN_PAGEIN || v->x->step[j].op == PLAN_PAGEOUT;
            if (v->x->step[j].op != PLAN_FREE && (j > k || !transfer) && t.start[j] < t.finish[k] &&
                t.start[k] < t.finish[j])
                failed = check_pair(v, k, j, inputs);
        }
    }
    base_free(inputs);
    base_free(pool);
    plan_timeline_clear(&t);
    return failed;
}

int plan_execute(const graph *g, const plan *x, plan_execution *result, base_error *error)
{
    plan_execution scratch;
    if (!result)
        result = &scratch;
    *result = (plan_execution){0};
    if (x->n != g->n)
        return base_fail(error, "the plan is for %d nodes, the graph has %d", x->n, g->n);
    if (plan_check_shape(x, error))
        return -1;
    machine v = {.g = g,
                 .x = x,
                 .holder = base_malloc((size_t)g->n, sizeof *v.holder),
                 .stored = base_calloc((size_t)g->n, sizeof *v.stored),
                 .living = base_malloc((size_t)x->buffer_count + 1, sizeof *v.living),
                 .result = result,
                 .error = error};
    for (int i = 0; i < g->n; i++)
        v.holder[i] = -1;
    int failed = execute_steps(&v) || check_overlap(&v);
    result->overhead_joules = (double)v.extra_joules;
    result->energy_joules = (double)(v.extra_joules + (long double)graph_base_joules(g));
    result->compute_seconds = (double)(v.extra_seconds + (long double)graph_base_seconds(g));
    result->transfer_seconds = (double)v.transfer_seconds;
    base_free_all(v.holder, v.stored, v.living);
    return failed ? -1 : 0;
}
