/* The memory that a graph takes at least and at most, problems, and budgets for them. */
#include <limits.h>
#include <math.h>

#include "problem/graph.h"

void graph_checkpoint_all_bytes(const graph *g, int64_t *bytes)
{
    /* Once t is computed, the memory holds t and every i < t that t or a later node reads.
     * dies[t]: bytes of the tensors that t is the last reader of. */
    int64_t *dies = base_calloc((size_t)g->n, sizeof *dies);
    int64_t live = 0;
    for (int t = 0; t < g->n; t++) {
        live += g->bytes[t];
        bytes[t] = live + g->workspace[t];
        dies[g->last_user[t]] += g->bytes[t];
        live -= dies[t];
    }
    base_free(dies);
}

int64_t graph_checkpoint_all_peak(const graph *g)
{
    int64_t *bytes = base_malloc((size_t)g->n, sizeof *bytes), peak = 0;
    graph_checkpoint_all_bytes(g, bytes);
    for (int t = 0; t < g->n; t++)
        peak = bytes[t] > peak ? bytes[t] : peak;
    base_free(bytes);
    return peak;
}

int64_t graph_minimum_bytes(const graph *g, int *node)
{
    int64_t largest = -1;
    for (int i = 0; i < g->n; i++) {
        int64_t sum = g->bytes[i] + g->workspace[i];
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
            sum += g->bytes[g->input[e]];
        if (sum > largest) {
            largest = sum;
            if (node)
                *node = i;
        }
    }
    return largest;
}

problem problem_make(const graph *g, int64_t ram_budget_bytes)
{
    return (problem){
        .graph = g,
        .ram_budget_bytes = ram_budget_bytes,
        .deadline_seconds = INFINITY,
        .allow_paging = true,
        .allow_remat = true,
        .max_computations = INT_MAX,
    };
}

int problem_budget(const graph *g, const base_amount *ram, int64_t *bytes, base_error *error)
{
    if (base_amount_bytes(ram, graph_checkpoint_all_peak(g), bytes, error) != 0)
        return -1;
    if (*bytes > PROBLEM_MAX_BUDGET)
        return base_fail(error, "more than 2^52 bytes");
    if (ram->percent)
        return 0;
    if (*bytes < g->resident_bytes)
        return base_fail(error, "%lld bytes; the resident bytes of the graph alone are %lld",
                         (long long)*bytes, (long long)g->resident_bytes);
    *bytes -= g->resident_bytes;
    return 0;
}

double problem_slack_seconds(const problem *p)
{
    if (isinf(p->deadline_seconds))
        return p->deadline_seconds;
    return p->deadline_seconds - graph_base_seconds(p->graph) + 1e-12 * p->deadline_seconds;
}
