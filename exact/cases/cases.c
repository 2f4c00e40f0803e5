/* Branch and bound over the cases; the case with the least bound comes first. */
#include "exact/cases/cases.h"

#include <math.h>
#include <string.h>

#include "exact/cases/case.h"
#include "exact/cases/case_prefix.h"
#include "exact/labels/labels.h"
#include "exact/log.h"
#include "exact/timeline/coarse.h"

/* Most steps on the timelines of a case at first, and on labels of the first width, for each step
 * on the first timeline of the search. */
#define TIMELINES 0.25
#define LABELS 15.0

enum {
    MOST_OPEN = 20, /* fates in a case that has labels */
    WIDTH = 500,    /* labels of the first tries */
    IN_TURN = 3,    /* moments of a case that are tried before labels are twice as wide */
    MOST_TRIES = 6  /* of labels in a case */
};

typedef struct case_search {
    engine_case *open;         /* by bound, the least first; among equals the latest first */
    double stuck_bound;        /* least bound of the cases that cannot be closed; INFINITY: none */
    long cases;                /* created so far */
    double base, *kept, *away; /* of case_probe; extents n */
    case_record all, moment[CASE_MOMENTS]; /* of labels */
    double work, labels_work;              /* steps on all, and on labels */
} case_search;

static void insert_case(case_search *q, engine_case *c)
{
    engine_case **at = &q->open;
    while (*at && (*at)->bound < c->bound)
        at = &(*at)->next;
    c->next = *at;
    *at = c;
}

/* Opens the fate of each tensor if being away costs at least cases_dear of the incumbent. Returns
 * the number of these tensors. */
static int find_dear(const engine *e, uint8_t *fate)
{
    const double least = engine_tuning(e)->cases_dear * e->upper / e->scale;
    int count = 0;
    for (int i = 0; i < e->p->graph->n; i++) {
        const double joules = coarse_away_joules(e->p, i);
        if (isfinite(joules) && joules >= least) {
            fate[i] = FATE_OPEN;
            count++;
        }
    }
    return count;
}

static case_search *create_search(const engine *e)
{
    const size_t n = (size_t)e->p->graph->n;
    case_search *q = base_malloc(1, sizeof *q);
    uint8_t *fate = base_calloc(n, sizeof *fate);
    *q = (case_search){.stuck_bound = INFINITY, .kept = base_malloc(2 * n, sizeof *q->kept)};
    q->away = q->kept + n;
    if (find_dear(e, fate) > 0)
        insert_case(q,
                    case_create(e, fate, engine_proof(e)->fates(engine_proof(e)->user, e->p, fate),
                                e->lower));
    else
        q->stuck_bound = e->lower; /* no tensor to branch on */
    base_free(fate);
    return q;
}

static bool is_closed(const engine *e, const engine_case *c)
{
    return c->bound >= engine_cutoff(e);
}

/* Decides a fate if the bound of the other one reaches the cutoff. Returns the number of decided
 * fates; -1: the case is closed, since the bounds of both fates reach it. */
static int decide_fates(engine *e, const case_search *q, engine_case *c)
{
    const double cutoff = engine_cutoff(e);
    int decided = 0;
    for (int i = 0; i < e->p->graph->n; i++) {
        if (c->fate[i] != FATE_OPEN || fmax(q->kept[i], q->away[i]) < cutoff)
            continue;
        if (fmin(q->kept[i], q->away[i]) >= cutoff)
            return -1;
        c->fate[i] = q->kept[i] >= cutoff ? FATE_AWAY : FATE_KEPT;
        decided++;
    }
    return decided == 0 || case_propagate(e->p, c->fate, NULL, NULL) ? decided : -1;
}

/* Gain of the LP bound by one fate: at most the gap, at least a small part of it. */
static double bound_gain(const engine *e, const case_search *q, double bound)
{
    const double need = engine_cutoff(e) - q->base;
    return fmin(need, fmax(1e-6 * need, bound - q->base));
}

/* The tensor with the largest product of both gains; -1: no fate is open. */
static int choose_tensor(const engine *e, const case_search *q, const engine_case *c)
{
    int best = -1;
    double most = -1;
    for (int i = 0; i < e->p->graph->n; i++) {
        if (c->fate[i] != FATE_OPEN)
            continue;
        const double product = bound_gain(e, q, q->kept[i]) * bound_gain(e, q, q->away[i]);
        if (product > most) {
            most = product;
            best = i;
        }
    }
    return best;
}

/* True if tensor i is branched on together with `best`: being away gains at least half as much,
 * being kept gains no more. */
static bool is_like(const engine *e, const case_search *q, int i, int best)
{
    return bound_gain(e, q, q->away[i]) >= 0.5 * bound_gain(e, q, q->away[best]) &&
           bound_gain(e, q, q->kept[i]) <= bound_gain(e, q, q->kept[best]);
}

static void add_case(engine *e, case_search *q, engine_case *c)
{
    q->cases++;
    if (case_propagate(e->p, c->fate, NULL, NULL))
        insert_case(q, c);
    else
        case_free(c);
}

/* Splits c on `best` and the tensors like it. There is a case for each of them, as the first that
 * is away, and a case in which all are kept. */
static void branch_case(engine *e, case_search *q, engine_case *c, int best)
{
    engine_case *rest = case_create(&c->own, c->fate, c->proof, c->bound);
    int count = 0;
    for (int i = 0; i < e->p->graph->n; i++) {
        if (rest->fate[i] != FATE_OPEN || (i != best && !is_like(e, q, i, best)))
            continue;
        const exact_proof *side[2];
        rest->proof->split(rest->proof->user, i, side);
        rest->proof = side[0];
        engine_case *child = case_create(&c->own, rest->fate, side[1], fmax(c->bound, q->away[i]));
        child->fate[i] = FATE_AWAY;
        add_case(e, q, child);
        rest->fate[i] = FATE_KEPT;
        rest->bound = fmax(rest->bound, q->kept[i]);
        count++;
    }
    engine_log(e, 2,
               "cases     %ld, %.9g J, LP %.9g J: node %d kept %.9g J, away %.9g J; %d like it",
               q->cases, c->bound / e->scale, q->base / e->scale, best, q->kept[best] / e->scale,
               q->away[best] / e->scale, count);
    add_case(e, q, rest);
    case_free(c);
}

/* ---- labels of a case ------------------------------------------------------------- */

/* True if few fates are open and labels have been tried seldom. */
static bool may_label(const engine *e, const engine_case *c)
{
    int open = 0;
    for (int i = 0; i < e->p->graph->n; i++)
        open += c->fate[i] == FATE_OPEN;
    return open <= MOST_OPEN && c->tries < MOST_TRIES && engine_labels_left(e);
}

/* True if labels may be tried and have had no more than their share of the work on cases, about the
 * part of the tries that succeed. */
static bool labels_due(const engine *e, const case_search *q, const engine_case *c)
{
    return may_label(e, c) &&
           q->labels_work * (q->all.tries + 1) <= q->work * (q->all.successes + 1);
}

/* Bounds the case by labels from one moment on. */
static void label_case(engine *e, case_search *q, engine_case *c)
{
    const double before = c->bound, begun = engine_work(e);
    const int times = 1 << c->tries / IN_TURN;
    if (c->tries % IN_TURN == 0)
        c->passed = 0;
    const int m = case_choose_moment(q->moment, c->passed);
    c->passed |= 1u << m;
    c->bound =
        fmax(before, case_prefix(c, e, times * LABELS * engine_coarse_quick(e), times * WIDTH, m));
    c->tries++;
    const int success = c->bound > before;
    q->moment[m].tries++;
    q->moment[m].successes += success;
    q->all.tries++;
    q->all.successes += success;
    q->labels_work += engine_work(e) - begun;
    engine_log(e, 2, "cases     %.9g J by labels, part %d", c->bound / e->scale, m + 1);
}

/* ---- turns --------------------------------------------------------------------------- */

/* A turn of a case that is not decided: runs its timelines, then its LP. If no fate is decided by
 * bounds, splits the case. If no fate is open, its timelines begin anew. */
static void process_undecided(engine *e, case_search *q, engine_case *c, double work)
{
    case_run(c, e, TIMELINES * engine_coarse_quick(e));
    int decided = 0;
    if (!is_closed(e, c) && !engine_done(e)) {
        q->base = case_probe(c, e, work, q->kept, q->away);
        decided = decide_fates(e, q, c);
    }
    if (decided < 0)
        c->bound = fmax(c->bound, engine_cutoff(e));
    if (decided > 0)
        case_close(c);
    if (decided == 0 && !is_closed(e, c) && !engine_done(e) && labels_due(e, q, c))
        label_case(e, q, c);
    const bool open = decided == 0 && !is_closed(e, c);
    const int i = open ? choose_tensor(e, q, c) : -1;
    c->decided = open && i < 0;
    if (c->decided)
        case_restart(c, e, TIMELINES * engine_coarse_quick(e));
    if (i >= 0 && !engine_done(e))
        branch_case(e, q, c, i);
    else
        insert_case(q, c);
}

/* A turn of a decided case: labels if they are due or its timelines can prove no more, else its
 * timelines. False: neither can go on. */
static bool run_decided(engine *e, case_search *q, engine_case *c, double work)
{
    if (!labels_due(e, q, c) && (case_run(c, e, work) || is_closed(e, c) || engine_done(e)))
        return true;
    if (!may_label(e, c))
        return false;
    label_case(e, q, c);
    return true;
}

/* A turn of the case with the least bound. */
static void run_case(engine *e, case_search *q, double work)
{
    engine_case *c = q->open;
    q->open = c->next;
    case_enter(c, e);
    if (is_closed(e, c)) {
        case_free(c);
    } else if (!c->decided) {
        process_undecided(e, q, c, work);
    } else if (run_decided(e, q, c, fmin(work, engine_tuning(e)->least_slice))) {
        insert_case(q, c);
    } else {
        engine_log(e, 2, "cases     one stays open at %.9g J", c->bound / e->scale);
        q->stuck_bound = fmin(q->stuck_bound, c->bound);
        case_free(c);
    }
}

/* Dual bound of all schedules. */
static double bound_of_all(const case_search *q)
{
    return fmin(q->stuck_bound, q->open ? q->open->bound : INFINITY);
}

void engine_cases(engine *e, double work)
{
    if (!e->cases)
        e->cases = create_search(e);
    case_search *q = e->cases;
    const double end = engine_work(e) + work;
    while (engine_cases_left(e) && !engine_done(e) && engine_work(e) < end) {
        const double before = engine_work(e);
        run_case(e, q, end - before);
        q->work += engine_work(e) - before;
        engine_raise(e, fmin(bound_of_all(q), engine_cutoff(e)));
        e->coarse_bound = fmax(e->coarse_bound, e->lower);
    }
}

bool engine_cases_left(const engine *e)
{
    const case_search *q = e->cases;
    return engine_tuning(e)->cases && engine_tuning(e)->coarse && isfinite(e->upper) &&
           (!q || (q->open && q->open->bound < q->stuck_bound));
}

void engine_cases_clear(engine *e)
{
    case_search *q = e->cases;
    if (!q)
        return;
    for (engine_case *c = q->open, *next; c; c = next) {
        next = c->next;
        case_enter(c, e);
        case_free(c);
    }
    base_free(q->kept);
    base_free(q);
    e->cases = NULL;
}
