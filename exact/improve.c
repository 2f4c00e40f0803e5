/* Better schedules from the starts and from the LP over the windows, and as long as there is a gap,
 * from what is known then.
 *
 * Local search comes first, for it is by far the cheapest; when the schedule stays away from the
 * LP's bound, a race of searches from all starts, since the best start is seldom the one that leads
 * furthest. What is still missing then is looked for by sub-MIPs, restricted models around what is
 * known:
 *   - pairs of starts: one says which tensors may be computed again, another which may be paged;
 *   - the tensors that the schedule recomputes and pages, at other times;
 *   - the support of the LP and the cells of the schedule;
 *   - groups of tensors anew, the others as in the schedule (large neighbourhood search). */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "exact/improve.h"
#include "exact/tree.h"
#include "exact/working.h"
#include "heuristics/search.h"
#include "heuristics/stage_dp.h"

enum { POOL = 6 };

typedef enum means { RACE, RECOMBINE, TENSORS, LP_SUPPORT, GROUPS, MEANS } means;

typedef struct improvement {
    engine *e;
    const working *w;
    double bound;  /* of the LP, model units; 0: none */
    double left;   /* work that the sub-MIPs of this turn may still take */
    double most;   /* that one of them may take */
    double enough; /* gap at which sub-MIPs end */
    means next;    /* of a later turn */
    base_rng rng;
    int *open; /* tensors that are read later than in the stage after their own */
    int open_count;
    double group;         /* tensors in a group */
    uint8_t *cells;       /* scratch, extent n*n */
    bool *freed;          /* scratch, extent n */
    schedule *pool[POOL]; /* where the last race ended, best first */
    int pool_count;
    const char *source;
    base_limits limits; /* of the local search that runs */
} improvement;

static bool is_near(const engine *e, double bound, double gap)
{
    return e->upper <= bound * (1 + gap);
}

static bool within(const improvement *m, double gap)
{
    return engine_done(m->e) || is_near(m->e, m->bound, gap);
}

/* ---- without an LP ------------------------------------------------------------- */

static void offer(void *context, const schedule *s, double overhead_joules)
{
    const improvement *m = context;
    (void)overhead_joules;
    engine_offer(m->e, s, m->source);
}

static heuristic_params search_params(improvement *m, uint64_t work, const char *source)
{
    heuristic_params params = heuristic_params_default();
    m->source = source;
    params.tuning = m->e->params->tuning.heuristics;
    params.seed = base_rng_next(&m->rng);
    params.work_limit = work;
    m->limits = engine_limits(m->e, INFINITY);
    params.limits = &m->limits;
    params.lower_bound_joules = m->bound / m->e->scale;
    params.improved = offer;
    params.context = m;
    return params;
}

static void search_quickly(improvement *m)
{
    heuristic_params params = search_params(m, engine_tuning(m->e)->quick_work, "local search");
    const schedule *start[1] = {m->e->result->schedule};
    schedule_free(heuristic_search(m->e->p, start, start[0] != NULL, &params, NULL));
}

static void clear_pool(improvement *m)
{
    for (int k = 0; k < m->pool_count; k++)
        schedule_free(m->pool[k]);
    m->pool_count = 0;
}

/* From every start, the schedule, and nothing. */
static void race(improvement *m, uint64_t work)
{
    const exact_params *given = m->e->params;
    heuristic_params params = search_params(m, work, "local search");
    const schedule **start = base_malloc((size_t)given->start_count + 1 + POOL, sizeof *start);
    int count = 0;
    schedule *own = m->e->result->schedule ? schedule_copy(m->e->result->schedule) : NULL;
    if (own)
        start[count++] = own;
    for (int k = 0; k < given->start_count; k++)
        start[count++] = given->starts[k];
    for (int k = 0; k < m->pool_count; k++)
        start[count++] = m->pool[k];
    schedule *found[POOL];
    int found_count = heuristic_race(m->e->p, start, count, &params, found, POOL);
    clear_pool(m);
    memcpy(m->pool, found, sizeof found);
    m->pool_count = found_count;
    schedule_free(own);
    base_free(start);
}

/* ---- from the LP --------------------------------------------------------------- */

static double value(const improvement *m, cell_kind kind, size_t cell)
{
    int col = m->w->f->cell[kind][cell];
    return col >= 0 ? lp_primal(m->w->lp)[col] : 0;
}

void engine_polish(engine *e, schedule *s, const char *source)
{
    char name[64];
    if (!s)
        return;
    engine_offer(e, s, source);
    snprintf(name, sizeof name, "%s, local search", source);
    const base_limits limits = engine_limits(e, INFINITY);
    schedule *polished = heuristic_improve(e->p, s, &e->params->tuning.heuristics,
                                           engine_tuning(e)->polish_work, &limits, NULL);
    if (polished)
        engine_offer(e, polished, name);
    schedule_free(polished);
    schedule_free(s);
}

/* Roundings of the LP's solution, polished. */
static void round_lp(improvement *m)
{
    engine *e = m->e;
    const base_limits limits = engine_limits(e, INFINITY);
    engine_polish(e,
                  engine_round(e, m->w->f, lp_primal(m->w->lp), engine_tuning(e)->roundings,
                               base_rng_next(&m->rng), e->upper / e->scale, &limits),
                  "LP rounding");
}

/* ---- sub-MIPs ------------------------------------------------------------------ */

/* Over m->cells. */
static void solve_submip(improvement *m, const char *source)
{
    const double limit = fmin(m->left, m->most), before = engine_work(m->e);
    if (limit > 0 && !within(m, m->enough)) {
        engine_submip(m->e, m->cells, m->w, source, limit);
        m->left -= engine_work(m->e) - before;
    }
}

/* Adds the cells that s uses. */
static void allow_schedule(improvement *m, const schedule *s)
{
    size_t n = (size_t)s->n;
    for (size_t c = 0; c < n * n; c++)
        m->cells[c] |= (s->R[c] ? MASK_R : 0) | (s->In[c] ? MASK_IN : 0) |
                       (s->Out[c] ? MASK_OUT : 0) | (s->S[c] ? MASK_C | MASK_P : 0);
}

static bool is_recomputed(const schedule *s, int i)
{
    for (int t = i + 1; t < s->n; t++)
        if (s->R[schedule_cell(s, t, i)])
            return true;
    return false;
}

static bool is_paged(const schedule *s, int i)
{
    for (int t = i + 1; t < s->n; t++)
        if (s->In[schedule_cell(s, t, i)])
            return true;
    return false;
}

/* The windows, recomputation and paging only of the tensors for which these do so (NULL: none). */
static void allow_tensors(improvement *m, const schedule *recompute, const schedule *page)
{
    size_t n = (size_t)m->e->p->graph->n;
    memcpy(m->cells, m->w->f->mask, n * n);
    for (size_t i = 0; i < n; i++) {
        uint8_t never = 0;
        if (!recompute || !is_recomputed(recompute, (int)i))
            never |= MASK_R;
        if (!page || !is_paged(page, (int)i))
            never |= MASK_IN | MASK_OUT | MASK_P;
        for (size_t t = 0; t < n; t++)
            m->cells[t * n + i] &= (uint8_t)~never;
    }
}

/* The cheapest start that pages, or that does not; -1: none. */
static int best_start(const engine *e, bool pages)
{
    const exact_params *given = e->params;
    int best = -1;
    double least = INFINITY;
    for (int k = 0; k < given->start_count; k++) {
        validation v;
        if (schedule_validate(e->p, given->starts[k], &v, NULL) == 0 &&
            (v.pagein_count > 0) == pages && v.overhead_joules < least) {
            least = v.overhead_joules;
            best = k;
        }
    }
    return best;
}

static void submip_pair(improvement *m)
{
    const exact_params *given = m->e->params;
    int a = best_start(m->e, false), b = best_start(m->e, true);
    if (a < 0 && b < 0)
        return;
    char source[64];
    snprintf(source, sizeof source, "%.20s%s%.20s sub-MIP", a < 0 ? "" : given->start_names[a],
             a < 0 || b < 0 ? "" : "+", b < 0 ? "" : given->start_names[b]);
    allow_tensors(m, given->starts[a < 0 ? b : a], b < 0 ? NULL : given->starts[b]);
    solve_submip(m, source);
}

static void submip_tensors(improvement *m)
{
    const schedule *s = m->e->result->schedule;
    if (!s)
        return;
    allow_tensors(m, s, s);
    allow_schedule(m, s);
    solve_submip(m, "same tensors sub-MIP");
}

static void submip_lp(improvement *m)
{
    size_t n = (size_t)m->e->p->graph->n;
    memset(m->cells, 0, n * n);
    for (int kind = 0; kind < CELL_KINDS; kind++)
        for (size_t c = 0; c < n * n; c++)
            if (value(m, kind, c) > 1e-6)
                m->cells[c] |= formulation_kind_bit[kind];
    if (m->e->result->schedule)
        allow_schedule(m, m->e->result->schedule);
    solve_submip(m, "LP support sub-MIP");
}

/* Frees `count` open tensors in a row, from a random one on. */
static void free_run(improvement *m, int count)
{
    uint64_t first = base_rng_below(&m->rng, (uint64_t)m->open_count);
    for (int k = 0; k < count && k < m->open_count; k++)
        m->freed[m->open[((int)first + k) % m->open_count]] = true;
}

/* How much LP and schedule differ in what they do with the tensor. */
static double disagreement(const improvement *m, const schedule *s, int i)
{
    double sum = 0;
    for (int t = i + 1; t < s->n; t++) {
        size_t c = schedule_cell(s, t, i);
        sum += fabs(value(m, CELL_R, c) - s->R[c]) + fabs(value(m, CELL_IN, c) - s->In[c]);
    }
    return sum;
}

/* Frees tensors with a chance in proportion to the disagreement; or an even one. */
static void free_weighted(improvement *m, int count, bool even)
{
    double *weight = base_calloc((size_t)m->open_count + 1, sizeof *weight);
    double sum = 0;
    for (int k = 0; k < m->open_count; k++) {
        weight[k] = even ? 1 : disagreement(m, m->e->result->schedule, m->open[k]);
        sum += weight[k];
    }
    for (; count > 0 && sum > 0; count--) {
        double mark = base_rng_double(&m->rng) * sum;
        int k = 0;
        while (k + 1 < m->open_count && mark >= weight[k])
            mark -= weight[k++];
        m->freed[m->open[k]] = true;
    }
    base_free(weight);
}

/* A group of tensors over the windows; the others as they are, or less. The group grows while
 * that is easy and shrinks when the limit ends it. */
static void submip_group(improvement *m)
{
    size_t n = (size_t)m->e->p->graph->n;
    int count = (int)m->group;
    memset(m->freed, 0, n * sizeof *m->freed);
    switch (base_rng_below(&m->rng, 4)) {
    case 0:
        free_run(m, count);
        break;
    case 1:
        free_run(m, (count + 1) / 2);
        free_run(m, count / 2);
        break;
    case 2:
        free_weighted(m, count, true);
        break;
    default:
        free_weighted(m, count, false);
    }
    for (size_t c = 0; c < n * n; c++)
        m->cells[c] = m->freed[c % n] ? m->w->f->mask[c] : 0;
    allow_schedule(m, m->e->result->schedule);
    const double limit = m->most / engine_tuning(m->e)->group_part, left = m->left, most = m->most;
    m->most = limit;
    solve_submip(m, "group sub-MIP");
    m->most = most;
    const double took = left - m->left;
    if (took > limit)
        m->group = fmax(engine_tuning(m->e)->group_least, m->group * 0.9);
    else if (took < limit / 4)
        m->group = fmin(m->open_count, m->group * 1.05);
}

/* Groups, until so many in a row bring nothing. */
static void submip_groups(improvement *m, int patience)
{
    for (int failed = 0;
         failed < patience && m->left > 0 && m->e->result->schedule && m->open_count > 0;) {
        double before = m->e->upper;
        if (within(m, m->enough))
            return;
        submip_group(m);
        failed = m->e->upper < before ? 0 : failed + 1;
    }
}

/* What two schedules of the pool do, in any combination. */
static void submip_recombine(improvement *m)
{
    size_t n = (size_t)m->e->p->graph->n;
    for (int a = 0; a < m->pool_count; a++)
        for (int b = 0; b < a; b++) {
            memset(m->cells, 0, n * n);
            allow_schedule(m, m->pool[a]);
            allow_schedule(m, m->pool[b]);
            solve_submip(m, "recombination sub-MIP");
        }
    memset(m->cells, 0, n * n);
    for (int a = 0; a < m->pool_count; a++)
        allow_schedule(m, m->pool[a]);
    solve_submip(m, "recombination sub-MIP");
}

/* Races and sub-MIPs in turn, the races longer each time, until they bring nothing; the larger
 * models when nothing else helps. */
static void improve_far(improvement *m)
{
    uint64_t work = engine_tuning(m->e)->race_work * (uint64_t)m->w->f->model->cols;
    double before = INFINITY;
    for (int round = 0; round < engine_tuning(m->e)->race_rounds && m->e->upper < before &&
                        !within(m, round == 0 ? engine_tuning(m->e)->improve_far
                                              : 2 * engine_tuning(m->e)->improve_far);
         round++) {
        before = m->e->upper;
        race(m, work);
        work *= 2;
        if (m->w->status != LP_OPTIMAL || m->left <= 0)
            continue;
        submip_recombine(m);
        submip_groups(m, engine_tuning(m->e)->group_patience);
        if (round == 0)
            submip_pair(m);
        if (round == engine_tuning(m->e)->race_rounds - 1)
            submip_lp(m);
        submip_tensors(m);
    }
}

/* Some sub-MIPs for what little is missing: the better the schedule, the more cells the proof
 * eliminates. */
static void improve_near(improvement *m)
{
    if (m->w->status != LP_OPTIMAL || m->left <= 0)
        return;
    m->enough = engine_tuning(m->e)->improve_near;
    m->left /= 4;
    submip_lp(m);
    submip_tensors(m);
    submip_groups(m, engine_tuning(m->e)->near_patience);
}

static improvement *create(engine *e)
{
    const size_t n = (size_t)e->p->graph->n;
    improvement *m = base_malloc(1, sizeof *m);
    *m = (improvement){.e = e, .rng = {e->params->seed}, .group = engine_tuning(e)->group_first};
    m->cells = base_malloc(n, n);
    m->freed = base_malloc(n, sizeof *m->freed);
    m->open = base_malloc(n, sizeof *m->open);
    for (int i = 0; i < e->p->graph->n; i++)
        if (e->p->graph->last_user[i] > i + 1)
            m->open[m->open_count++] = i;
    return m;
}

/* What is improved from now on, and with how much work at most. */
static improvement *prepare(engine *e, const working *w, double work)
{
    if (!e->improvement)
        e->improvement = create(e);
    improvement *m = e->improvement;
    m->e = e; /* it may have been another thread's */
    m->w = w;
    m->bound = w->status == LP_OPTIMAL ? w->bound : 0;
    m->left = w->status == LP_OPTIMAL ? work : 0;
    m->most = engine_tuning(e)->submip_part * m->left;
    return m;
}

void engine_improve_quickly(engine *e, const working *w)
{
    improvement *m = prepare(e, w, 0);
    if (w->status == LP_OPTIMAL && !within(m, engine_tuning(e)->improve_near))
        round_lp(m);
    if (!within(m, 0))
        search_quickly(m);
}

void engine_improve(engine *e, const working *w)
{
    const double work =
        engine_tuning(e)->submip_work * fmax(w->work, engine_tuning(e)->submip_least);
    improvement *m = prepare(e, w, work);
    m->rng = (base_rng){e->params->seed};
    m->group = engine_tuning(e)->group_first;
    m->enough = engine_tuning(e)->improve_far;
    clear_pool(m);
    if (within(m, engine_tuning(e)->improve_near))
        return;
    if (within(m, engine_tuning(e)->improve_far))
        improve_near(m);
    else
        improve_far(m);
}

/* ---- later turns --------------------------------------------------------------------- */

/* One of the means, with what is left. */
static void try_means(improvement *m)
{
    switch (m->next) {
    case RACE:
        race(m, (uint64_t)(m->left / 2 / STAGE_DP_UNIT_WORK) + 1);
        break;
    case RECOMBINE:
        submip_recombine(m);
        break;
    case TENSORS:
        submip_tensors(m);
        break;
    case LP_SUPPORT:
        submip_lp(m);
        break;
    default:
        submip_groups(m, engine_tuning(m->e)->group_patience);
    }
}

void engine_improve_on(engine *e, const working *w, double work)
{
    improvement *m = prepare(e, w, work);
    const double end = engine_work(e) + work;
    m->bound = e->lower; /* better ones need not be within w */
    m->enough = engine_tuning(e)->improve_near;
    for (int k = 0; k < MEANS && m->left > 0 && !within(m, m->enough); k++) {
        const double before = e->upper;
        try_means(m);
        m->left = end - engine_work(e);
        if (!(e->upper < before))
            m->next = (means)((m->next + 1) % MEANS);
    }
}

bool engine_improve_left(const engine *e)
{
    return e->params->heuristics && !is_near(e, e->lower, engine_tuning(e)->improve_near);
}

void engine_improve_clear(engine *e)
{
    improvement *m = e->improvement;
    if (!m)
        return;
    base_free(m->open);
    base_free(m->freed);
    base_free(m->cells);
    clear_pool(m);
    base_free(m);
    e->improvement = NULL;
}
