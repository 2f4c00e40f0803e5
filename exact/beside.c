/* The efforts beside the proof: which may have a turn, its share of the work, and the choice. */
#include "exact/beside.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "exact/cases/cases.h"
#include "exact/finder/anneal.h"
#include "exact/labels/labels.h"
#include "exact/labels/polish.h"
#include "exact/timeline/coarse.h"

/* Most work of a turn of a pass over labels, as a part of all work so far. */
#define PASS 0.3
/* Gap up to which only the last tensors to leave RAM are open, and the share of the work, per
 * mille, of the timelines then. */
#define TAIL_GAP 1e-4
#define TAIL_EFFORT 700.0

static bool is_near(const engine *e, double bound)
{
    return engine_is_within(e, bound, engine_tuning(e)->near_gap);
}

/* ---- which may have a turn -------------------------------------------------------------- */

/* True if timelines lead, almost at the cutoff, no case has had a turn, and labels have brought
 * nothing. */
static bool ends_by_timelines(const beside *f)
{
    const engine *e = f->e;
    const exact_spent *spent = e->result->spent;
    return engine_coarse_left(e) && engine_coarse_leads(e) &&
           engine_is_within(e, e->lower, TAIL_GAP) && spent[EFFORT_LABELS].successes == 0 &&
           spent[EFFORT_CASES].turns == 0;
}

/* True if trees are likely to close: over cells, as growth ended near the cutoff, or of timelines.
 */
static bool trees_suffice(const beside *f)
{
    return (f->now.growth_over && is_near(f->e, f->now.wide_bound)) || ends_by_timelines(f);
}

/* True if annealing may have a turn. */
static bool may_run_anneal(const beside *f)
{
    return engine_anneal_left(f->e);
}

/* True if coarse timelines may have a turn. They lead if no other bound is better. Before growth
 * ends that is enough. After growth they must lead and reach the LP bound of the last growing
 * model; near the cutoff, they must exceed it by the rest of the gap. In a long search they may
 * have a turn in any case if it is far from the cutoff, and if they end it. */
static bool may_run_coarse(const beside *f)
{
    const engine *e = f->e;
    if (!engine_coarse_left(e))
        return false;
    if (f->now.growth_over && engine_takes_long(e) &&
        (!is_near(e, e->lower) || ends_by_timelines(f)))
        return true;
    const double left = is_near(e, e->lower) ? engine_cutoff(e) - e->coarse_bound : 0;
    return engine_coarse_leads(e) &&
           (!f->now.growth_over || e->coarse_bound - f->now.wide_bound >= left);
}

/* True if cases may have a turn: after cases_begin steps, if trees do not suffice. */
static bool may_run_cases(const beside *f)
{
    return engine_work(f->e) > engine_tuning(f->e)->cases_begin && !trees_suffice(f) &&
           engine_cases_left(f->e);
}

/* True if label searches may have a turn: if they may begin and trees do not suffice. */
static bool may_run_labels(const beside *f)
{
    return engine_labels_due(f->e) && !trees_suffice(f) && engine_labels_left(f->e);
}

/* True if schedules near the best one may be searched, by labels as well. */
static bool may_run_polish(const beside *f)
{
    return engine_polish_due(f->e) && !trees_suffice(f) && engine_polish_left(f->e);
}

/* ---- the table ----------------------------------------------------------------------- */

/* full times (successes + 1) / (turns + 1) of the effort. */
static double earned(const engine *e, exact_effort effort, double full)
{
    const exact_spent *spent = &e->result->spent[effort];
    return full * (double)(spent->successes + 1) / (double)(spent->turns + 1);
}

static double share_labels(const beside *f)
{
    return earned(f->e, EFFORT_LABELS, engine_tuning(f->e)->labels_effort);
}

static double share_anneal(const beside *f)
{
    return earned(f->e, EFFORT_ANNEAL, engine_tuning(f->e)->anneal_effort);
}

static double share_polish(const beside *f)
{
    return earned(f->e, EFFORT_POLISH, engine_tuning(f->e)->polish_effort);
}

/* Once cases have begun, which have timelines of their own, the search earns its share of them. */
static double share_coarse(const beside *f)
{
    const exact_tuning *t = engine_tuning(f->e);
    if (ends_by_timelines(f))
        return TAIL_EFFORT;
    if (f->e->result->spent[EFFORT_CASES].turns > 0)
        return earned(f->e, EFFORT_COARSE, t->coarse_effort);
    return t->coarse_effort;
}

static double share_cases(const beside *f)
{
    return earned(f->e, EFFORT_CASES, engine_tuning(f->e)->cases_effort);
}

static void run_labels(engine *e)
{
    engine_labels(
        e, fmax(engine_tuning(e)->least_slice, earned(e, EFFORT_LABELS, PASS) * engine_work(e)));
}

static void run_anneal(engine *e)
{
    const exact_tuning *t = engine_tuning(e);
    engine_anneal(e, fmax(t->anneal_quick * e->p->graph->n,
                          fmax(1, 1e-3 * t->anneal_effort * engine_work(e))));
}

static void run_polish(engine *e)
{
    engine_polish(e, PASS * engine_work(e));
}

static void run_coarse(engine *e)
{
    engine_coarse(e, engine_coarse_begun(e) ? engine_slice(e) : engine_coarse_quick(e));
}

static void run_cases(engine *e)
{
    engine_cases(e, engine_slice(e));
}

/* An effort beside the proof. */
typedef struct beside_effort {
    exact_effort effort;
    size_t state;                     /* offset in the engine of the pointer to its state */
    bool (*may_run)(const beside *f); /* apart from `busy` */
    double (*share)(const beside *f); /* of the work, per mille; 0: it is off */
    void (*run)(engine *e);           /* one turn */
    void (*clear)(engine *e);         /* frees its state; NULL: it stays for the next search */
} beside_effort;

/* Of two that have used the same part of their shares, the first comes first. */
static const beside_effort efforts[] = {
    {EFFORT_LABELS, offsetof(engine, labels), may_run_labels, share_labels, run_labels,
     engine_labels_clear},
    {EFFORT_ANNEAL, offsetof(engine, anneal), may_run_anneal, share_anneal, run_anneal, NULL},
    {EFFORT_POLISH, offsetof(engine, polish), may_run_polish, share_polish, run_polish,
     engine_polish_clear},
    {EFFORT_COARSE, offsetof(engine, coarse), may_run_coarse, share_coarse, run_coarse,
     engine_coarse_clear},
    {EFFORT_CASES, offsetof(engine, cases), may_run_cases, share_cases, run_cases,
     engine_cases_clear},
};
enum { BESIDE_EFFORTS = sizeof efforts / sizeof *efforts };

static bool may_run(const beside *f, const beside_effort *x)
{
    return !(f->busy & 1u << x->effort) && x->share(f) > 0 && x->may_run(f);
}

/* Work on the effort, relative to its share, which is not 0. */
static double part_of_share(const beside *f, const beside_effort *x)
{
    return engine_spent_on(f->e, x->effort) / x->share(f);
}

/* The effort that may have a turn and has used the least part of its share; NULL: none. */
static const beside_effort *least_served(const beside *f)
{
    const beside_effort *best = NULL;
    for (int k = 0; k < BESIDE_EFFORTS; k++) {
        const beside_effort *x = &efforts[k];
        if (may_run(f, x) && (!best || part_of_share(f, x) < part_of_share(f, best)))
            best = x;
    }
    return best;
}

/* If the least served one has had its share, so have all. */
exact_effort beside_due(const beside *f)
{
    const beside_effort *x = least_served(f);
    return x && engine_is_within_effort(f->e, x->effort, x->share(f)) ? x->effort : EFFORTS;
}

exact_effort beside_next(const beside *f)
{
    const beside_effort *x = least_served(f);
    return x ? x->effort : EFFORTS;
}

bool beside_leads(const beside *f)
{
    const engine *e = f->e;
    const exact_spent *spent = &e->result->spent[EFFORT_LABELS];
    const exact_tuning *t = engine_tuning(e);
    const double most = isinf(e->upper) ? t->labels_begin : t->first_wait;
    return engine_is_far(e) && engine_work(e) < most && 2 * spent->successes >= spent->turns &&
           share_labels(f) > 0 && engine_labels_left(e);
}

/* ---- turns --------------------------------------------------------------------------- */

void beside_run(beside *f, exact_effort effort)
{
    for (int k = 0; k < BESIDE_EFFORTS; k++)
        if (efforts[k].effort == effort)
            efforts[k].run(f->e);
}

void beside_hand_over(engine *from, engine *to, exact_effort effort)
{
    void *none = NULL;
    for (int k = 0; k < BESIDE_EFFORTS; k++) {
        char *state = (char *)from + efforts[k].state;
        if (efforts[k].effort != effort || !memcmp(state, &none, sizeof none))
            continue;
        memcpy((char *)to + efforts[k].state, state, sizeof none);
        memcpy(state, &none, sizeof none);
    }
}

void beside_clear(engine *e)
{
    for (int k = 0; k < BESIDE_EFFORTS; k++)
        if (efforts[k].clear)
            efforts[k].clear(e);
    engine_points_clear(&e->points);
}
