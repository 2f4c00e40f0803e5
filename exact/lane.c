/* Two lanes: the one that proves, and how the other one begins and ends. */
#include <math.h>
#include <string.h>

#include "exact/lane_state.h"

/* ---- what is told -------------------------------------------------------------------- */

static uint8_t *copy_cells(const engine *e, const uint8_t *cells)
{
    uint8_t *copy = base_malloc(engine_cells(e), 1);
    memcpy(copy, cells, engine_cells(e));
    return copy;
}

/* A copy for the finder; NULL where memory is short. */
static working *copy_working(const engine *e, const working *w)
{
    return engine_has_room(e, w->f->mask) ? working_copy(e, w) : NULL;
}

/* The tree over the windows, or that it is wanted back. */
static void hand_over(lane *l, report *r)
{
    r->lends = l->lends;
    r->recalls = l->recalls;
    l->lends = l->recalls = false;
    if (r->lends) {
        r->lent = *l->lent;
        l->lent->tree = NULL;
        l->lent->own = NULL;
    }
}

static report *make_report(lane *l, const outlook *now)
{
    engine *e = l->e;
    report *r = base_calloc(1, sizeof *r);
    if (e->upper < l->told) {
        l->told = e->upper;
        r->schedule = schedule_copy(e->result->schedule);
        memcpy(r->source, e->result->source, sizeof r->source);
    }
    r->lower = e->lower;
    r->work = engine_work(e) - l->delivered;
    r->nodes = e->result->nodes;
    r->mask = copy_cells(e, e->mask);
    r->core_closed = e->core_closed;
    r->core_bound = e->core_bound;
    if (e->core && (e->core_closed || l->lends))
        r->core = copy_cells(e, e->core);
    r->now = *now;
    if (now->windows && now->windows != l->windows) {
        l->windows = now->windows;
        r->windows = copy_working(e, now->windows);
        l->copied = r->windows != NULL;
        l->may_improve = l->copied && e->params->heuristics;
    }
    /* What is still growing is out of date at once. */
    if (now->wide != now->windows && now->wide != l->wide &&
        (now->growth_over || now->growth_long)) {
        l->wide = now->wide;
        r->wide = copy_working(e, now->wide);
    }
    hand_over(l, r);
    return r;
}

/* ---- who proves ---------------------------------------------------------------------------- */

/* What was told of the tree over the windows; the tree, if it is back. */
static void take_tree(lane *l, find *f)
{
    child *c = l->lent;
    *c = f->within;
    f->within = (child){0};
    if (c->tree)
        engine_tree_move(c->tree, l->e, c->own ? c->own : l->windows);
    if (f->returns)
        l->lent = NULL;
}

static void take_find(lane *l, find *f)
{
    engine *e = l->e;
    const double lower = e->lower;
    bool better = false;
    if (f->schedule)
        better = engine_offer(e, f->schedule, f->source);
    engine_raise(e, fmin(f->bound, engine_cutoff(e)));
    e->coarse_bound = f->coarse_bound;
    e->infeasible = e->infeasible || f->infeasible;
    e->failed = e->failed || f->failed;
    l->improved = l->improved || f->effort == EFFORT_IMPROVE;
    e->helpers_work += 1e9 * f->spent.work;
    l->delivered += 1e9 * f->spent.work;
    e->result->nodes += f->nodes;
    e->result->lp_iterations += f->iterations;
    e->result->cuts += f->cuts;
    exact_spent spent = f->spent;
    spent.successes = better || e->lower > lower;
    const double part = f->effort == EFFORT_WINDOWS ? f->within.bound : -INFINITY;
    if (f->effort == EFFORT_WINDOWS)
        take_tree(l, f);
    engine_spend(e, f->effort, &spent);
    engine_log_turn(e, f->effort, part);
}

static void tell(lane *l, report *r)
{
    base_lock(&l->lock);
    base_work_show(&l->proven);
    l->reported = r->at = lane_proving_clock(l);
    *l->last_report = r;
    l->last_report = &r->next;
    base_unlock(&l->lock);
}

/* Whether all that the finder has to say up to this time on the clock has been said; *f gets the
 * first of it that has not been taken. */
static bool has_been_told(lane *l, double at, find **f)
{
    base_lock(&l->lock);
    const bool told = l->idle ? !l->reports && l->wake >= fmin(at, lane_proving_clock(l))
                              : lane_finding_clock(l) > at;
    *f = l->finds && l->finds->at <= at ? l->finds : NULL;
    if (*f) {
        l->finds = (*f)->next;
        if (!l->finds)
            l->last_find = &l->finds;
    }
    base_unlock(&l->lock);
    return told && !*f;
}

/* One step of waiting for that: a find is taken; false: all has been taken, or a limit ends it. */
static bool wait_for_finds(lane *l, double at)
{
    find *f;
    if (has_been_told(l, at, &f))
        return false;
    if (f) {
        take_find(l, f);
        l->last_taken = f->at;
        lane_find_free(f);
        return true;
    }
    lane_rest();
    base_rejoin();
    return base_limits_check(&l->e->params->limits) == BASE_GO;
}

void lane_meet(lane *l, const outlook *now)
{
    tell(l, make_report(l, now));
    while (wait_for_finds(l, lane_proving_clock(l)))
        ;
}

/* Whether what is waited for has come. */
typedef bool has_come(const lane *l);

/* Waits for it, however long the finder takes. */
static void await(lane *l, has_come *come)
{
    engine *e = l->e;
    base_lock(&l->lock);
    const double reported = l->reported;
    l->reported = INFINITY; /* nothing more before the finder has come */
    base_unlock(&l->lock);
    while (!come(l) && !engine_done(e) && wait_for_finds(l, INFINITY))
        ;
    base_lock(&l->lock);
    const double late = fmax(0, l->last_taken - lane_proving_clock(l)), rate = l->rate;
    l->waited += late;
    l->reported = fmax(reported, lane_proving_clock(l));
    base_unlock(&l->lock);
    e->waited += late / rate;
}

static bool has_improved(const lane *l)
{
    return l->improved;
}

void lane_await_improvement(lane *l)
{
    if (!l->may_improve || l->improved || l->e->core_closed || engine_done(l->e))
        return;
    await(l, has_improved);
    l->improved = true;
}

/* ---- the tree over the windows ------------------------------------------------------------- */

bool lane_may_borrow(const lane *l)
{
    return l->copied;
}

void lane_lend(lane *l, child *c)
{
    l->lent = c;
    l->lends = true;
}

bool lane_has_lent(const lane *l)
{
    return l->lent != NULL;
}

static bool is_back(const lane *l)
{
    return !lane_has_lent(l);
}

void lane_recall(lane *l, const outlook *now)
{
    l->recalls = true;
    tell(l, make_report(l, now));
    await(l, is_back);
}

/* ---- beginning and end ------------------------------------------------------------------- */

static bool is_over(void *context)
{
    const lane *l = context;
    const base_limits *given = &l->e->params->limits;
    return atomic_load(&l->over) || (given->ask && given->ask(given->ask_context));
}

/* The finder's engine: of the other's, all but what proves. */
static void make_engine(lane *l)
{
    engine *e = l->e, *b = &l->own;
    l->params = *e->params;
    l->params.limits.ask = is_over;
    l->params.limits.ask_context = l;
    l->params.log = 0;
    l->params.incumbent = NULL;
    l->params.proof = NULL;
    l->params.tuning.coarse = engine_coarse_left(e);
    *b = (engine){.p = e->p,
                  .params = &l->params,
                  .result = &l->result,
                  .threads = 1,
                  .tree_limits = &l->params.limits,
                  .start = e->start,
                  .features = e->features,
                  .scale = e->scale,
                  .beside = l->params.tuning.lane_rate,
                  .upper = INFINITY,
                  .lower = e->lower,
                  .coarse = engine_coarse_hand_over(e),
                  .coarse_bound = e->coarse_bound,
                  .anneal = e->anneal,
                  .improvement = e->improvement,
                  .row = {.effort = EFFORTS, .part = -INFINITY}};
    e->anneal = NULL;
    e->improvement = NULL;
    memcpy(l->result.spent, e->result->spent, sizeof l->result.spent);
    pthread_mutex_init(&b->lock, NULL);
    l->finder = (finder){.e = b, .beside = true};
    l->tree = (search_state){.e = b};
    l->tree.rest.bound = -INFINITY;
    l->rate = b->beside;
    e->tree_limits = &l->params.limits;
}

static void clear(lane *l)
{
    engine *b = &l->own;
    search_close_child(&l->tree, &l->tree.within, NULL);
    engine_coarse_clear(b);
    engine_anneal_clear(b);
    engine_improve_clear(b);
    working_free(l->own_windows);
    working_free(l->own_wide);
    base_free(b->mask);
    base_free(b->core);
    for (report *r = l->reports, *next; r; r = next) {
        next = r->next;
        lane_report_free(r);
    }
    for (find *f = l->finds, *next; f; f = next) {
        next = f->next;
        lane_find_free(f);
    }
}

lane *lane_open(engine *e)
{
    lane *l = base_calloc(1, sizeof *l);
    l->e = e;
    l->told = INFINITY;
    l->last_report = &l->reports;
    l->last_find = &l->finds;
    l->idle = true;
    l->wake = INFINITY; /* the first report */
    l->guard = base_guard_current();
    l->locale = uselocale((locale_t)0);
    pthread_mutex_init(&l->lock, NULL);
    make_engine(l);
    base_work_show(&l->proven);
    if (pthread_create(&l->thread, NULL, lane_run_finder, l) == 0)
        return l;
    base_work_show(NULL);
    e->coarse = l->own.coarse;
    e->anneal = l->own.anneal;
    e->improvement = l->own.improvement;
    e->tree_limits = NULL;
    base_free(l);
    return NULL;
}

/* What the finder knew when a limit ended both. */
static void take_all(lane *l)
{
    engine *e = l->e, *b = &l->own;
    if (b->result->schedule)
        engine_offer(e, b->result->schedule, b->result->source);
    engine_raise(e, fmin(b->lower, engine_cutoff(e)));
}

/* What may itself be given up. */
static void settle(void *data)
{
    lane *l = data;
    if (l->e->stop != BASE_GO && l->e->stop != BASE_STOP_WORK)
        take_all(l);
    clear(l);
}

void lane_close(lane *l)
{
    if (!l)
        return;
    atomic_store(&l->over, true);
    pthread_join(l->thread, NULL);
    base_work_show(NULL);
    l->e->tree_limits = NULL;
    l->e->threads = l->e->params->threads;
    if (base_limits_check(NULL) == BASE_GO) /* the work is not being given up */
        base_join(l->guard, settle, l);
    exact_result_clear(&l->result); /* which no guard frees */
    pthread_mutex_destroy(&l->own.lock);
    pthread_mutex_destroy(&l->lock);
    base_free(l);
}
