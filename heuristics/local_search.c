/* Adopting schedules, and replanning: the columns of freed tensors are opened in the masks of
 * the dynamic programme, which runs and closes them again. */
#include "heuristics/local_search.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/bits.h"

/* Two objectives this close, relatively, are the same. */
static const double SAME = 1e-11;

local_search *local_search_create(const problem *p, const heuristic_tuning *tuning, uint64_t seed)
{
    const graph *g = p->graph;
    const size_t n = (size_t)g->n;
    local_search *ls = base_calloc(1, sizeof *ls);
    ls->problem = p;
    ls->tuning = tuning ? *tuning : heuristic_tuning_default();
    ls->dp = stage_dp_create(p);
    ls->rng.state = seed;
    ls->open = base_malloc(n, sizeof *ls->open);
    for (int i = 0; i < g->n; i++)
        if (g->last_user[i] > i + 1)
            ls->open[ls->open_count++] = i;
    ls->masks = base_malloc(n * n, sizeof *ls->masks);
    ls->freed = base_malloc(n, sizeof *ls->freed);
    ls->is_freed = base_calloc(n, sizeof *ls->is_freed);
    ls->recomputed = base_calloc((size_t)bits_words(g->n), sizeof *ls->recomputed);
    ls->loose = base_calloc((size_t)bits_words(g->n), sizeof *ls->loose);
    for (int k = 0; k < LOCAL_SEARCH_DEPTHS; k++) {
        ls->size[0][k] = 6;
        ls->size[1][k] = 16;
    }
    return ls;
}

void local_search_free(local_search *ls)
{
    if (!ls)
        return;
    schedule_free(ls->current);
    stage_dp_free(ls->dp);
    base_free(ls->open);
    base_free(ls->masks);
    base_free(ls->freed);
    base_free(ls->is_freed);
    base_free(ls->recomputed);
    base_free(ls->loose);
    base_free(ls);
}

/* ---- the current schedule ------------------------------------------------------ */

/* Moves each page-in to the stage before the first one that reads the tensor, or
 * drops it if none does. It stays on storage, and RAM only gains. */
static void page_in_late(const graph *g, schedule *s)
{
    const int n = s->n;
    schedule_prune(g, s);
    for (int i = 0; i < n; i++) {
        base_work(2 * (size_t)(n - i));
        for (int t = i + 1; t < n; t++) {
            if (!s->In[schedule_cell(s, t, i)])
                continue;
            int use = t + 1; /* the first stage from t+1 on that reads i */
            for (bool read = false; use < n; use++) {
                for (int e = g->user_start[i]; e < g->user_start[i + 1] && !read; e++)
                    read = g->user[e] <= use && s->R[schedule_cell(s, use, g->user[e])];
                if (read || !s->S[schedule_cell(s, use, i)])
                    break;
            }
            if (use == t + 1 || use >= n || !s->S[schedule_cell(s, use, i)])
                continue;
            s->In[schedule_cell(s, t, i)] = 0;
            s->In[schedule_cell(s, use - 1, i)] = 1;
            for (int between = t + 1; between < use; between++) {
                s->S[schedule_cell(s, between, i)] = 0;
                s->A[schedule_cell(s, between, i)] = 1;
            }
            t = use - 1;
        }
    }
    schedule_prune(g, s);
}

static double objective_of(const local_search *ls, const schedule *s, double overhead)
{
    for (int t = 0; ls->price > 0 && t < s->n; t++) {
        base_work((size_t)t);
        const int64_t over = schedule_stage_memory(ls->problem, s, t, NULL) - ls->soft_bytes;
        overhead += over > 0 ? ls->price * (double)over : 0;
    }
    return overhead;
}

/* The masks that leave the programme no choice but the current schedule. */
static void freeze_masks(local_search *ls)
{
    const schedule *s = ls->current;
    const int n = s->n;
    memset(ls->recomputed, 0, (size_t)bits_words(n) * sizeof *ls->recomputed);
    for (int t = 0; t < n; t++) {
        base_work(2 * (size_t)n);
        for (int i = 0; i < n; i++) {
            const size_t c = schedule_cell(s, t, i);
            unsigned mask = 0;
            if (i < t && s->R[c])
                bits_add(ls->recomputed, i);
            if (i < t && s->S[c])
                mask = s->In[c - (size_t)n] ? STAGE_DP_PAGE : STAGE_DP_KEEP;
            else if (i < t && s->R[c])
                mask = STAGE_DP_COMPUTE | STAGE_DP_AHEAD;
            ls->masks[c] = (uint8_t)mask;
        }
    }
}

/* Makes s, valid and of this overhead, current. */
static void take(local_search *ls, schedule *s, double overhead)
{
    schedule_free(ls->current);
    ls->current = s;
    ls->overhead = overhead;
    ls->objective = objective_of(ls, s, overhead);
    freeze_masks(ls);
}

bool local_search_adopt(local_search *ls, schedule *s)
{
    validation v;
    if (schedule_validate(ls->problem, s, &v, NULL) == 0) {
        page_in_late(ls->problem->graph, s);
        if (schedule_validate(ls->problem, s, &v, NULL) == 0) {
            take(ls, s, v.overhead_joules);
            return true;
        }
        assert(!"moving page-ins and pruning keep a schedule valid");
    }
    schedule_free(s);
    return false;
}

double local_search_paid(const local_search *ls, int node)
{
    const graph *g = ls->problem->graph;
    const schedule *s = ls->current;
    double joules = 0;
    for (int t = node + 1; t < s->n; t++) {
        const size_t c = schedule_cell(s, t, node);
        joules += (s->R[c] ? g->joules[node] : 0) + (s->In[c] ? g->pagein_joules[node] : 0) +
                  (s->Out[c] ? g->pageout_joules[node] : 0);
    }
    return joules;
}

void local_search_set_price(local_search *ls, int64_t soft_bytes, double joules_per_byte)
{
    ls->soft_bytes = soft_bytes;
    ls->price = joules_per_byte;
    if (ls->current)
        ls->objective = objective_of(ls, ls->current, ls->overhead);
}

/* ---- replanning ----------------------------------------------------------------- */

void local_search_freeze(local_search *ls)
{
    for (int k = 0; k < ls->freed_count; k++)
        ls->is_freed[ls->freed[k]] = false;
    ls->freed_count = 0;
}

void local_search_release(local_search *ls, int node)
{
    if (ls->is_freed[node])
        return;
    ls->is_freed[node] = true;
    ls->freed[ls->freed_count++] = node;
}

/* Opens the column of a freed tensor, `tight` for anything, else not for computing
 * ahead where the current schedule does not; but where stage t-1 holds it anyway, unless
 * `tight`, only to keeping it and to what the current schedule does. `saved` (n)
 * gets the frozen column. */
static void open_column(local_search *ls, int i, bool tight, uint8_t *saved)
{
    const graph *g = ls->problem->graph;
    const size_t n = (size_t)g->n;
    const uint8_t open = tight ? STAGE_DP_ANY : STAGE_DP_ANY & ~STAGE_DP_AHEAD;
    for (size_t t = 0; t < n; t++) {
        uint8_t *mask = &ls->masks[t * n + (size_t)i];
        saved[t] = *mask;
        *mask = (int)t > i ? open | (*mask & STAGE_DP_AHEAD) : 0;
    }
    if (tight)
        return;
    if (i + 1 < g->n)
        ls->masks[((size_t)i + 1) * n + (size_t)i] = STAGE_DP_KEEP | saved[i + 1];
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++) {
        const int t = g->user[e] + 1;
        if (t < g->n)
            ls->masks[(size_t)t * n + (size_t)i] = STAGE_DP_KEEP | saved[t];
    }
}

static void open_columns(local_search *ls, bool tight, uint8_t *saved)
{
    const size_t n = (size_t)ls->problem->graph->n;
    for (int k = 0; k < ls->freed_count; k++)
        open_column(ls, ls->freed[k], tight, saved + (size_t)k * n);
}

static void close_columns(local_search *ls, const uint8_t *saved)
{
    const size_t n = (size_t)ls->problem->graph->n;
    for (int k = 0; k < ls->freed_count; k++)
        for (size_t t = 0; t < n; t++)
            ls->masks[t * n + (size_t)ls->freed[k]] = saved[(size_t)k * n + t];
}

/* Runs the programme on the freed tensors and takes what it finds. */
static bool replan(local_search *ls, const stage_dp_params *params, bool tight)
{
    assert(ls->current);
    if (ls->freed_count == 0)
        return false;
    uint8_t *saved = base_malloc((size_t)ls->freed_count, (size_t)ls->problem->graph->n);
    open_columns(ls, tight, saved);
    schedule *s = stage_dp_run(ls->dp, params);
    close_columns(ls, saved);
    base_free(saved);
    ls->steps++;
    if (!s)
        return false;
    page_in_late(ls->problem->graph, s);
    validation v;
    const bool valid = schedule_validate(ls->problem, s, &v, NULL) == 0;
    const double objective = valid ? objective_of(ls, s, v.overhead_joules) : INFINITY;
    const double before = ls->objective;
    if (!(objective <= before * (1 + SAME))) {
        schedule_free(s);
        return false;
    }
    take(ls, s, v.overhead_joules);
    ls->successes += objective < before * (1 - SAME);
    return objective < before * (1 - SAME);
}

/* Parameters but for the shape of the search; sideways: an equal objective will do. */
static stage_dp_params common_params(const local_search *ls, bool sideways, uint64_t work_limit)
{
    stage_dp_params params = stage_dp_defaults(1);
    params.allow = ls->masks;
    params.price = ls->price;
    params.soft_bytes = ls->soft_bytes;
    params.cutoff_joules = ls->objective * (sideways ? 1 + SAME : 1 - SAME);
    params.cutoff_joules += sideways ? 1e-300 : 0;
    params.work_limit = work_limit;
    params.limits = ls->limits;
    return params;
}

bool local_search_replan(local_search *ls, bool tight, int bound_depth, uint64_t work_limit)
{
    const bool sideways = base_rng_below(&ls->rng, 4) == 0;
    stage_dp_params params = common_params(ls, sideways, work_limit);
    params.exact = true;
    params.width = ls->tuning.step_width;
    params.strata = ls->tuning.step_strata;
    params.leaf_limit = ls->tuning.step_leaves;
    params.bound_depth = bound_depth;
    params.loose = ls->recomputed;
    if (base_rng_below(&ls->rng, 3) == 0) {
        memset(ls->loose, 0, (size_t)bits_words(ls->problem->graph->n) * sizeof *ls->loose);
        for (int k = 0; k < ls->freed_count; k++)
            bits_add(ls->loose, ls->freed[k]);
        params.loose = ls->loose;
    }
    return replan(ls, &params, tight);
}

/* ---- neighbourhoods ---------------------------------------------------------------- */

static int random_below(local_search *ls, int bound)
{
    return (int)base_rng_below(&ls->rng, (uint64_t)bound);
}

/* Releases `count` open tensors in a row, from a random one on. */
static void release_run(local_search *ls, int count)
{
    const int first = random_below(ls, ls->open_count);
    for (int k = first; k < first + count && k < ls->open_count; k++)
        local_search_release(ls, ls->open[k]);
}

static void release_any(local_search *ls, int count)
{
    for (int k = 0; k < count; k++)
        local_search_release(ls, ls->open[random_below(ls, ls->open_count)]);
}

static const int depths[LOCAL_SEARCH_DEPTHS] = {1, 2, 3, 5, 8, 16};

bool local_search_replan_run(local_search *ls, int first, int count)
{
    local_search_freeze(ls);
    for (int k = first; k < first + count && k < ls->open_count; k++)
        local_search_release(ls, ls->open[k]);
    const int depth = depths[random_below(ls, LOCAL_SEARCH_DEPTHS)];
    return local_search_replan(ls, random_below(ls, 4) == 0, depth,
                               3 * (uint64_t)ls->tuning.small_work);
}

bool local_search_step(local_search *ls, bool large)
{
    if (ls->open_count == 0)
        return false;
    const int depth = random_below(ls, LOCAL_SEARCH_DEPTHS);
    double *size = &ls->size[large][depth];
    const int count = *size < ls->open_count ? (int)*size : ls->open_count;
    local_search_freeze(ls);
    switch (random_below(ls, 4)) {
    case 0:
        release_run(ls, count);
        break;
    case 1:
        release_run(ls, (count + 1) / 2);
        release_run(ls, count / 2);
        break;
    case 2:
        release_any(ls, count);
        break;
    default:
        release_run(ls, (count + 1) / 2);
        release_any(ls, count / 2);
    }
    const uint64_t aim = (uint64_t)(large ? ls->tuning.large_work : ls->tuning.small_work);
    const uint64_t before = stage_dp_work(ls->dp);
    const bool better = local_search_replan(ls, random_below(ls, 4) == 0, depths[depth], 3 * aim);
    if (stage_dp_work(ls->dp) - before > aim)
        *size = fmax(2, *size * 0.95);
    else
        *size = fmin(ls->open_count, *size * 1.02);
    return better;
}
