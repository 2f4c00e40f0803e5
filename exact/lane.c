/* Two lanes: the one that proves, and how the other one begins and ends. */
#include <math.h>
#include <string.h>

#include "exact/anneal.h"
#include "exact/cases.h"
#include "exact/coarse.h"
#include "exact/lane_state.h"
#include "exact/log.h"
#include "exact/working.h"

/* ---- what is told -------------------------------------------------------------------- */

static uint8_t *copy_cells(const engine *e, const uint8_t *cells)
{
    uint8_t *copy = base_malloc(engine_cells(e), 1);
    memcpy(copy, cells, engine_cells(e));
    return copy;
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
    r->work = engine_work(e) - l->delivered + engine_root_work(e);
    r->nodes = e->result->nodes;
    r->mask = copy_cells(e, e->mask);
    r->core_closed = e->core_closed;
    if (e->core_closed)
        r->core = copy_cells(e, e->core);
    r->now = *now;
    return r;
}

/* ---- who proves ---------------------------------------------------------------------------- */

static void take_find(lane *l, const find *f)
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
    e->helpers_work += 1e9 * f->spent.work;
    l->delivered += 1e9 * f->spent.work;
    e->result->nodes += f->nodes;
    e->result->lp_iterations += f->iterations;
    e->result->cuts += f->cuts;
    exact_spent spent = f->spent;
    spent.successes = better || e->lower > lower;
    engine_spend(e, f->effort, &spent);
    engine_log_turn(e, f->effort, -INFINITY);
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

/* True if all that the finder has to say up to this time on the clock has been said; *f gets the
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
    l->e->beside = 1.0 / l->params.tuning.lane_rate;
    l->e->known_at = base_work_done();
}

void lane_wait(lane *l, double steps)
{
    base_lock(&l->lock);
    l->waited += steps;
    base_unlock(&l->lock);
}

/* ---- beginning and end ------------------------------------------------------------------- */

/* The finder's engine: of the other's, all but what proves. */
static void make_engine(lane *l)
{
    engine *e = l->e, *b = &l->own;
    engine_beside(e, b, &l->params, &l->result);
    l->proof = exact_proof_unheard;
    l->proof.user = engine_proof(e)->user;
    l->proof.timeline = engine_proof(e)->timeline;
    l->proof.timeline_ended = engine_proof(e)->timeline_ended;
    l->params.proof = e->params->proof ? &l->proof : NULL;
    l->params.tuning.coarse = engine_coarse_left(e);
    l->params.tuning.coarse_fixing = false; /* the cells are the other lane's */
    b->beside = l->params.tuning.lane_rate * (e->params->threads + 1); /* with a root */
    b->lower = e->lower;
    b->coarse = e->coarse;
    b->cases = e->cases;
    b->coarse_bound = e->coarse_bound;
    b->anneal = e->anneal;
    e->coarse = NULL;
    e->cases = NULL;
    e->anneal = NULL;
    memcpy(l->result.spent, e->result->spent, sizeof l->result.spent);
    l->finder = (finder){.e = b};
}

static void clear(lane *l)
{
    engine *b = &l->own;
    engine_cases_clear(b);
    engine_coarse_clear(b);
    engine_anneal_clear(b);
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
    e->cases = l->own.cases;
    e->anneal = l->own.anneal;
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
    atomic_store(&l->own.called_off, true);
    l->e->beside = 0;
    pthread_join(l->thread, NULL);
    base_work_show(NULL);
    if (base_limits_check(NULL) == BASE_GO) /* the work is not being given up */
        base_join(l->guard, settle, l);
    exact_result_clear(&l->result); /* which no guard frees */
    pthread_mutex_destroy(&l->own.lock);
    pthread_mutex_destroy(&l->lock);
    base_free(l);
}
