/* From starts or from nothing to a good schedule: constructions and the dynamic programme of
 * rising width, then replanning of random neighbourhoods, and, where that stalls, a price on
 * memory that makes room for a dear tensor. */
#include "heuristics/search.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "heuristics/local_search.h"

enum { DEFAULT_WORK = 7000000 };

typedef struct search {
    const problem *problem;
    const heuristic_params *params;
    local_search *ls;
    schedule *best;
    double best_joules;
    uint64_t overhead_work; /* beside that of the dynamic programme */
    uint64_t step;
} search;

heuristic_params heuristic_params_default(void)
{
    return (heuristic_params){.seed = 1,
                              .work_limit = DEFAULT_WORK,
                              .tuning = heuristic_tuning_default(),
                              .construct = true};
}

/* Each step also copies and validates schedules: n^2 cells, some hundred to a unit. */
static uint64_t work_done(const search *se)
{
    const uint64_t n = (uint64_t)se->problem->graph->n;
    return stage_dp_work(se->ls->dp) + se->ls->steps * (n * n / 100);
}

static bool finished(const search *se)
{
    const heuristic_params *hp = se->params;
    if (se->best && se->best_joules <= hp->lower_bound_joules * (1 + 1e-9))
        return true;
    if (hp->work_limit && work_done(se) >= hp->work_limit)
        return true;
    return base_limits_check(hp->limits) != BASE_GO;
}

/* Notes the current schedule if it is the best so far. */
static bool note_current(search *se)
{
    if (se->best && !(se->ls->overhead < se->best_joules * (1 - 1e-12)))
        return false;
    schedule_free(se->best);
    se->best = schedule_copy(se->ls->current);
    se->best_joules = se->ls->overhead;
    if (se->params->improved)
        se->params->improved(se->params->context, se->best, se->best_joules);
    return true;
}

/* ---- construction ------------------------------------------------------------------- */

static void try_start(search *se, schedule *s)
{
    if (s && local_search_adopt(se->ls, s))
        note_current(se);
}

/* Pages every tensor out at the first chance and in just in time wherever its next
 * reader is far enough away: no schedule without recomputation needs less RAM but
 * for the stages in which tensors are written out. */
static schedule *page_everything(const graph *g)
{
    schedule *s = schedule_create(g->n);
    for (int i = 0; i < g->n; i++) {
        int from = i; /* last stage in which i is there */
        for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
            const int use = g->user[e];
            const bool page = !(g->pin[i] & GRAPH_NO_PAGE) && use > from + 2 && use > i + 3;
            if (page) {
                s->Out[schedule_cell(s, i + 1, i)] = s->S[schedule_cell(s, i + 1, i)] = 1;
                s->In[schedule_cell(s, use - 1, i)] = 1;
                for (int t = i + 2; t < use; t++)
                    s->A[schedule_cell(s, t, i)] = 1;
            }
            for (int t = page ? use : from + 1; t <= use; t++)
                s->S[schedule_cell(s, t, i)] = 1;
            from = use;
        }
    }
    schedule_prune(g, s);
    return s;
}

/* The dynamic programme from nothing: a quick one, the usual one, and wider ones while
 * nothing better than the starts is found. */
static void construct(search *se)
{
    static const struct {
        int width, strata, leaf_limit, merge_depth, ahead_depth, lookahead;
    } ladder[] = {{1, 6, 40, 2, 0, 0},
                  {2, 16, 400, 3, 0, 0},
                  {8, 32, 400, 3, 0, 0},
                  {16, 32, 400, 6, 2, 2},
                  {100, 32, 1000, 12, 4, 3}};
    const double paged = se->best ? se->best_joules : INFINITY;
    for (size_t k = 0; k < sizeof ladder / sizeof *ladder; k++) {
        if (finished(se) || (k > 1 && se->best_joules < paged))
            return;
        stage_dp_params params = stage_dp_defaults(ladder[k].width);
        params.strata = ladder[k].strata;
        params.leaf_limit = ladder[k].leaf_limit;
        params.merge_depth = ladder[k].merge_depth;
        params.ahead_depth = ladder[k].ahead_depth;
        params.lookahead = ladder[k].lookahead;
        params.limits = se->params->limits;
        if (se->best)
            params.cutoff_joules = se->best_joules;
        if (se->params->work_limit)
            params.work_limit = (se->params->work_limit - work_done(se)) / (se->best ? 2 : 1) + 1;
        try_start(se, stage_dp_run(se->ls->dp, &params));
    }
}

/* ---- improvement --------------------------------------------------------------------- */

/* Steps until so many in a row fail, or `most` in all. */
static void descend(search *se, int stall_limit, int most)
{
    const uint64_t large_every = (uint64_t)se->params->tuning.large_every;
    for (int stall = 0, k = 0; stall < stall_limit && k < most && !finished(se); k++) {
        stall = local_search_step(se->ls, ++se->step % large_every == 0) ? 0 : stall + 1;
        note_current(se);
    }
}

/* A tensor that costs something, with a chance in proportion; -1 if none does. */
static int pick_paid(search *se, double *joules)
{
    const graph *g = se->problem->graph;
    double sum = 0;
    int chosen = -1;
    for (int i = 0; i < g->n; i++) {
        const double paid = g->bytes[i] > 0 ? local_search_paid(se->ls, i) : 0;
        sum += paid;
        if (paid > 0 && base_rng_double(&se->ls->rng) * sum < paid) {
            chosen = i;
            *joules = paid;
        }
    }
    return chosen;
}

static int count_fuller(const search *se, int64_t bytes)
{
    int count = 0;
    for (int t = 0; t < se->problem->graph->n; t++)
        count += schedule_stage_memory(se->problem, se->ls->current, t, NULL) > bytes;
    return count;
}

/* Replans all open tensors in overlapping runs, one after the other. */
static void pass_over(search *se)
{
    const int length = 4 + (int)base_rng_below(&se->ls->rng, 8), stride = (length + 1) / 2;
    const int first = -(int)base_rng_below(&se->ls->rng, (uint64_t)stride);
    for (int k = first; k < se->ls->open_count && !finished(se); k += stride) {
        local_search_replan_run(se->ls, k < 0 ? 0 : k, k < 0 ? length + k : length);
        note_current(se);
    }
}

/* Makes room for a tensor that costs something: memory within its size of the
 * budget is charged what the tensor costs per byte, spread over the stages that are
 * so full, so that whatever frees bytes for less is done. No step for itself could
 * gain by that; once enough of them are done, the dear tensor may stay in RAM. */
static void make_room(search *se)
{
    const problem *p = se->problem;
    const heuristic_tuning *tuning = &se->params->tuning;
    double paid = 0;
    const int dear = pick_paid(se, &paid);
    if (dear < 0 || p->graph->bytes[dear] >= p->ram_budget_bytes)
        return;
    const int64_t bytes = p->graph->bytes[dear], soft = p->ram_budget_bytes - bytes;
    const double limit = se->ls->overhead + paid;
    double part = 0.6 + base_rng_double(&se->ls->rng);
    for (int round = 0; round < tuning->price_rounds && se->ls->overhead < limit && !finished(se);
         round++) {
        const int full = count_fuller(se, soft);
        if (full == 0)
            break;
        local_search_set_price(se->ls, soft, part * paid / (double)bytes / full);
        pass_over(se);
        descend(se, tuning->price_stall, tuning->price_steps);
        part *= 1.5;
    }
    local_search_set_price(se->ls, 0, 0);
}

/* Descent, then room for something and descent from there again, until the end. */
static void improve(search *se)
{
    const int stall = se->params->tuning.stall;
    descend(se, stall, INT32_MAX);
    while (!finished(se)) {
        make_room(se);
        descend(se, stall, INT32_MAX);
        if (se->ls->overhead > se->best_joules && base_rng_below(&se->ls->rng, 4) > 0) {
            const bool valid = local_search_adopt(se->ls, schedule_copy(se->best));
            assert(valid);
            (void)valid;
        }
    }
}

schedule *heuristic_search(const problem *p, const schedule *const *starts, int start_count,
                           const heuristic_params *hp, base_error *error)
{
    assert(hp->work_limit > 0 || hp->limits);
    search se = {.problem = p, .params = hp, .ls = local_search_create(p, &hp->tuning, hp->seed)};
    se.ls->limits = hp->limits;
    for (int k = 0; k < start_count; k++)
        if (starts[k]->n == p->graph->n)
            try_start(&se, schedule_copy(starts[k]));
    if (hp->construct) {
        try_start(&se, schedule_checkpoint_all(p->graph));
        try_start(&se, page_everything(p->graph));
        if (!finished(&se))
            construct(&se);
    }
    if (se.best) {
        if (se.ls->overhead > se.best_joules)
            local_search_adopt(se.ls, schedule_copy(se.best));
        improve(&se);
    } else
        base_fail(error, "no schedule found within %lld bytes", (long long)p->ram_budget_bytes);
    local_search_free(se.ls);
    return se.best;
}
