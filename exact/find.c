/* The choice of the next effort to find schedules or coarse bounds, and its share. */
#include "exact/find.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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

/* ---- which may have a turn -------------------------------------------------------------- */

static bool takes_long(const finder *f)
{
    return f->now.growth_long || engine_takes_long(f->e);
}

/* True if annealing may have a turn. */
static bool may_run_anneal(const finder *f)
{
    return engine_anneal_left(f->e) && (!f->e->core_closed || takes_long(f));
}

/* True if coarse timelines may have a turn. They lead if no other bound is better. Before growth
 * ends, leading suffices. After growth their bound must also exceed the LP bound of the last
 * growing model. Near the cutoff it must exceed that by more than the gap that is left. In a long
 * search that is far from the cutoff, they continue after growth in any case. */
static bool may_run_coarse(const finder *f)
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

/* True if cases may have a turn: in a long search, if coarse timelines have proven nearly all of
 * the bound. */
static bool may_run_cases(const finder *f)
{
    const engine *e = f->e;
    const double more = 0.01 * (engine_cutoff(e) - e->coarse_bound);
    return engine_work(e) > engine_tuning(e)->cases_begin && takes_long(f) &&
           e->lower - e->coarse_bound <= more && engine_cases_left(e);
}

/* True if label searches may have a turn: in a long search. */
static bool may_run_labels(const finder *f)
{
    const engine *e = f->e;
    return engine_work(e) > engine_tuning(e)->labels_begin && takes_long(f) &&
           engine_labels_left(e);
}

/* ---- the table ----------------------------------------------------------------------- */

/* A share in per mille that shrinks with the rate of turns without success. */
static double earned(const engine *e, exact_effort effort, double full)
{
    const exact_spent *spent = &e->result->spent[effort];
    return full * (double)(spent->successes + 1) / (double)(spent->turns + 1);
}

static double share_labels(const finder *f)
{
    return earned(f->e, EFFORT_LABELS, engine_tuning(f->e)->labels_effort);
}

static double share_anneal(const finder *f)
{
    return earned(f->e, EFFORT_ANNEAL, engine_tuning(f->e)->anneal_effort);
}

static double share_coarse(const finder *f)
{
    const exact_tuning *t = engine_tuning(f->e);
    return f->now.growth_over ? t->coarse_effort : t->coarse_look_effort;
}

static double share_cases(const finder *f)
{
    return earned(f->e, EFFORT_CASES, engine_tuning(f->e)->cases_effort);
}

static void run_labels(engine *e)
{
    engine_labels(e, PASS * engine_work(e));
}

static void run_anneal(engine *e)
{
    const exact_tuning *t = engine_tuning(e);
    engine_anneal(e, fmax(t->anneal_quick * e->p->graph->n,
                          fmax(1, 1e-3 * t->anneal_effort * engine_work(e))));
}

static void run_coarse(engine *e)
{
    engine_coarse(e, engine_coarse_begun(e) ? engine_slice(e)
                                            : engine_tuning(e)->coarse_quick * e->p->graph->n);
}

static void run_cases(engine *e)
{
    engine_cases(e, engine_slice(e));
}

/* An effort of the finder. */
typedef struct finder_effort {
    exact_effort effort;
    size_t state;                     /* offset in the engine of the pointer to its state */
    bool (*may_run)(const finder *f); /* may have a turn, unless it has one now */
    double (*share)(const finder *f); /* of the work, per mille */
    void (*run)(engine *e);           /* one turn */
    void (*clear)(engine *e);         /* frees its state after a search; NULL: it stays */
} finder_effort;

/* The first of these that is due comes first. */
static const finder_effort efforts[] = {
    {EFFORT_LABELS, offsetof(engine, labels), may_run_labels, share_labels, run_labels,
     engine_labels_clear},
    {EFFORT_ANNEAL, offsetof(engine, anneal), may_run_anneal, share_anneal, run_anneal, NULL},
    {EFFORT_COARSE, offsetof(engine, coarse), may_run_coarse, share_coarse, run_coarse,
     engine_coarse_clear},
    {EFFORT_CASES, offsetof(engine, cases), may_run_cases, share_cases, run_cases,
     engine_cases_clear},
};
enum { FINDER_EFFORTS = sizeof efforts / sizeof *efforts };

static bool may_run(const finder *f, const finder_effort *x)
{
    return !(f->busy & 1u << x->effort) && x->may_run(f);
}

/* Work on the effort, relative to its share. */
static double part_of_share(const finder *f, const finder_effort *x)
{
    return engine_spent_on(f->e, x->effort) / x->share(f);
}

exact_effort finder_due(const finder *f)
{
    for (int k = 0; k < FINDER_EFFORTS; k++) {
        const finder_effort *x = &efforts[k];
        if (may_run(f, x) && engine_is_within_effort(f->e, x->effort, x->share(f)))
            return x->effort;
    }
    return EFFORTS;
}

exact_effort finder_next(const finder *f)
{
    const finder_effort *best = NULL;
    for (int k = 0; k < FINDER_EFFORTS; k++) {
        const finder_effort *x = &efforts[k];
        if (may_run(f, x) && (!best || part_of_share(f, x) < part_of_share(f, best)))
            best = x;
    }
    return best ? best->effort : EFFORTS;
}

/* ---- turns --------------------------------------------------------------------------- */

void finder_run(finder *f, exact_effort effort)
{
    for (int k = 0; k < FINDER_EFFORTS; k++)
        if (efforts[k].effort == effort)
            efforts[k].run(f->e);
}

void finder_hand_over(engine *from, engine *to, exact_effort effort)
{
    void *none = NULL;
    for (int k = 0; k < FINDER_EFFORTS; k++) {
        char *state = (char *)from + efforts[k].state;
        if (efforts[k].effort != effort || !memcmp(state, &none, sizeof none))
            continue;
        memcpy((char *)to + efforts[k].state, state, sizeof none);
        memcpy(state, &none, sizeof none);
    }
}

void finder_clear(engine *e)
{
    for (int k = 0; k < FINDER_EFFORTS; k++)
        if (efforts[k].clear)
            efforts[k].clear(e);
}
