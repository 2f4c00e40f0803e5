/* Local search from a given schedule: tensors around a node are set free and replanned. */
#include <math.h>

#include "heuristics/local_search.h"
#include "heuristics/search.h"

/* Releases the tensor, its inputs, its users, and their other inputs, nearest first. */
static void release_around(local_search *ls, int node)
{
    const graph *g = ls->problem->graph;
    const int most = ls->tuning.improve_neighbours;
    local_search_freeze(ls);
    local_search_release(ls, node);
    for (int e = g->input_start[node]; e < g->input_start[node + 1]; e++)
        if (ls->freed_count < most)
            local_search_release(ls, g->input[e]);
    for (int e = g->user_start[node]; e < g->user_start[node + 1]; e++) {
        const int user = g->user[e];
        if (ls->freed_count < most && g->last_user[user] > user + 1)
            local_search_release(ls, user);
        for (int f = g->input_start[user]; f < g->input_start[user + 1]; f++)
            if (ls->freed_count < most)
                local_search_release(ls, g->input[f]);
    }
}

schedule *heuristic_improve(const problem *p, const schedule *s, const heuristic_tuning *tuning,
                            uint64_t work_limit, const base_limits *limits, base_error *error)
{
    if (schedule_validate(p, s, NULL, error))
        return NULL;
    local_search *ls = local_search_create(p, tuning, 1);
    ls->limits = limits;
    const int depth = ls->tuning.improve_depth;
    const uint64_t work = (uint64_t)ls->tuning.improve_work;
    schedule *result = NULL;
    if (local_search_adopt(ls, schedule_copy(s))) {
        for (bool better = true; better;) {
            better = false;
            for (int i = p->graph->n - 1; i >= 0; i--) {
                if ((work_limit && stage_dp_work(ls->dp) >= work_limit) ||
                    base_limits_check(limits) != BASE_GO)
                    break;
                if (!(local_search_paid(ls, i) > 0))
                    continue;
                release_around(ls, i);
                better |= local_search_replan(ls, false, depth, work);
                better |= local_search_replan(ls, true, depth, work);
            }
        }
        result = schedule_copy(ls->current);
    } else {
        base_fail(error, "pruning lost the schedule");
    }
    local_search_free(ls);
    return result;
}
