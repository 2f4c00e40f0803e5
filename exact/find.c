/* The choice of the next effort to find schedules or coarse bounds, and its share. */
#include "exact/find.h"

#include <math.h>

#include "exact/cases/cases.h"
#include "exact/finder/anneal.h"
#include "exact/labels/labels.h"
#include "exact/timeline/coarse.h"

/* Most work of a pass over labels, as a part of all work so far. */
#define PASS 0.3

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

turn_start turn_begin(const engine *e)
{
    return (turn_start){engine_work(e), base_seconds(), e->lower, e->upper};
}

exact_spent turn_end(const turn_start *before, const engine *e)
{
    return (exact_spent){.work = 1e-9 * (engine_work(e) - before->work),
                         .seconds = base_seconds() - before->seconds,
                         .turns = 1,
                         .successes = e->lower > before->lower || e->upper < before->upper};
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

/* Steps of one turn of annealing. */
static double anneal_work(const engine *e)
{
    const exact_tuning *t = engine_tuning(e);
    return fmax(t->anneal_quick * e->p->graph->n,
                fmax(1, 1e-3 * t->anneal_effort * engine_work(e)));
}

/* ---- possible turns -------------------------------------------------------------- */

static bool is_busy(const finder *f, exact_effort effort)
{
    return f->busy & 1u << effort;
}

static bool takes_long(const finder *f)
{
    return f->now.growth_long || engine_takes_long(f->e);
}

/* True if annealing may have a turn. */
static bool may_run_anneal(const finder *f)
{
    return !is_busy(f, EFFORT_ANNEAL) && engine_anneal_left(f->e) &&
           (!f->e->core_closed || takes_long(f));
}

/* True if coarse timelines may have a turn. They lead if no other bound is better. Before growth
 * ends, leading suffices. After growth their bound must also exceed the LP bound of the last
 * growing model. Near the cutoff it must exceed that by more than the gap that is left. In a long
 * search that is far from the cutoff, they continue after growth in any case. */
static bool may_run_coarse(const finder *f)
{
    const engine *e = f->e;
    if (is_busy(f, EFFORT_COARSE) || !engine_coarse_left(e))
        return false;
    if (f->now.growth_over && takes_long(f) && !is_near(e))
        return true;
    const double left = is_near(e) ? engine_cutoff(e) - e->coarse_bound : 0;
    return engine_coarse_leads(e) &&
           (!f->now.growth_over || e->coarse_bound - f->now.wide_bound >= left);
}

/* True if cases may have a turn: in a long search, if coarse timelines have proven nearly all of
 * the bound. */
static bool may_run_cases(const finder *f)
{
    const engine *e = f->e;
    const double more = 0.01 * (engine_cutoff(e) - e->coarse_bound);
    return !is_busy(f, EFFORT_CASES) && engine_work(e) > engine_tuning(e)->cases_begin &&
           takes_long(f) && e->lower - e->coarse_bound <= more && engine_cases_left(e);
}

/* True if label searches may have a turn: in a long search. */
static bool may_run_labels(const finder *f)
{
    const engine *e = f->e;
    return !is_busy(f, EFFORT_LABELS) && engine_work(e) > engine_tuning(e)->labels_begin &&
           takes_long(f) && engine_labels_left(e);
}

/* ---- shares ------------------------------------------------------------------------ */

/* Share of the work, per mille. For annealing and the cases it shrinks with the rate of turns
 * without success. */
static double share(const finder *f, exact_effort effort)
{
    const exact_tuning *t = engine_tuning(f->e);
    if (effort == EFFORT_COARSE)
        return f->now.growth_over ? t->coarse_effort : t->coarse_look_effort;
    const exact_spent *spent = &f->e->result->spent[effort];
    const double full = effort == EFFORT_CASES    ? t->cases_effort
                        : effort == EFFORT_LABELS ? t->labels_effort
                                                  : t->anneal_effort;
    return full * (double)(spent->successes + 1) / (double)(spent->turns + 1);
}

/* Work on the effort, relative to its share. */
static double part_of_share(const finder *f, exact_effort effort)
{
    return engine_spent_on(f->e, effort) / share(f, effort);
}

static bool has_share(const finder *f, exact_effort effort)
{
    return engine_is_within_effort(f->e, effort, share(f, effort));
}

static const exact_effort efforts[] = {EFFORT_LABELS, EFFORT_ANNEAL, EFFORT_COARSE, EFFORT_CASES};
enum { FINDER_EFFORTS = sizeof efforts / sizeof *efforts };

static bool may_run(const finder *f, exact_effort effort)
{
    return effort == EFFORT_ANNEAL   ? may_run_anneal(f)
           : effort == EFFORT_COARSE ? may_run_coarse(f)
           : effort == EFFORT_LABELS ? may_run_labels(f)
                                     : may_run_cases(f);
}

exact_effort finder_due(const finder *f)
{
    for (int k = 0; k < FINDER_EFFORTS; k++)
        if (may_run(f, efforts[k]) && has_share(f, efforts[k]))
            return efforts[k];
    return EFFORTS;
}

exact_effort finder_next(const finder *f)
{
    exact_effort best = EFFORTS;
    for (int k = 0; k < FINDER_EFFORTS; k++)
        if (may_run(f, efforts[k]) &&
            (best == EFFORTS || part_of_share(f, efforts[k]) < part_of_share(f, best)))
            best = efforts[k];
    return best;
}

/* ---- turns --------------------------------------------------------------------------- */

void finder_hand_over(engine *from, engine *to, exact_effort effort)
{
    if (effort == EFFORT_COARSE && from->coarse) {
        to->coarse = from->coarse;
        from->coarse = NULL;
    }
    if (effort == EFFORT_CASES && from->cases) {
        to->cases = from->cases;
        from->cases = NULL;
    }
    if (effort == EFFORT_LABELS && from->labels) {
        to->labels = from->labels;
        from->labels = NULL;
    }
    if (effort == EFFORT_ANNEAL && from->anneal) {
        to->anneal = from->anneal;
        from->anneal = NULL;
    }
}

void finder_run(finder *f, exact_effort effort)
{
    engine *e = f->e;
    if (effort == EFFORT_COARSE)
        engine_coarse(e, engine_coarse_begun(e) ? engine_slice(e)
                                                : engine_tuning(e)->coarse_quick * e->p->graph->n);
    else if (effort == EFFORT_CASES)
        engine_cases(e, engine_slice(e));
    else if (effort == EFFORT_LABELS)
        engine_labels(e, PASS * engine_work(e));
    else
        engine_anneal(e, anneal_work(e));
}
