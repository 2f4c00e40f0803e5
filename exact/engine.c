/* State that all steps of a search share: the incumbent and its cutoffs, the dual bound, and the
 * end of the search. */
#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "exact/engine.h"
#include "exact/finder/anneal.h"
#include "exact/labels/polish.h"
#include "exact/log.h"
#include "formulation/check.h"

double engine_work_left(const engine *e)
{
    if (e->records_leaves)
        return INFINITY;
    return fmax(0, 1e9 * e->params->work_limit - engine_work(e) - e->held_back);
}

base_limits engine_limits(const engine *e, double work)
{
    base_limits limits = e->params->limits;
    base_limits_shorten(&limits, fmin(work, engine_work_left(e)));
    return limits;
}

/* Grows the list for one element more than `count`. The list survives a search that is given up. */
static void *make_room(void *list, int count, size_t size)
{
    if ((count & (count - 1)) == 0) /* full: the room is a power of two */
        list = base_realloc(list, count ? 2 * (size_t)count : 1, size);
    base_keep(list);
    return list;
}

static void append_incumbent(engine *e, double overhead_joules, const char *source)
{
    exact_result *r = e->result;
    exact_incumbent *i = &r->incumbent[r->incumbent_count++];
    *i = (exact_incumbent){.overhead_joules = overhead_joules,
                           .seconds = base_seconds() - e->start,
                           .cpu_seconds = (double)clock() / CLOCKS_PER_SEC,
                           .nodes = r->nodes,
                           .lp_iterations = r->lp_iterations};
    snprintf(i->source, sizeof i->source, "%s", source);
}

#ifndef NDEBUG
enum { CHECKED_NODES = 60 /* the full model of larger graphs takes too long */ };

/* True if the schedule satisfies every row of the model; else prints the violated rows. Its steps
 * do not count: the search must take the same steps without assertions. */
static bool meets_rows(const engine *e, const schedule *s)
{
    if (s->n > CHECKED_NODES)
        return true;
    const bool counts = e->threads == 1; /* see engine_lock */
    if (counts)
        base_work_aside(true);
    const bool meets = formulation_check_schedule(e->p, e->features, s, NULL) ||
                       formulation_check_schedule(e->p, e->features, s, stderr);
    if (counts)
        base_work_aside(false);
    return meets;
}
#endif

/* Stores s as the incumbent. Overwrites the old one: memory may not fit a third schedule. */
static void store_incumbent(engine *e, const schedule *s)
{
    exact_result *r = e->result;
    if (r->schedule) {
        schedule_assign(r->schedule, s);
        return;
    }
    r->schedule = schedule_copy(s);
    schedule_keep(r->schedule);
    r->first_incumbent_seconds = base_seconds() - e->start;
}

bool engine_offer(engine *e, const schedule *s, const char *source)
{
    validation v;
    if (schedule_validate(e->p, s, &v, NULL))
        return false;
    engine_lock(e);
    exact_result *r = e->result;
    bool better = v.overhead_joules * e->scale < e->upper;
    if (better) {
        assert(meets_rows(e, s));
        r->incumbent = make_room(r->incumbent, r->incumbent_count, sizeof *r->incumbent);
        store_incumbent(e, s);
        r->validation = v;
        e->upper = v.overhead_joules * e->scale;
        snprintf(r->source, sizeof r->source, "%s", source);
        append_incumbent(e, v.overhead_joules, source);
        engine_log_schedule(e, source);
        if (e->params->incumbent)
            e->params->incumbent(e->params->incumbent_user, r->schedule, &v, source);
    }
    engine_unlock(e);
    return better;
}

void engine_take_best(engine *e, const engine *from)
{
    engine_take_relaxed(e, from);
    if (from->upper >= e->upper)
        return;
    e->upper = from->upper;
    if (engine_may_polish(e)) {
        store_incumbent(e, from->result->schedule);
        e->result->validation = from->result->validation;
    }
}

void engine_note_points(engine_points *p, const engine_points *from)
{
    if (!from->stage || (p->stage && from->bound <= p->bound))
        return;
    int *stage = base_malloc((size_t)from->count + 1, sizeof *stage);
    memcpy(stage, from->stage, (size_t)from->count * sizeof *stage);
    base_free(p->stage);
    *p = (engine_points){stage, from->count, from->bound};
}

void engine_points_clear(engine_points *p)
{
    base_free(p->stage);
    *p = (engine_points){0};
}

static double minus_part(double upper, double part)
{
    return isinf(upper) ? upper : upper - part * upper;
}

double engine_cutoff(const engine *e)
{
    return minus_part(e->upper, 0.5 * e->params->gap_relative);
}

bool engine_is_within(const engine *e, double bound, double gap)
{
    const double cutoff = engine_cutoff(e);
    return isinf(cutoff) ? gap >= 1 : bound >= (1 - gap) * cutoff;
}

double engine_tree_cutoff(const engine *e)
{
    return minus_part(e->upper, 0.2 * e->params->gap_relative);
}

double engine_elimination_cutoff(const engine *e)
{
    return minus_part(e->upper, 0.5 * fmin(e->params->gap_relative, EXACT_OPTIMAL_GAP));
}

void engine_note_bound(engine *e, double bound, bool windows)
{
    exact_result *r = e->result;
    for (int k = r->bound_count; k-- > 0;)
        if (r->bound[k].windows == windows && r->bound[k].overhead_joules >= bound / e->scale)
            return;
    r->bound = make_room(r->bound, r->bound_count, sizeof *r->bound);
    r->bound[r->bound_count++] = (exact_bound){.overhead_joules = bound / e->scale,
                                               .seconds = base_seconds() - e->start,
                                               .windows = windows};
}

void engine_raise(engine *e, double bound)
{
    if (bound <= e->lower)
        return;
    e->lower = bound;
    if (isfinite(bound) && !e->parent)
        engine_note_bound(e, bound, false);
}

bool engine_settled(const engine *e)
{
    return e->failed || e->infeasible || (isfinite(e->upper) && e->lower >= engine_cutoff(e));
}

bool engine_done(engine *e)
{
    if (engine_settled(e))
        return true;
    if (e->stop == BASE_GO)
        e->stop = base_limits_check(&e->params->limits);
    if (e->stop == BASE_GO && engine_work_left(e) <= 0)
        e->stop = BASE_STOP_WORK;
    return e->stop != BASE_GO;
}
