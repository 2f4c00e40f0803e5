/* Execution on a simulated memory. The memory is a list of segments, each with the node of the
 * value in it. The list covers every address, in ascending order. */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "plan/draft.h"

/* Content of a segment without a node's value. */
enum { GARBAGE = -1 };

typedef struct segment {
    int64_t begin, end;
    int value;
} segment;

typedef struct machine {
    const graph *g;
    const plan *x;
    segment *memory; /* extent count, without gaps; a write adds at most two */
    int count;
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

/* Index of the segment that holds address at. */
static int find_segment(const machine *v, int64_t at)
{
    int low = 0, high = v->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (v->memory[middle].end <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Splits segments so that one begins at `at`; returns its index. */
static int split_segment(machine *v, int64_t at)
{
    int k = find_segment(v, at);
    if (v->memory[k].begin == at)
        return k;
    memmove(&v->memory[k + 1], &v->memory[k], (size_t)(v->count - k) * sizeof *v->memory);
    v->count++;
    v->memory[k].end = at;
    v->memory[k + 1].begin = at;
    return k + 1;
}

static void write_range(machine *v, int64_t begin, int64_t end, int value)
{
    if (begin == end)
        return;
    int first = split_segment(v, begin), last = split_segment(v, end);
    v->memory[first] = (segment){begin, end, value};
    memmove(&v->memory[first + 1], &v->memory[last], (size_t)(v->count - last) * sizeof *v->memory);
    v->count -= last - first - 1;
}

/* True if all of buffer b holds the value of its node. */
static bool reads_value(const machine *v, int b)
{
    if (begin_of(v, b) == end_of(v, b))
        return true;
    for (int k = find_segment(v, begin_of(v, b)); k < v->count && v->memory[k].begin < end_of(v, b);
         k++)
        if (v->memory[k].value != v->x->buffer[b].node)
            return false;
    return true;
}

static int begin_life(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    if (begin_of(v, b) < 0 || begin_of(v, b) > v->x->budget_bytes - v->g->bytes[node])
        return fail(v, "the buffer ends beyond the budget, node", node);
    for (int k = 0; k < v->living_count; k++) {
        const int other = v->living[k];
        if (begin_of(v, b) < end_of(v, other) && begin_of(v, other) < end_of(v, b))
            return fail(v, "overlaps living buffer", other);
    }
    v->living[v->living_count++] = b;
    v->load += v->g->bytes[node];
    if (v->load > v->result->peak_bytes)
        v->result->peak_bytes = v->load;
    if (end_of(v, b) > v->result->arena_bytes)
        v->result->arena_bytes = end_of(v, b);
    return 0;
}

/* Checks that the workspace of the step's node, if it has one, is free memory, and leaves it
 * overwritten. */
static int use_workspace(machine *v, int node)
{
    const int64_t bytes = v->g->workspace[node], begin = v->x->step[v->step].workspace;
    plan_execution *result = v->result;
    if (bytes == 0)
        return 0;
    if (begin < 0 || begin > v->x->budget_bytes - bytes)
        return fail(v, "the workspace ends beyond the budget, node", node);
    for (int k = 0; k < v->living_count; k++)
        if (begin < end_of(v, v->living[k]) && begin_of(v, v->living[k]) < begin + bytes)
            return fail(v, "the workspace overlaps living buffer", v->living[k]);
    write_range(v, begin, begin + bytes, GARBAGE);
    result->peak_bytes =
        v->load + bytes > result->peak_bytes ? v->load + bytes : result->peak_bytes;
    result->arena_bytes = begin + bytes > result->arena_bytes ? begin + bytes : result->arena_bytes;
    return 0;
}

static int read_inputs(const machine *v, int node)
{
    const graph *g = v->g;
    for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++) {
        const int b = v->holder[g->input[e]];
        if (b < 0)
            return fail(v, "no buffer holds its input, node", g->input[e]);
        if (!reads_value(v, b))
            return fail(v, "its input has been overwritten, node", g->input[e]);
    }
    return 0;
}

static int execute_compute(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    if (node > v->first_done)
        return fail(v, "computed before its stage: expected first is node", v->first_done);
    if (read_inputs(v, node) || begin_life(v, b) || use_workspace(v, node))
        return -1;
    write_range(v, begin_of(v, b), end_of(v, b), node);
    if (read_inputs(v, node)) /* still there, as the output went elsewhere */
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
    write_range(v, begin_of(v, b), end_of(v, b), node);
    v->holder[node] = b;
    v->result->pagein_count++;
    v->extra_joules += v->g->pagein_joules[node];
    v->transfer_seconds += v->g->pagein_seconds[node];
    return 0;
}

static int execute_pageout(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    if (!reads_value(v, b))
        return fail(v, "the buffer does not hold the value of node", node);
    v->stored[node] = true;
    v->result->pageout_count++;
    v->extra_joules += v->g->pageout_joules[node];
    v->transfer_seconds += v->g->pageout_seconds[node];
    return 0;
}

static int execute_free(machine *v, int b)
{
    const int node = v->x->buffer[b].node;
    if (!reads_value(v, b))
        return fail(v, "the buffer does not hold the value of node", node);
    write_range(v, begin_of(v, b), end_of(v, b), GARBAGE);
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

static bool ranges_meet(const machine *v, int a, int b)
{
    return begin_of(v, a) < end_of(v, b) && begin_of(v, b) < end_of(v, a);
}

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
                 .memory = base_malloc(2 * (size_t)x->step_count + 8, sizeof *v.memory),
                 .count = 1,
                 .holder = base_malloc((size_t)g->n, sizeof *v.holder),
                 .stored = base_calloc((size_t)g->n, sizeof *v.stored),
                 .living = base_malloc((size_t)x->buffer_count + 1, sizeof *v.living),
                 .result = result,
                 .error = error};
    v.memory[0] = (segment){INT64_MIN, INT64_MAX, GARBAGE};
    for (int i = 0; i < g->n; i++)
        v.holder[i] = -1;
    int failed = execute_steps(&v) || check_overlap(&v);
    result->overhead_joules = (double)v.extra_joules;
    result->energy_joules = (double)(v.extra_joules + (long double)graph_base_joules(g));
    result->compute_seconds = (double)(v.extra_seconds + (long double)graph_base_seconds(g));
    result->transfer_seconds = (double)v.transfer_seconds;
    base_free_all(v.memory, v.holder, v.stored, v.living);
    return failed ? -1 : 0;
}
