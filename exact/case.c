/* One case, which assumes fates of dear tensors: its engine, and fates that follow from others. */
#include "exact/case.h"

#include <math.h>
#include <string.h>

#include "exact/anneal.h"
#include "exact/coarse.h"

engine_case *case_create(const engine *e, const uint8_t *fate, double bound)
{
    const size_t n = (size_t)e->p->graph->n;
    engine_case *c = base_calloc(1, sizeof *c);
    c->fate = base_malloc(n, sizeof *c->fate);
    c->bound = bound;
    memcpy(c->fate, fate, n * sizeof *c->fate);
    return c;
}

void case_free(engine_case *c)
{
    if (!c)
        return;
    case_close(c);
    base_free(c->fate);
    base_free(c);
}

/* ---- its timelines ----------------------------------------------------------------- */

/* Builds the problem of the case: kept tensors are pinned. */
static void pin_kept(engine_case *c, const problem *p)
{
    const size_t n = (size_t)p->graph->n;
    c->graph = *p->graph;
    c->graph.pin = base_malloc(n, sizeof *c->graph.pin);
    for (size_t i = 0; i < n; i++) {
        const bool kept = c->fate[i] == FATE_KEPT;
        c->graph.pin[i] = p->graph->pin[i];
        if (kept)
            c->graph.pin[i] |= GRAPH_NO_RECOMPUTE | GRAPH_NO_PAGE;
    }
    c->problem = *p;
    c->problem.graph = &c->graph;
}

static void open_case(engine_case *c, const engine *e)
{
    pin_kept(c, e->p);
    c->own = (engine){.p = &c->problem,
                      .params = &c->params,
                      .fate = c->fate,
                      .lower = c->bound,
                      .coarse_bound = c->bound};
    pthread_mutex_init(&c->own.lock, NULL);
    c->is_open = true;
}

/* Copies the state of e: limits, counts of work, incumbent. */
static void update_engine(engine_case *c, const engine *e)
{
    engine *own = &c->own;
    c->params = *e->params;
    c->params.tuning.coarse_fixing = false; /* not the cells of the search */
    own->result = e->result;
    own->start = e->start;
    own->work_before = e->work_before;
    own->helpers_work = e->helpers_work;
    own->waited = e->waited;
    own->held_back = e->held_back;
    own->threads = e->threads;
    own->features = e->features;
    own->scale = e->scale;
    own->upper = e->upper;
    own->dear = e->dear;
    own->parent = e;
    own->row = e->row;
}

bool case_run(engine_case *c, engine *e, double work)
{
    if (!c->is_open)
        open_case(c, e);
    engine *own = &c->own;
    update_engine(c, e);
    engine_coarse(own, work);
    e->upper = own->upper;
    e->dear = own->dear;
    e->failed = e->failed || own->failed;
    e->row = own->row;
    c->bound = own->infeasible ? INFINITY : fmax(c->bound, own->lower);
    return engine_coarse_left(own);
}

void case_close(engine_case *c)
{
    if (!c->is_open)
        return;
    engine_coarse_clear(&c->own);
    engine_anneal_clear(&c->own);
    pthread_mutex_destroy(&c->own.lock);
    base_free(c->graph.pin);
    c->is_open = false;
}

/* ---- nested tensors ---------------------------------------------------------------- */

static bool comes_again(const problem *p, const uint8_t *fate, int i)
{
    return problem_may_recompute(p, i) && fate[i] != FATE_KEPT;
}

static bool stays_in_ram(const problem *p, const uint8_t *fate, int i)
{
    return fate[i] == FATE_KEPT || (!problem_may_recompute(p, i) && !problem_may_page(p, i));
}

static bool readers_come_once(const problem *p, const uint8_t *fate, int i)
{
    const graph *g = p->graph;
    for (int e = g->user_start[i]; e < g->user_start[i + 1]; e++)
        if (comes_again(p, fate, g->user[e]))
            return false;
    return true;
}

static bool are_equal(const graph *g, int a, int b)
{
    return g->bytes[a] == g->bytes[b] && g->joules[a] == g->joules[b] &&
           g->pagein_joules[a] == g->pagein_joules[b] &&
           g->pageout_joules[a] == g->pageout_joules[b] && g->seconds[a] == g->seconds[b] &&
           g->pagein_seconds[a] == g->pagein_seconds[b] &&
           g->pageout_seconds[a] == g->pageout_seconds[b] && g->pin[a] == g->pin[b] &&
           g->workspace[a] == 0;
}

/* The first reader of a after the last reader of b. -1: there is none, or another reader of a lies
 * between b and that reader. */
static int next_reader(const graph *g, int a, int b)
{
    for (int e = g->user_start[a]; e < g->user_start[a + 1]; e++)
        if (g->user[e] > g->last_user[b])
            return g->user[e];
        else if (g->user[e] > b)
            return -1;
    return -1;
}

/* True if a < b are nested: no use of a lies between b and the last use of b, and one comes later.
 * A schedule that drops b and keeps a may as well drop a and keep b. */
static bool is_outer(const problem *p, const uint8_t *fate, int a, int b)
{
    const graph *g = p->graph;
    if (!are_equal(g, a, b))
        return false;
    const int next = next_reader(g, a, b);
    if (next < 0 || !readers_come_once(p, fate, a) || !readers_come_once(p, fate, b))
        return false;
    for (int e = g->input_start[a]; e < g->input_start[a + 1]; e++)
        if (!stays_in_ram(p, fate, g->input[e]) || g->last_user[g->input[e]] < next)
            return false;
    return true;
}

/* 1: a fate was changed; 0: nothing follows; -1: the fates contradict each other. */
static int propagate_pair(uint8_t *fate, int outer, int inner)
{
    if (fate[outer] == FATE_KEPT && fate[inner] == FATE_AWAY)
        return -1;
    if (fate[outer] == FATE_KEPT && fate[inner] == FATE_OPEN) {
        fate[inner] = FATE_KEPT;
        return 1;
    }
    if (fate[inner] == FATE_AWAY && fate[outer] == FATE_OPEN) {
        fate[outer] = FATE_AWAY;
        return 1;
    }
    return 0;
}

/* Lists the tensors with a fate, ascending, extent n. Returns their number. */
static int with_fate(const uint8_t *fate, int n, int *list)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (fate[i] != FATE_ANY)
            list[count++] = i;
    return count;
}

bool case_propagate(const problem *p, uint8_t *fate)
{
    const int n = p->graph->n;
    int *list = base_malloc((size_t)n, sizeof *list);
    const int count = with_fate(fate, n, list);
    bool possible = true;
    for (bool changed = true; changed && possible;) {
        changed = false;
        for (int k = 0; k < count * count && possible; k++) {
            const int a = list[k % count], b = list[k / count];
            const int what = a < b && is_outer(p, fate, a, b) ? propagate_pair(fate, a, b) : 0;
            possible = what >= 0;
            changed = changed || what > 0;
        }
        base_work((size_t)n + (size_t)count * (size_t)count);
    }
    base_free(list);
    return possible;
}
