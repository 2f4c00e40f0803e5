/* The choices within a stage of the dynamic programme: how each tensor that is needed is served,
 * by keeping, paging or computing it. */
#include "heuristics/stage_dp_internal.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int64_t stage_dp_bytes(const stage_dp *dp, const uint64_t *set)
{
    int64_t bytes = 0;
    for (int w = 0; w < dp->words; w++)
        for (uint64_t word = set[w]; word; word &= word - 1)
            bytes += dp->graph->bytes[64 * w + __builtin_ctzll(word)];
    return bytes;
}

unsigned stage_dp_allowed(const stage_dp *dp, int i, bool read)
{
    const uint8_t *allow = dp->params->allow;
    unsigned mask = allow ? allow[(size_t)dp->t * (size_t)dp->n + (size_t)i] : STAGE_DP_ANY;
    if (!allow && !bits_has(dp->ahead + (size_t)dp->t * (size_t)dp->words, i))
        mask &= ~(unsigned)STAGE_DP_AHEAD;
    if (!problem_may_recompute(dp->problem, i) ||
        dp->computed[i] + 1 >= dp->problem->max_computations)
        mask &= ~(unsigned)(STAGE_DP_COMPUTE | STAGE_DP_AHEAD);
    if (!problem_may_page(dp->problem, i) || (!read && mask & STAGE_DP_KEEP))
        mask &= ~(unsigned)STAGE_DP_PAGE;
    return mask & ~(unsigned)(read ? STAGE_DP_AHEAD : STAGE_DP_COMPUTE);
}

/* True if i was computed or read in stage t-1 in every schedule: then only keeping
 * it makes sense, but for the peak inside stage t. */
static bool just_there(const stage_dp *dp, int i)
{
    return i == dp->t - 1 || bits_has(dp->inputs + (size_t)(dp->t - 1) * (size_t)dp->words, i);
}

int64_t stage_dp_peak(const stage_dp *dp, int64_t resident)
{
    int64_t now = resident, peak = 0;
    for (int c = dp->compute_count - 1; c >= 0; c--) {
        now += dp->graph->bytes[dp->compute[c]];
        const int64_t computing = now + dp->graph->workspace[dp->compute[c]];
        if (computing > peak)
            peak = computing;
        now -= dp->released[c];
    }
    return peak;
}

double stage_dp_charge(const stage_dp *dp, int64_t peak)
{
    const int64_t soft = dp->params->soft_bytes;
    return dp->params->price > 0 && peak > soft ? dp->params->price * (double)(peak - soft) : 0;
}

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9fb21c651e98df25u;
    return hash ^ hash >> 35;
}

/* Hash of what tells this state's future from others', but for its bytes. */
static uint64_t pattern_of(const stage_dp *dp, const uint64_t *active)
{
    uint64_t hash = 0x2545f4914f6cdd1du;
    for (int w = 0; w < dp->words; w++) {
        hash = hash_word(hash, dp->keep[w] & active[w]);
        hash = hash_word(hash, dp->pagein[w]);
        hash = hash_word(hash, dp->paged[w] & active[w]);
    }
    return hash;
}

static void record_state(stage_dp *dp)
{
    frontier *to = &dp->to;
    const bool charged = dp->problem->charge_pagein_transfer;
    const int64_t bytes = dp->keep_bytes + (charged ? dp->pagein_bytes : 0);
    const double estimate =
        dp->joules + room_bound_joules(dp->bound, dp->keep, dp->cutoff - dp->joules);
    if (!(estimate < dp->cutoff))
        return;
    const frontier_state s = {.joules = dp->joules,
                              .estimate = estimate,
                              .seconds = dp->seconds,
                              .bytes = bytes,
                              .pattern = pattern_of(dp, stage_dp_active(dp, dp->t)),
                              .parent = dp->parent,
                              .compute_count = dp->compute_count - 1};
    int class = 0;
    if (dp->slack_seconds > 0 && !isinf(dp->slack_seconds))
        class = (int)(dp->seconds / dp->slack_seconds * (SECONDS_CLASSES - 1));
    int index = frontier_place(to, &s, class);
    if (index < 0)
        return;
    const size_t set = (size_t)dp->words * sizeof(uint64_t);
    memcpy(frontier_keep(to, index), dp->keep, set);
    memcpy(frontier_pagein(to, index), dp->pagein, set);
    memcpy(frontier_paged(to, index), dp->paged, set);
    memcpy(frontier_compute(to, index), dp->compute + 1,
           (size_t)s.compute_count * sizeof *dp->compute);
}

/* Everything that stage t needs is decided: takes the state if the stage fits. */
static void finish_stage(stage_dp *dp)
{
    const int written = dp->t - 1; /* is written out now, if ever */
    dp->leaves++;
    const bool add = written >= 0 && bits_has(dp->paged, written) && !bits_has(dp->keep, written);
    const int64_t more = add ? dp->graph->bytes[written] : 0;
    const int64_t charged = dp->problem->charge_pagein_transfer ? dp->was_pagein_bytes : 0;
    const int64_t peak = stage_dp_peak(dp, dp->keep_bytes + more + dp->pagein_bytes + charged);
    if (peak > dp->problem->ram_budget_bytes)
        return;
    const double joules_before = dp->joules;
    dp->joules += stage_dp_charge(dp, peak);
    if (add) {
        bits_add(dp->keep, written);
        dp->keep_bytes += more;
    }
    if (dp->to.count == dp->to.capacity)
        stage_dp_select(dp, &dp->to, dp->t);
    record_state(dp);
    if (add) {
        bits_remove(dp->keep, written);
        dp->keep_bytes -= more;
    }
    dp->joules = joules_before;
}

static void serve(stage_dp *dp, int below);

/* The cost so far, with a further step, still leads below the cutoff. */
static bool affordable(const stage_dp *dp, double joules, double seconds)
{
    return dp->joules + joules < dp->cutoff && dp->seconds + seconds <= dp->slack_seconds;
}

static void try_keep(stage_dp *dp, int i)
{
    const bool had = bits_has(dp->keep, i);
    if (!had) {
        bits_add(dp->keep, i);
        dp->keep_bytes += dp->graph->bytes[i];
    }
    serve(dp, i);
    if (!had) {
        bits_remove(dp->keep, i);
        dp->keep_bytes -= dp->graph->bytes[i];
    }
}

static void try_page(stage_dp *dp, int i)
{
    const graph *g = dp->graph;
    const bool had = bits_has(dp->keep, i), known = bits_has(dp->paged, i);
    double joules = g->pagein_joules[i] + (known ? 0 : g->pageout_joules[i]);
    double seconds = 0;
    if (dp->problem->deadline_includes_paging)
        seconds = g->pagein_seconds[i] + (known ? 0 : g->pageout_seconds[i]);
    if (i + 2 > dp->t - 1 || !affordable(dp, joules, seconds))
        return;
    const double joules_before = dp->joules, seconds_before = dp->seconds;
    dp->joules += joules;
    dp->seconds += seconds;
    bits_remove(dp->keep, i);
    dp->keep_bytes -= had ? g->bytes[i] : 0;
    bits_add(dp->pagein, i);
    dp->pagein_bytes += g->bytes[i];
    bits_add(dp->paged, i);
    serve(dp, i);
    bits_put(dp->paged, i, known);
    bits_remove(dp->pagein, i);
    dp->pagein_bytes -= g->bytes[i];
    bits_put(dp->keep, i, had);
    dp->keep_bytes += had ? g->bytes[i] : 0;
    dp->joules = joules_before;
    dp->seconds = seconds_before;
}

uint64_t stage_dp_push_compute(stage_dp *dp, int i)
{
    const graph *g = dp->graph;
    const int first = g->input_start[i], inputs = g->input_start[i + 1] - first;
    uint64_t fresh = 0;
    int64_t released = 0;
    for (int e = 0; e < inputs; e++) {
        const int j = g->input[first + e];
        if (bits_has(dp->wanted, j))
            continue;
        fresh |= UINT64_C(1) << (e & 63);
        bits_add(dp->wanted, j);
        if (!bits_has(dp->later, j))
            released += g->bytes[j];
    }
    dp->released[dp->compute_count] = released;
    dp->compute[dp->compute_count++] = (uint16_t)i;
    return fresh;
}

static void pop_compute(stage_dp *dp, int i, uint64_t fresh)
{
    const graph *g = dp->graph;
    const int first = g->input_start[i], inputs = g->input_start[i + 1] - first;
    dp->compute_count--;
    for (int e = 0; e < inputs; e++)
        if (fresh >> e & 1)
            bits_remove(dp->wanted, g->input[first + e]);
}

static void try_compute(stage_dp *dp, int i)
{
    const graph *g = dp->graph;
    if (dp->compute_count > COMPUTE_LIMIT || !affordable(dp, g->joules[i], g->seconds[i]) ||
        g->input_start[i + 1] - g->input_start[i] > INPUT_LIMIT)
        return;
    const double joules_before = dp->joules, seconds_before = dp->seconds;
    const bool had = bits_has(dp->keep, i);
    dp->joules += g->joules[i];
    dp->seconds += g->seconds[i];
    bits_remove(dp->keep, i);
    dp->keep_bytes -= had ? g->bytes[i] : 0;
    const uint64_t fresh = stage_dp_push_compute(dp, i);
    serve(dp, i);
    pop_compute(dp, i, fresh);
    bits_put(dp->keep, i, had);
    dp->keep_bytes += had ? g->bytes[i] : 0;
    dp->joules = joules_before;
    dp->seconds = seconds_before;
}

/* Computing i ahead is only tried when stage t+1 could not compute it as well. */
static bool worth_ahead(const stage_dp *dp, int i)
{
    const uint64_t *inputs = dp->inputs + (size_t)i * (size_t)dp->words;
    for (int w = 0; w < dp->words; w++)
        if (inputs[w] & ~dp->later[w])
            return true;
    return false;
}

/* Even one state can take very long when most ways to serve it fail. */
static bool is_stopped(stage_dp *dp)
{
    if (dp->work >= dp->check_at) {
        dp->check_at = dp->work + CHECK_INTERVAL;
        dp->stopped = dp->stopped || base_limits_check(dp->params->limits) != BASE_GO;
    }
    dp->stopped = dp->stopped || dp->work >= dp->work_stop;
    return dp->stopped;
}

/* Provides what stage t wants among the nodes smaller than `below`, in every
 * allowed way, and finishes each. */
static void serve(stage_dp *dp, int below)
{
    dp->work++;
    base_work_count(STAGE_DP_UNIT_WORK);
    if (is_stopped(dp) || dp->leaves >= dp->params->leaf_limit)
        return;
    const int i = bits_below(dp->wanted, dp->optional, below);
    if (i < 0) {
        finish_stage(dp);
        return;
    }
    const bool read = bits_has(dp->wanted, i);
    if (read && bits_has(dp->was_pagein, i))
        return;
    unsigned mask = stage_dp_allowed(dp, i, read);
    if (read && !dp->params->allow && just_there(dp, i))
        mask = STAGE_DP_KEEP;
    if (i == dp->t - 1 && bits_has(dp->paged, i)) /* stays, to be written out */
        mask &= ~(unsigned)(STAGE_DP_COMPUTE | STAGE_DP_AHEAD);
    if (mask & STAGE_DP_KEEP)
        try_keep(dp, i);
    if (mask & STAGE_DP_PAGE)
        try_page(dp, i);
    if (mask & STAGE_DP_COMPUTE ||
        (mask & STAGE_DP_AHEAD && (!(mask & STAGE_DP_KEEP) || worth_ahead(dp, i))))
        try_compute(dp, i);
}

void stage_dp_serve(stage_dp *dp, int index, const uint64_t *deciding)
{
    const frontier_state *s = &dp->from.state[index];
    const size_t set = (size_t)dp->words * sizeof(uint64_t);
    const int t = dp->t;
    stage_dp_count_computed(dp, index);
    dp->parent = index;
    dp->was_keep = frontier_keep(&dp->from, index);
    dp->was_pagein = frontier_pagein(&dp->from, index);
    memcpy(dp->keep, dp->was_keep, set);
    memset(dp->pagein, 0, set);
    memcpy(dp->paged, frontier_paged(&dp->from, index), set);
    dp->pagein_bytes = 0;
    dp->was_pagein_bytes = stage_dp_bytes(dp, dp->was_pagein);
    dp->keep_bytes = s->bytes;
    if (dp->problem->charge_pagein_transfer)
        dp->keep_bytes -= dp->was_pagein_bytes;
    for (int w = 0; w < dp->words; w++) {
        dp->later[w] = dp->was_keep[w] | dp->was_pagein[w];
        dp->optional[w] = dp->was_keep[w] & deciding[w];
        dp->wanted[w] = 0;
    }
    if (bits_has(dp->keep, t)) {
        bits_remove(dp->keep, t);
        dp->keep_bytes -= dp->graph->bytes[t];
    }
    dp->joules = s->joules;
    dp->seconds = s->seconds;
    dp->compute_count = 0;
    stage_dp_push_compute(dp, t);
    dp->leaves = 0;
    serve(dp, t);
}
