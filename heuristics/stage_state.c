/* The states of the dynamic programme from stage to stage: which of them stay, and how they came
 * about. */
#include "heuristics/stage_dp_internal.h"

#include <string.h>

const uint64_t *stage_dp_active(const stage_dp *dp, int t)
{
    return dp->params->exact ? dp->everything : dp->active + (size_t)t * (size_t)dp->words;
}

/* True if the idle nodes that a state keeps leave room for every earlier stage. */
static bool leaves_room(void *context, const frontier *l, int index)
{
    const stage_dp *dp = context;
    const graph *g = dp->graph;
    const int t = dp->t;
    const uint64_t *keep = frontier_keep(l, index), *active = stage_dp_active(dp, t);
    int64_t idle = 0;
    for (int s = 0; s < t; s++) {
        int64_t need = idle + g->bytes[s] + g->workspace[s];
        for (int e = g->input_start[s]; e < g->input_start[s + 1]; e++) {
            const int i = g->input[e];
            if (!bits_has(keep, i) || bits_has(active, i))
                need += g->bytes[i];
        }
        if (need > dp->problem->ram_budget_bytes)
            return false;
        if (bits_has(keep, s) && !bits_has(active, s))
            idle += g->bytes[s];
    }
    return true;
}

void stage_dp_select(stage_dp *dp, frontier *l, int t)
{
    const frontier_rule rule = {.strata = dp->params->strata,
                                .width = dp->params->width,
                                .budget_bytes = dp->problem->ram_budget_bytes,
                                .slack_seconds = dp->slack_seconds,
                                .active = stage_dp_active(dp, t),
                                .subsets = dp->params->subsets,
                                .accept = dp->params->exact ? NULL : leaves_room,
                                .context = dp};
    frontier_select(l, &rule);
}

void stage_dp_count_computed(stage_dp *dp, int index)
{
    if (!problem_limits_computations(dp->problem))
        return;
    memset(dp->computed, 0, (size_t)dp->n * sizeof *dp->computed);
    for (int t = dp->t + 1; t < dp->n; t++) {
        const trace *tr = &dp->traces[dp->trace_start[t] + (size_t)index];
        for (int c = 0; c < tr->compute_count; c++)
            dp->computed[dp->moves[tr->start + (size_t)c]]++;
        index = tr->parent;
    }
    base_work((size_t)dp->n);
}

void stage_dp_swap(stage_dp *dp)
{
    frontier swap = dp->from;
    dp->from = dp->to;
    dp->to = swap;
}

void stage_dp_save_traces(stage_dp *dp, const frontier *l, int t)
{
    dp->trace_start[t] = dp->trace_count;
    if (dp->trace_count + (size_t)l->count > dp->trace_room) {
        dp->trace_room = 2 * (dp->trace_count + (size_t)l->count);
        dp->traces = base_realloc(dp->traces, dp->trace_room, sizeof *dp->traces);
    }
    for (int k = 0; k < l->count; k++) {
        const frontier_state *s = &l->state[k];
        const size_t most = (size_t)dp->n + (size_t)s->compute_count;
        if (dp->move_count + most > dp->move_room) {
            dp->move_room = 2 * (dp->move_count + most);
            dp->moves = base_realloc(dp->moves, dp->move_room, sizeof *dp->moves);
        }
        trace *tr = &dp->traces[dp->trace_count++];
        *tr = (trace){s->parent, s->compute_count, 0, dp->move_count};
        for (int c = 0; c < s->compute_count; c++)
            dp->moves[dp->move_count++] = frontier_compute(l, k)[c];
        const uint64_t *pagein = frontier_pagein(l, k);
        for (int i = bits_below(pagein, pagein, t); i >= 0; i = bits_below(pagein, pagein, i)) {
            dp->moves[dp->move_count++] = (uint16_t)i;
            tr->pagein_count++;
        }
    }
}
