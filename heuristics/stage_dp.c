/* The frame of the dynamic programme: windows of active nodes, the frontiers from the last stage
 * to the first, and the schedule read back along the traces. Serving a stage is stage_serve.c,
 * what leaves no choice stage_forced.c. */
#include "heuristics/stage_dp.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "heuristics/stage_dp_internal.h"

stage_dp_params stage_dp_defaults(int width)
{
    return (stage_dp_params){.merge_depth = 3,
                             .bound_depth = 1,
                             .ahead_depth = 0,
                             .lookahead = 0,
                             .strata = 16,
                             .width = width,
                             .leaf_limit = 400,
                             .subsets = true,
                             .cutoff_joules = INFINITY};
}

stage_dp *stage_dp_create(const problem *p)
{
    const graph *g = p->graph;
    stage_dp *dp = base_calloc(1, sizeof *dp);
    dp->problem = p;
    dp->graph = g;
    dp->n = g->n;
    dp->words = bits_words(g->n);
    dp->ahead_depth = dp->lookahead = -1;
    dp->slack_seconds = problem_slack_seconds(p);
    const size_t words = (size_t)dp->words, matrix = (size_t)g->n * words;
    dp->inputs = base_calloc(matrix, sizeof *dp->inputs);
    dp->ahead = base_calloc(matrix, sizeof *dp->ahead);
    dp->everything = base_malloc(words, sizeof *dp->everything);
    memset(dp->everything, 0xff, words * sizeof *dp->everything);
    for (int k = 0; k < g->n; k++)
        for (int e = g->input_start[k]; e < g->input_start[k + 1]; e++)
            bits_add(dp->inputs + (size_t)k * words, g->input[e]);
    dp->bound = room_bound_create(p);
    dp->forced = base_calloc((size_t)g->n + 1, sizeof *dp->forced);
    dp->computed = base_calloc((size_t)g->n, sizeof *dp->computed);
    dp->trace_start = base_calloc((size_t)g->n + 1, sizeof *dp->trace_start);
    uint64_t *sets = base_calloc(7 * words, sizeof *sets);
    dp->later = sets;
    dp->optional = sets + words;
    dp->wanted = sets + 2 * words;
    dp->keep = sets + 3 * words;
    dp->pagein = sets + 4 * words;
    dp->paged = sets + 5 * words;
    dp->charged = sets + 6 * words;
    return dp;
}

void stage_dp_free(stage_dp *dp)
{
    if (!dp)
        return;
    if (dp->frontier_room) {
        frontier_free(&dp->from);
        frontier_free(&dp->to);
    }
    base_free(dp->inputs);
    base_free(dp->ahead);
    for (int k = 0; k < dp->window_count; k++)
        base_free(dp->window[k].sets);
    base_free(dp->everything);
    room_bound_free(dp->bound);
    base_free(dp->forced);
    base_free(dp->computed);
    base_free(dp->trace_start);
    base_free(dp->traces);
    base_free(dp->moves);
    base_free(dp->later);
    base_free(dp);
}

uint64_t stage_dp_work(const stage_dp *dp)
{
    return dp->work;
}

/* ---- windows ---------------------------------------------------------------- */

/* Adds t and its ancestors within `depth` edges to set; distance is scratch of t+1. */
static void add_near(const graph *g, int t, int depth, int *distance, uint64_t *set)
{
    for (int i = 0; i < t; i++)
        distance[i] = depth + 1;
    distance[t] = 0;
    for (int i = t; i >= 0; i--) {
        if (distance[i] > depth)
            continue;
        bits_add(set, i);
        for (int e = g->input_start[i]; e < g->input_start[i + 1]; e++)
            if (distance[i] + 1 < distance[g->input[e]])
                distance[g->input[e]] = distance[i] + 1;
    }
}

/* The window of this depth, made if it is not remembered. */
static const uint64_t *window_of(stage_dp *dp, int depth)
{
    for (int k = 0; k < dp->window_count; k++)
        if (dp->window[k].depth == depth)
            return dp->window[k].sets;
    const size_t stride = (size_t)dp->words;
    struct window *window;
    if (dp->window_count < WINDOWS) {
        window = &dp->window[dp->window_count++];
        window->sets = base_malloc((size_t)dp->n, stride * sizeof *window->sets);
    } else {
        window = &dp->window[depth % WINDOWS];
    }
    window->depth = depth;
    memset(window->sets, 0, (size_t)dp->n * stride * sizeof *window->sets);
    int *distance = base_malloc((size_t)dp->n, sizeof *distance);
    for (int t = 1; t < dp->n; t++)
        add_near(dp->graph, t - 1, depth, distance, window->sets + (size_t)t * stride);
    base_free(distance);
    return window->sets;
}

/* near, active and ahead for these parameters. */
static void make_windows(stage_dp *dp, const stage_dp_params *params)
{
    const size_t stride = (size_t)dp->words;
    dp->active = window_of(dp, params->merge_depth);
    dp->near = window_of(dp, params->bound_depth);
    dp->active = window_of(dp, params->merge_depth); /* unless that took its place */
    if (dp->ahead_depth == params->ahead_depth && dp->lookahead == params->lookahead)
        return;
    dp->ahead_depth = params->ahead_depth;
    dp->lookahead = params->lookahead;
    memset(dp->ahead, 0, (size_t)dp->n * stride * sizeof *dp->ahead);
    int *distance = base_malloc((size_t)dp->n, sizeof *distance);
    for (int t = 0; t < dp->n; t++)
        for (int s = t; s < dp->n && s < t + params->lookahead; s++)
            add_near(dp->graph, s, params->ahead_depth, distance, dp->ahead + (size_t)t * stride);
    base_free(distance);
}

/* ---- the run ----------------------------------------------------------------- */

/* The members of K[t+1] for which stage t has more to decide than to keep them. */
static const uint64_t *deciding_at(stage_dp *dp, int t, uint64_t *scratch)
{
    const uint8_t *allow = dp->params->allow;
    if (!allow)
        return dp->ahead + (size_t)t * (size_t)dp->words;
    memset(scratch, 0, (size_t)dp->words * sizeof *scratch);
    const uint8_t *row = allow + (size_t)t * (size_t)dp->n;
    for (int i = 0; i < t; i++)
        if ((row[i] & (STAGE_DP_KEEP | STAGE_DP_AHEAD)) != STAGE_DP_KEEP)
            bits_add(scratch, i);
    return scratch;
}

static void prepare(stage_dp *dp, const stage_dp_params *params)
{
    dp->params = params;
    dp->stopped = false;
    dp->check_at = dp->work + CHECK_INTERVAL;
    dp->work_stop = params->work_limit ? dp->work + params->work_limit : UINT64_MAX;
    make_windows(dp, params);
    const int room = 1024 + 6 * params->strata * params->width;
    if (dp->frontier_room < room) {
        if (dp->frontier_room) {
            frontier_free(&dp->from);
            frontier_free(&dp->to);
        }
        const int most = dp->n < COMPUTE_LIMIT ? dp->n : COMPUTE_LIMIT;
        frontier_init(&dp->from, dp->words, most, room);
        frontier_init(&dp->to, dp->words, most, room);
        dp->frontier_room = room;
    }
    dp->trace_count = dp->move_count = 0;
    frontier_clear(&dp->from);
    const int root = frontier_place(&dp->from, &(frontier_state){.parent = -1}, 0);
    assert(root == 0);
    memset(frontier_keep(&dp->from, root), 0, 3 * (size_t)dp->words * sizeof(uint64_t));
}

/* The frontier of stage t from that of stage t+1. */
static void serve_stage(stage_dp *dp, int t)
{
    uint64_t *scratch = base_malloc((size_t)dp->words, sizeof *scratch);
    const uint64_t *deciding = deciding_at(dp, t, scratch);
    dp->t = t;
    dp->cutoff = dp->params->cutoff_joules - dp->forced[t];
    room_bound_stage(dp->bound, t, dp->near + (size_t)t * (size_t)dp->words, dp->params->loose);
    frontier_clear(&dp->to);
    for (int k = 0; k < dp->from.count && !dp->stopped; k++)
        stage_dp_serve(dp, k, deciding);
    base_free(scratch);
}

static schedule *rebuild(const stage_dp *dp, const frontier *last, int index);

schedule *stage_dp_run(stage_dp *dp, const stage_dp_params *params)
{
    assert(params->width > 0 && params->strata > 0 && params->leaf_limit > 0);
    if (!(dp->slack_seconds >= 0))
        return NULL;
    prepare(dp, params);
    for (int t = stage_dp_follow_forced(dp); t >= 0; t--) {
        serve_stage(dp, t);
        if (dp->stopped || dp->to.count == 0)
            return NULL;
        stage_dp_select(dp, &dp->to, t);
        stage_dp_save_traces(dp, &dp->to, t);
        stage_dp_swap(dp);
    }
    if (dp->from.count == 0 || !(dp->from.state[0].joules < params->cutoff_joules))
        return NULL;
    return rebuild(dp, &dp->from, 0);
}

/* S from the rest, last stage first, as schedule_prune defines it. */
static void derive_residency(const graph *g, schedule *s)
{
    const int n = s->n;
    for (int t = n - 1; t >= 0; t--) {
        const size_t row = schedule_cell(s, t, 0), next = row + (size_t)n;
        for (int k = 0; k <= t; k++)
            for (int e = g->input_start[k]; s->R[row + (size_t)k] && e < g->input_start[k + 1]; e++)
                s->S[row + (size_t)g->input[e]] = 1;
        for (int i = 0; i < t; i++) {
            const size_t c = row + (size_t)i;
            const bool kept = t + 1 < n && s->S[next + (size_t)i];
            const bool stored = t + 1 < n && s->A[next + (size_t)i];
            s->S[c] = !s->R[c] && (s->S[c] || s->Out[c] || (kept && !s->In[c]));
            s->A[c] = s->In[c] || (stored && !s->Out[c]);
        }
        s->S[row + (size_t)t] = 0;
    }
}

/* The schedule of the state `index` of the frontier of stage 0. */
static schedule *rebuild(const stage_dp *dp, const frontier *last, int index)
{
    schedule *s = schedule_create(dp->n);
    for (int i = 0; i + 1 < dp->n; i++)
        if (bits_has(frontier_paged(last, index), i))
            s->Out[schedule_cell(s, i + 1, i)] = 1;
    for (int t = 0; t < dp->n; t++) {
        const trace *tr = &dp->traces[dp->trace_start[t] + (size_t)index];
        for (int c = 0; c < tr->compute_count; c++)
            s->R[schedule_cell(s, t, dp->moves[tr->start + (size_t)c])] = 1;
        for (int c = 0; c < tr->pagein_count; c++) {
            const int i = dp->moves[tr->start + (size_t)(tr->compute_count + c)];
            s->In[schedule_cell(s, t - 1, i)] = 1;
        }
        index = tr->parent;
    }
    derive_residency(dp->graph, s);
    schedule_prune(dp->graph, s);
    return s;
}
