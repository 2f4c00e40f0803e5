/* The stages that leave no choice to the dynamic programme: followed in one pass, without states.
 */
#include "heuristics/stage_dp_internal.h"

#include <string.h>

/* Follows the decision on i if the masks leave no choice, and adds to *joules what
 * providing i costs at least. Returns the number of allowed ways. */
static int force(stage_dp *dp, int i, uint64_t *charged, double *joules)
{
    const graph *g = dp->graph;
    const unsigned mask = bits_has(dp->wanted, i) && bits_has(dp->was_pagein, i)
                              ? 0
                              : stage_dp_allowed(dp, i, bits_has(dp->wanted, i));
    bits_remove(dp->keep, i);
    if (mask == STAGE_DP_KEEP)
        bits_add(dp->keep, i);
    if (mask & STAGE_DP_KEEP || !mask)
        return __builtin_popcount(mask);
    const bool compute = mask & (STAGE_DP_COMPUTE | STAGE_DP_AHEAD);
    double least = mask & STAGE_DP_PAGE ? g->pagein_joules[i] : g->joules[i];
    if (compute && g->joules[i] < least)
        least = g->joules[i];
    *joules += least;
    bits_add(charged, i);
    if (!(mask & STAGE_DP_PAGE) && compute) {
        if (dp->compute_count > COMPUTE_LIMIT)
            return 0;
        dp->seconds += g->seconds[i];
        dp->computed[i]++;
        stage_dp_push_compute(dp, i);
    } else if (!compute) {
        bits_add(dp->pagein, i);
        const bool known = bits_has(dp->paged, i);
        bits_add(dp->paged, i);
        *joules += known ? 0 : g->pageout_joules[i];
        if (dp->problem->deadline_includes_paging)
            dp->seconds += g->pagein_seconds[i] + (known ? 0 : g->pageout_seconds[i]);
    }
    return __builtin_popcount(mask);
}

/* Stage t of follow_forced: 0 when it has no way, 1 when just one, 2 otherwise. */
static int force_stage(stage_dp *dp, int t, uint64_t *charged)
{
    const size_t set = (size_t)dp->words * sizeof(uint64_t);
    uint64_t *was_pagein = dp->optional; /* of the stage above */
    int ways = 1;
    memcpy(was_pagein, dp->pagein, set);
    dp->was_pagein = was_pagein;
    for (int w = 0; w < dp->words; w++)
        dp->later[w] = dp->keep[w] | dp->pagein[w];
    memset(dp->pagein, 0, set);
    memset(dp->wanted, 0, set);
    bits_remove(dp->keep, t);
    dp->t = t;
    dp->compute_count = 0;
    stage_dp_push_compute(dp, t);
    for (int i = bits_below(dp->wanted, dp->keep, t); i >= 0;
         i = bits_below(dp->wanted, dp->keep, i)) {
        const int count = force(dp, i, charged, &dp->forced[t + 1]);
        if (count == 0)
            return 0;
        ways = count > 1 ? 2 : ways;
    }
    if (t > 0 && bits_has(dp->paged, t - 1))
        bits_add(dp->keep, t - 1);
    int64_t resident = stage_dp_bytes(dp, dp->keep) + stage_dp_bytes(dp, dp->pagein);
    if (dp->problem->charge_pagein_transfer)
        resident += stage_dp_bytes(dp, was_pagein);
    const int64_t peak = stage_dp_peak(dp, resident);
    dp->forced[t + 1] += stage_dp_charge(dp, peak);
    return peak <= dp->problem->ram_budget_bytes ? ways : 0;
}

/* The state in which the stages from t on leave off when none of them had a choice,
 * and how stage t came about. */
static void save_forced(stage_dp *dp, int t, double joules)
{
    const size_t set = (size_t)dp->words * sizeof(uint64_t);
    frontier_clear(&dp->to);
    int64_t bytes = stage_dp_bytes(dp, dp->keep);
    if (dp->problem->charge_pagein_transfer)
        bytes += stage_dp_bytes(dp, dp->pagein);
    const frontier_state s = {.joules = joules,
                              .seconds = dp->seconds,
                              .bytes = bytes,
                              .compute_count = dp->compute_count - 1};
    const int index = frontier_place(&dp->to, &s, 0);
    memcpy(frontier_keep(&dp->to, index), dp->keep, set);
    memcpy(frontier_pagein(&dp->to, index), dp->pagein, set);
    memcpy(frontier_paged(&dp->to, index), dp->paged, set);
    memcpy(frontier_compute(&dp->to, index), dp->compute + 1,
           (size_t)s.compute_count * sizeof *dp->compute);
    stage_dp_save_traces(dp, &dp->to, t);
    stage_dp_swap(dp);
}

int stage_dp_follow_forced(stage_dp *dp)
{
    const size_t set = (size_t)dp->words * sizeof(uint64_t);
    int left = dp->n - 1, ways = 1;
    double joules = 0;
    memset(dp->keep, 0, set);
    memset(dp->pagein, 0, set);
    memset(dp->paged, 0, set);
    memset(dp->charged, 0, set);
    room_bound_reset(dp->bound);
    memset(dp->forced, 0, ((size_t)dp->n + 1) * sizeof *dp->forced);
    memset(dp->computed, 0, (size_t)dp->n * sizeof *dp->computed);
    dp->seconds = 0;
    for (int t = dp->n - 1; t >= 0 && dp->params->allow; t--) {
        const int found = force_stage(dp, t, dp->charged);
        if (found == 0) {
            frontier_clear(&dp->from);
            return -1;
        }
        ways = found > 1 ? 2 : ways;
        if (ways == 1) {
            joules += dp->forced[t + 1];
            save_forced(dp, t, joules);
            left = t - 1;
        }
        room_bound_keeps(dp->bound, t, dp->keep);
    }
    memset(dp->computed, 0, (size_t)dp->n * sizeof *dp->computed);
    room_bound_settle(dp->bound, dp->charged);
    memset(dp->wanted, 0, set);
    for (int t = 0; t < dp->n; t++)
        dp->forced[t + 1] += dp->forced[t];
    return left;
}
