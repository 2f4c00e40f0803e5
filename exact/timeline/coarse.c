/* Bounds and schedules from coarse timelines (formulation/coarse.h): small models that are solved
 * to integrality. The first timeline has one point: the fullest stage, or a stage near it that
 * proves more. For each next timeline one stage is chosen. A stage at which the solution exceeds
 * the budget becomes a point if it raises the bound. If none does, many stages are tried beside the
 * points so far, with little work each, and the stage with the best bound becomes a point. Few
 * well-chosen points prove more than many. Between two points a recomputation is computed once,
 * with all its inputs. More points let the relaxation spread it over several intervals. If no stage
 * raises the bound, new points come where the solution exceeds the budget. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact/cells/tree.h"
#include "exact/log.h"
#include "exact/timeline/cell_bounds.h"
#include "exact/timeline/coarse.h"
#include "exact/timeline/timeline.h"

enum { MORE_POINTS = 3 }; /* most points from one coarse timeline to the next */
#define GAIN 1e-3 /* least part of the bound by which the best stage on trial must raise it */
#define SLICE 0.5 /* work of a timeline, as a part of the work of all before it */

/* Most timelines on trial that a round keeps. Open at a time: the kept ones of this round and
 * of the round before, the trunk and a probe. */
enum { KEPT = (EXACT_TIMELINES - 2) / 2 };

typedef struct coarse_search {
    engine *e;
    int *point, points; /* points of the trunk, the current timeline; extent n; 0: no more */
    timeline *trunk;    /* NULL: to be opened */
    int models;         /* trunks opened so far */
    double spent;       /* steps on all timelines */
    /* While a stage is chosen: */
    timeline *probe;      /* timeline on trial; NULL: none */
    timeline *kept[KEPT]; /* best timelines tried in this round, by bound, highest first */
    int kept_count;
    timeline *waiting[KEPT]; /* timelines of the round before, to be tried again */
    int waiting_count;
    double allowance;          /* steps on each timeline in this round */
    bool *tried;               /* by stage, extent n */
    int *list, listed, looked; /* stages to try first, extent 2n + EXACT_DEAR_STAGES */
    int *spread, spread_count; /* last part of `list`, extent n; 0: not computed yet */
    int step;                  /* distance of stages tried around the best one; halved */
    int *best, best_count;     /* points of the timeline with the best bound, extent n */
    double best_bound;
    int *more, more_count; /* points of the trunk and the stages where it overflows, extent n */
    double choosing;       /* steps on this choice */
    bool placed;           /* the first point is chosen */
    bool chooses;
    bool continues;         /* no stage beat the trunk, which continues while its bound rises */
    double continued_bound; /* bound of the trunk at that time */
    double continued_end;   /* steps on the trunk at which its bound is checked again */
} coarse_search;

static int compare_stages(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Opens a timeline with these points, in ascending order. With a stage on trial (-1: none), the LP
 * for bounds of cells takes no more work than a trial. */
static timeline *open_at(coarse_search *q, const int *point, int points, int stage)
{
    const double before = engine_work(q->e);
    timeline *l = timeline_open(q->e, point, points, stage);
    engine_cell_bounds_add(q->e, l->c, stage < 0 ? INFINITY : engine_tuning(q->e)->coarse_try_work);
    q->spent += engine_work(q->e) - before;
    return l;
}

/* Opens a timeline with the points of the trunk and `count` other stages on trial. While the first
 * point is sought, the points of the trunk are left out. */
static timeline *open_trial(coarse_search *q, const int *stage, int count)
{
    const int others = q->placed ? q->points : 0;
    int *point = base_malloc((size_t)others + (size_t)count, sizeof *point);
    memcpy(point, q->point, (size_t)others * sizeof *point);
    memcpy(point + others, stage, (size_t)count * sizeof *point);
    qsort(point, (size_t)others + (size_t)count, sizeof *point, compare_stages);
    timeline *l = open_at(q, point, others + count, stage[0]);
    base_free(point);
    return l;
}

static void run_timeline(coarse_search *q, timeline *l, double work)
{
    q->spent += timeline_run(l, work);
    if (l->bound > q->best_bound) {
        q->best_bound = l->bound;
        q->best_count = l->c->points;
        memcpy(q->best, l->c->point, (size_t)q->best_count * sizeof *q->best);
    }
}

/* Steps on a trunk before a stage is chosen, and most steps on the choice. */
static double trunk_slice(const coarse_search *q)
{
    return fmax(engine_tuning(q->e)->coarse_least_slice, SLICE * q->spent);
}

static void log_trunk(engine *e, const timeline *l)
{
    engine_log(e, 2, "coarse    %d points, %d columns, %d rows, %s, bound %.9g J", l->c->points,
               l->c->model->cols, l->c->model->rows, l->ended ? "ended" : "open",
               l->bound / e->scale);
}

/* ---- the choice of a stage ------------------------------------------------------- */

/* Lists the stages to try. The overflows of the trunk come first. In a long search, the dear stages
 * of the incumbent follow. Last come some stages in which keeping everything overflows. */
static void begin_choice(coarse_search *q)
{
    const int n = q->e->p->graph->n;
    memset(q->tried, 0, (size_t)n * sizeof *q->tried);
    for (int k = 0; k < q->points; k++)
        q->tried[q->point[k]] = true;
    q->more_count = q->points;
    if (q->trunk->solved)
        q->more_count = coarse_more_points(q->trunk->c, q->trunk->x, MORE_POINTS, q->more);
    q->listed = q->looked = 0;
    if (q->more_count > q->points) {
        memcpy(q->list, q->more, (size_t)q->more_count * sizeof *q->list);
        q->listed = q->more_count;
    }
    const dear_stages *dear = &q->e->dear;
    if (engine_takes_long(q->e)) {
        memcpy(q->list + q->listed, dear->stage, (size_t)dear->count * sizeof *q->list);
        q->listed += dear->count;
    }
    if (q->spread_count == 0) /* the same for every choice; not empty, since there are points */
        q->spread_count =
            coarse_first_points(q->e->p, engine_tuning(q->e)->coarse_tries, q->spread);
    memcpy(q->list + q->listed, q->spread, (size_t)q->spread_count * sizeof *q->list);
    q->listed += q->spread_count;
    q->step = (q->spread[q->spread_count - 1] - q->spread[0]) / q->spread_count;
    q->choosing = 0;
    q->allowance = engine_tuning(q->e)->coarse_try_work;
    if (!q->placed) /* a first point needs no more work than the fullest stage */
        q->allowance = fmin(q->allowance, 2 * q->trunk->spent);
    q->chooses = true;
}

/* True if the bound rose by enough to be worth a point. */
static bool is_gain(double bound, double before)
{
    return bound > before + GAIN * fabs(before);
}

static bool beats_trunk(const coarse_search *q, const timeline *l)
{
    return is_gain(l->bound, q->trunk->bound);
}

static bool best_beats_trunk(const coarse_search *q)
{
    return q->kept_count > 0 && beats_trunk(q, q->kept[0]);
}

/* The stage around which others are tried; -1: none. */
static int centre(const coarse_search *q)
{
    if (best_beats_trunk(q))
        return q->kept[0]->stage;
    return q->placed ? -1 : q->point[0];
}

/* The next stage to try; -1: none. */
static int next_stage(coarse_search *q)
{
    while (q->placed && q->looked < q->listed) {
        const int t = q->list[q->looked++];
        if (!q->tried[t])
            return t;
    }
    for (; centre(q) >= 0 && q->step > 0; q->step /= 2)
        for (int side = -1; side <= 1; side += 2) {
            const int t = centre(q) + side * q->step;
            if (t >= 0 && t < q->e->p->graph->n && !q->tried[t])
                return t;
        }
    return -1;
}

static void close_all(timeline **l, int *count)
{
    while (*count > 0)
        timeline_close(l[--*count]);
}

static void drop_choice(coarse_search *q)
{
    timeline_close(q->probe);
    q->probe = NULL;
    close_all(q->kept, &q->kept_count);
    close_all(q->waiting, &q->waiting_count);
    q->chooses = false;
}

/* Makes the best timeline on trial the trunk. */
static void make_trunk(coarse_search *q)
{
    timeline_close(q->trunk);
    q->trunk = q->kept[0];
    q->kept[0] = q->kept[--q->kept_count];
    q->trunk->stage = -1;
    q->points = q->trunk->c->points;
    memcpy(q->point, q->trunk->c->point, (size_t)q->points * sizeof *q->point);
    q->models++;
    q->placed = true;
    q->continues = false;
    if (q->trunk->solved)
        timeline_offer(q->trunk);
    timeline_quench(q->trunk, q->spent);
    drop_choice(q);
}

/* Replaces the ended trunk by one with points where it overflows. Without overflows the search
 * ends. */
static void refine_trunk(coarse_search *q)
{
    q->points = q->more_count > q->points ? q->more_count : 0;
    memcpy(q->point, q->more, (size_t)q->points * sizeof *q->point);
    timeline_close(q->trunk);
    q->trunk = NULL;
}

/* Lets the open trunk continue for as much work again. If the last such work did not raise its
 * bound, a timeline with points where the trunk overflows continues beside it. */
static void continue_trunk(coarse_search *q)
{
    if (q->continues && q->more_count > q->points && !is_gain(q->trunk->bound, q->continued_bound))
        q->probe = open_at(q, q->more, q->more_count, -1);
    q->continues = true;
    q->continued_bound = q->trunk->bound;
    q->continued_end = 2 * q->trunk->spent;
}

/* Ends a choice in which no stage raised the bound. */
static void end_choice(coarse_search *q)
{
    drop_choice(q);
    if (!q->placed)
        q->placed = true;
    else if (q->trunk->ended)
        refine_trunk(q);
    else
        continue_trunk(q);
}

/* Tries several stages together: all of them, then the better half, and so on. Stages that each
 * raise the bound may raise it far more together. Requires KEPT such stages, the best one solved in
 * its first trial. A combination must gain three times as much as the best stage, since fewer
 * points prove more later. */
static void combine_stages(coarse_search *q)
{
    const bool first_trial = q->allowance <= engine_tuning(q->e)->coarse_try_work;
    if (!engine_takes_long(q->e) || !q->placed || !first_trial || !q->kept[0]->ended ||
        q->kept_count < KEPT || !beats_trunk(q, q->kept[KEPT - 1]))
        return;
    const double worth = 3 * (q->kept[0]->bound - q->trunk->bound);
    int stage[KEPT];
    for (int k = 0; k < KEPT; k++)
        stage[k] = q->kept[k]->stage;
    for (int count = KEPT; count > 1 && !engine_done(q->e); count /= 2) {
        timeline *together = open_trial(q, stage, count);
        run_timeline(q, together, q->allowance);
        if (together->bound - q->trunk->bound >= worth) {
            timeline_close(q->kept[0]);
            q->kept[0] = together;
            return;
        }
        timeline_close(together);
    }
}

/* Ends a round, in which every timeline had its allowance. If a stage beats the trunk, the best one
 * becomes the trunk. If not, and the trunk is solved, the better half is tried again with twice the
 * work. */
static void end_round(coarse_search *q)
{
    if (best_beats_trunk(q)) {
        combine_stages(q);
        make_trunk(q);
        return;
    }
    if (!q->placed || !q->trunk->ended || q->kept_count < 2) {
        end_choice(q);
        return;
    }
    while (q->kept_count > 1 && q->kept_count > q->waiting_count) {
        q->waiting[q->waiting_count++] = q->kept[0];
        memmove(q->kept, q->kept + 1, (size_t)--q->kept_count * sizeof *q->kept);
    }
    close_all(q->kept, &q->kept_count);
    q->allowance *= 2;
}

/* The next timeline to run; NULL: the round is over. */
static timeline *next_probe(coarse_search *q)
{
    if (q->allowance > engine_tuning(q->e)->coarse_try_work)
        return q->waiting_count > 0 ? q->waiting[--q->waiting_count] : NULL;
    const int stage = q->trunk->ended || q->choosing < trunk_slice(q) ? next_stage(q) : -1;
    if (stage < 0)
        return NULL;
    q->tried[stage] = true;
    return open_trial(q, &stage, 1);
}

/* Keeps the probe after its round if it may still prove the most. */
static void keep_probe(coarse_search *q)
{
    timeline *l = q->probe;
    q->probe = NULL;
    if (l->ended && !beats_trunk(q, l)) {
        timeline_close(l);
        return;
    }
    if (q->kept_count == KEPT) {
        timeline *last = q->kept[KEPT - 1];
        if (l->bound <= last->bound) {
            timeline_close(l);
            return;
        }
        timeline_close(last);
        q->kept_count--;
    }
    int k = q->kept_count++;
    for (; k > 0 && q->kept[k - 1]->bound < l->bound; k--)
        q->kept[k] = q->kept[k - 1];
    q->kept[k] = l;
}

/* True while the stages at which the trunk's solution overflows are on trial. */
static bool tries_overflows(const coarse_search *q)
{
    return q->placed && q->more_count > q->points && q->looked <= q->more_count;
}

/* The first stage at which the trunk overflows and that raises the bound becomes a point at once.
 */
static void try_stages(coarse_search *q, double work)
{
    const double before = q->spent;
    if (!q->probe)
        q->probe = next_probe(q);
    if (!q->probe) {
        end_round(q);
        return;
    }
    run_timeline(q, q->probe, fmin(work, q->allowance - q->probe->spent));
    q->choosing += q->spent - before;
    if (q->probe->ended || q->probe->spent >= q->allowance)
        keep_probe(q);
    if (tries_overflows(q) && best_beats_trunk(q))
        make_trunk(q);
}

/* ---- the search ------------------------------------------------------------------ */

static coarse_search *create_search(engine *e)
{
    const size_t n = (size_t)e->p->graph->n;
    coarse_search *q = base_malloc(1, sizeof *q);
    *q = (coarse_search){.e = e,
                         .point = base_malloc(n, sizeof *q->point),
                         .best = base_malloc(n, sizeof *q->best),
                         .best_bound = -INFINITY,
                         .more = base_malloc(n, sizeof *q->more),
                         .list = base_malloc(2 * n + EXACT_DEAR_STAGES, sizeof *q->list),
                         .spread = base_malloc(n, sizeof *q->spread),
                         .tried = base_calloc(n, sizeof *q->tried)};
    /* The fullest stage, where the most must leave RAM. */
    q->points = coarse_first_points(e->p, 1, q->point);
    q->best_count = q->points;
    q->best[0] = q->point[0];
    return q;
}

/* Lets the open trunk, or the refined timeline beside it, continue: the one that has had less work.
 */
static void run_trunk(coarse_search *q, double work)
{
    timeline *refined = q->probe;
    if (!refined) {
        run_timeline(q, q->trunk, work);
        return;
    }
    work = fmin(work, engine_tuning(q->e)->coarse_least_slice);
    run_timeline(q, refined->spent < q->trunk->spent ? refined : q->trunk, work);
    if (refined->ended || beats_trunk(q, refined)) { /* ended, it proves at least as much */
        log_trunk(q->e, refined);
        q->kept[q->kept_count++] = refined;
        q->probe = NULL;
        make_trunk(q);
    } else if (q->trunk->ended) {
        drop_choice(q);
    }
}

static void run_step(coarse_search *q, double work)
{
    const exact_tuning *t = engine_tuning(q->e);
    if (q->chooses) {
        try_stages(q, work);
        return;
    }
    if (!q->trunk) {
        q->trunk = open_at(q, q->point, q->points, -1);
        q->models++;
        q->continues = false;
    }
    if (!q->trunk->ended)
        run_trunk(q, work);
    if (engine_done(q->e))
        return;
    if (!q->trunk->ended && q->continues) {
        if (!q->probe && q->trunk->spent >= q->continued_end)
            continue_trunk(q);
        return;
    }
    if (!q->trunk->ended && q->trunk->spent < trunk_slice(q))
        return;
    log_trunk(q->e, q->trunk);
    timeline_quench(q->trunk, q->spent);
    q->placed = q->placed || !q->trunk->ended || q->trunk->spent > t->coarse_try_work;
    if (q->models < t->coarse_models)
        begin_choice(q);
    else if (q->trunk->ended)
        q->points = 0;
}

/* Makes the search continue for e, which may differ from the last engine. */
static void set_engine(coarse_search *q, engine *e)
{
    q->e = e;
    if (q->trunk)
        q->trunk->e = e;
    if (q->probe)
        q->probe->e = e;
    for (int k = 0; k < q->kept_count; k++)
        q->kept[k]->e = e;
    for (int k = 0; k < q->waiting_count; k++)
        q->waiting[k]->e = e;
}

void engine_coarse(engine *e, double work)
{
    if (!e->coarse)
        e->coarse = create_search(e);
    coarse_search *q = e->coarse;
    set_engine(q, e);
    const double end = q->spent + work;
    while (engine_coarse_left(e) && !engine_done(e) && q->spent < end)
        run_step(q, end - q->spent);
}

bool engine_coarse_left(const engine *e)
{
    return engine_tuning(e)->coarse && engine_nodes_left(e) > 0 &&
           (!e->coarse || e->coarse->points > 0);
}

bool engine_coarse_begun(const engine *e)
{
    return e->coarse != NULL;
}

bool engine_coarse_leads(const engine *e)
{
    return e->lower <= e->coarse_bound;
}

int engine_coarse_points(const engine *e, int *point)
{
    const coarse_search *q = e->coarse;
    memcpy(point, q->best, (size_t)q->best_count * sizeof *point);
    return q->best_count;
}

void engine_coarse_clear(engine *e)
{
    coarse_search *q = e->coarse;
    engine_cell_bounds_clear(e);
    schedule_free(e->relaxed);
    e->relaxed = NULL;
    e->relaxed_bound = 0;
    if (!q)
        return;
    set_engine(q, e);
    drop_choice(q);
    timeline_close(q->trunk);
    base_free_all(q->point, q->best, q->more, q->list, q->spread, q->tried, q);
    e->coarse = NULL;
}
