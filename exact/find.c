/* Which schedules and coarse bounds are looked for, and when. */
#include "exact/find.h"

#include <math.h>

#include "exact/anneal.h"
#include "exact/coarse.h"
#include "exact/improve.h"

double engine_spent_on(const engine *e, exact_effort effort)
{
    return 1e9 * e->result->spent[effort].work;
}

void engine_spend(engine *e, exact_effort effort, const exact_spent *turn)
{
    exact_spent *spent = &e->result->spent[effort];
    spent->work += turn->work;
    spent->seconds += turn->seconds;
    spent->turns += turn->turns;
    spent->successes += turn->successes;
}

ledger ledger_open(const engine *e)
{
    return (ledger){engine_work(e), base_seconds(), e->lower, e->upper};
}

void ledger_close(const ledger *before, engine *e, exact_effort effort)
{
    const exact_spent turn = {.work = 1e-9 * (engine_work(e) - before->work),
                              .seconds = base_seconds() - before->seconds,
                              .turns = 1,
                              .successes = e->lower > before->lower || e->upper < before->upper};
    engine_spend(e, effort, &turn);
}

bool engine_is_within_effort(const engine *e, exact_effort effort, double per_mille)
{
    return 1000 * engine_spent_on(e, effort) < per_mille * engine_work(e);
}

static bool is_near(const engine *e)
{
    return e->lower >= (1 - engine_tuning(e)->near_gap) * engine_cutoff(e);
}

double engine_slice(const engine *e)
{
    return fmax(engine_tuning(e)->least_slice, engine_tuning(e)->slice * engine_work(e));
}

/* Of a turn of looking for schedules. */
static double schedule_work(const engine *e, int per_mille)
{
    return fmax(engine_tuning(e)->anneal_quick * e->p->graph->n,
                fmax(1, 1e-3 * per_mille * engine_work(e)));
}

/* ---- what makes sense ------------------------------------------------------------ */

static bool takes_long(const finder *f)
{
    return f->now.growth_long || engine_work(f->e) > engine_tuning(f->e)->long_work;
}

/* Schedules from the LP over the windows; once those are closed there may be better ones outside.
 */
static bool may_improve(const finder *f)
{
    if (!f->now.windows || !f->e->params->heuristics)
        return false;
    if (!f->e->core_closed)
        return !f->improved[0];
    return f->now.growth_over && f->now.wide != f->now.windows && !f->improved[1];
}

static bool may_improve_on(const finder *f)
{
    return f->now.windows && takes_long(f) && f->now.wide->status == LP_OPTIMAL &&
           engine_improve_left(f->e);
}

/* Schedules whatever the models do. */
static bool may_anneal(const finder *f)
{
    return engine_anneal_left(f->e) && (!f->e->core_closed || takes_long(f));
}

/* As long as nothing else tells more, nor the LP that the tree over the rest begins with, and
 * longer where the search takes long; where that tree is likely to close, as long as the timeline
 * has more of the gap of this LP than is left. */
static bool may_coarsen(const finder *f)
{
    const engine *e = f->e;
    if (!engine_coarse_left(e))
        return false;
    if (f->now.growth_over && takes_long(f) && !is_near(e))
        return true;
    const double left = is_near(e) ? engine_cutoff(e) - e->coarse_bound : 0;
    return engine_coarse_leads(e) &&
           (!f->now.growth_over || e->coarse_bound - f->now.wide_bound >= left);
}

/* ---- shares ------------------------------------------------------------------------ */

/* Per mille of the work. The less often the turns of looking for schedules bring something, the
 * less. */
static double share(const finder *f, exact_effort effort)
{
    const exact_tuning *t = engine_tuning(f->e);
    if (effort == EFFORT_COARSE)
        return f->now.growth_over ? t->coarse_effort : t->coarse_look_effort;
    const exact_spent *spent = &f->e->result->spent[effort];
    return (effort == EFFORT_ANNEAL ? t->anneal_effort : t->improve_effort) *
           (double)(spent->successes + 1) / (double)(spent->turns + 1);
}

static bool has_share(const finder *f, exact_effort effort)
{
    return engine_is_within_effort(f->e, effort, share(f, effort));
}

exact_effort finder_due(const finder *f)
{
    if (may_anneal(f) && has_share(f, EFFORT_ANNEAL))
        return EFFORT_ANNEAL;
    if (may_coarsen(f) && has_share(f, EFFORT_COARSE))
        return EFFORT_COARSE;
    if (may_improve(f) || (may_improve_on(f) && has_share(f, EFFORT_IMPROVE)))
        return EFFORT_IMPROVE;
    return EFFORTS;
}

exact_effort finder_next(const finder *f)
{
    if (may_improve(f))
        return EFFORT_IMPROVE;
    const exact_effort among[] = {EFFORT_ANNEAL, EFFORT_COARSE, EFFORT_IMPROVE};
    const bool may[] = {may_anneal(f), may_coarsen(f), may_improve_on(f)};
    exact_effort best = EFFORTS;
    double least = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double part = engine_spent_on(f->e, among[k]) / share(f, among[k]);
        if (may[k] && part < least) {
            least = part;
            best = among[k];
        }
    }
    return best;
}

/* ---- turns --------------------------------------------------------------------------- */

static void improve(finder *f)
{
    engine *e = f->e;
    if (!may_improve(f)) {
        engine_improve_on(e, f->now.wide, schedule_work(e, engine_tuning(e)->improve_effort));
        return;
    }
    const bool closed = e->core_closed;
    f->improved[closed] = true;
    engine_improve(e, closed ? f->now.wide : f->now.windows);
}

void finder_run(finder *f, exact_effort effort)
{
    engine *e = f->e;
    if (effort == EFFORT_IMPROVE)
        improve(f);
    else if (effort == EFFORT_COARSE)
        engine_coarse(e, engine_slice(e));
    else
        engine_anneal(e, schedule_work(e, engine_tuning(e)->anneal_effort));
}
