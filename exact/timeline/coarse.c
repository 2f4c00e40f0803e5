/* Bounds and schedules from coarse timelines (formulation/coarse.h): small models that are solved
 * to integrality. The first timeline has the points of the engine; if there are none, one point,
 * the fullest stage. For each next timeline one stage is chosen. A stage at which the solution
 * exceeds the budget becomes a point if it raises the bound. If none does, many stages are tried
 * beside the points so far, with little work each, and the stage with the best bound becomes a
 * point. Few well-chosen points prove more than many. Between two points a recomputation is
 * computed once, with all its inputs. More points let the relaxation spread it over several
 * intervals. Beside tensors that must stay, a run of stages comes first: where memory is tightest,
 * a recomputation moves from a stage in which it does not fit to the one before. If no stage raises
 * the bound, new points come where the solution exceeds the budget.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exact/cells/tree.h"
#include "exact/log.h"
#include "exact/timeline/cell_bounds.h"
#include "exact/timeline/coarse.h"
#include "exact/timeline/timeline.h"

enum {
    MORE_POINTS = 3, /* most points from one coarse timeline to the next */
    RUN = 4          /* stages tried together beside the first point, the last one the tightest */
};
#define GAIN 1e-3 /* least part of the bound by which the best stage on trial must raise it */
#define SLICE 0.5 /* work of a timeline, as a part of the work of all before it */

typedef struct coarse_search {
    engine *e;
    int *point, points; /* points of the trunk, the current timeline; extent n; 0: no more */
    timeline *trunk;    /* NULL: to be opened */
    int models;         /* trunks opened so far */
    double spent;       /* steps on all timelines */
    /* While a stage is chosen: */
    timeline *probe;  /* timeline on trial; NULL: none */
    timeline *leader; /* the best one tried, if it beats the trunk; NULL: none */
    bool *tried;      /* by stage, extent n */
    int looked;       /* stages looked at, of `more`, then of `spread`; -1: the run is next */
    int *spread, spread_count; /* some stages in which keeping everything overflows, extent n */
    int *more, more_count;     /* points of the trunk and the stages where it overflows, extent n */
    double choosing;           /* steps on this choice, without the run */
    bool chooses;
    bool continues; /* no stage beat the trunk, which runs until its tree ends */
} coarse_search;

static int compare_stages(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Opens a timeline with these points, in ascending order. The LP for bounds of cells takes at most
 * `work` steps. */
static timeline *open_at(coarse_search *q, const int *point, int points, double work)
{
    const double before = engine_work(q->e);
    timeline *l = timeline_open(q->e, point, points);
    engine_cell_bounds_add(q->e, l->c, work);
    q->spent += engine_work(q->e) - before;
    return l;
}

/* Opens a timeline with the points of the trunk and the stages first .. last. */
static timeline *open_trial(coarse_search *q, int first, int last)
{
    const size_t most = (size_t)q->points + (size_t)last - (size_t)first + 1;
    int *point = base_malloc(most, sizeof *point), count = q->points;
    memcpy(point, q->point, (size_t)q->points * sizeof *point);
    for (int t = first; t <= last; t++)
        if (!bsearch(&t, q->point, (size_t)q->points, sizeof t, compare_stages))
            point[count++] = t;
    qsort(point, (size_t)count, sizeof *point, compare_stages);
    timeline *l = open_at(q, point, count, engine_tuning(q->e)->coarse_try_work);
    base_free(point);
    return l;
}

static void run_timeline(coarse_search *q, timeline *l, double work)
{
    q->spent += timeline_run(l, work);
    engine_note_points(&q->e->points, &(engine_points){l->c->point, l->c->points, l->bound});
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

static void begin_choice(coarse_search *q)
{
    const int n = q->e->p->graph->n;
    memset(q->tried, 0, (size_t)n * sizeof *q->tried);
    for (int k = 0; k < q->points; k++)
        q->tried[q->point[k]] = true;
    q->more_count = q->points;
    memcpy(q->more, q->point, (size_t)q->points * sizeof *q->more);
    if (q->trunk->solved)
        q->more_count = coarse_more_points(q->trunk->c, q->trunk->x, MORE_POINTS, q->more);
    q->looked = q->points == 1 ? -1 : 0;
    q->choosing = 0;
    q->chooses = true;
}

/* True if l proves enough more than the trunk to be worth a point. */
static bool beats_trunk(const coarse_search *q, const timeline *l)
{
    return l->bound > q->trunk->bound + GAIN * fabs(q->trunk->bound);
}

static void drop_choice(coarse_search *q)
{
    timeline_close(q->probe);
    timeline_close(q->leader);
    q->probe = q->leader = NULL;
    q->chooses = false;
}

/* Makes the leader the trunk. */
static void make_trunk(coarse_search *q)
{
    timeline_close(q->trunk);
    q->trunk = q->leader;
    q->leader = NULL;
    q->points = q->trunk->c->points;
    memcpy(q->point, q->trunk->c->point, (size_t)q->points * sizeof *q->point);
    q->models++;
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

/* The leader becomes the trunk. If no stage beat the trunk, it is refined once its tree has ended.
 */
static void end_choice(coarse_search *q)
{
    if (q->leader) {
        make_trunk(q);
        return;
    }
    drop_choice(q);
    if (q->trunk->ended)
        refine_trunk(q);
    else
        q->continues = true;
}

/* The next timeline on trial; NULL: the choice is over. */
static timeline *next_probe(coarse_search *q)
{
    if (q->looked < 0) {
        q->looked = 0;
        const int last = coarse_tightest_stage(q->e->p);
        if (last >= 0)
            return open_trial(q, last < RUN ? 0 : last - RUN + 1, last);
    }
    if (!q->trunk->ended && q->choosing >= trunk_slice(q))
        return NULL;
    while (q->looked < q->more_count + q->spread_count) {
        const int k = q->looked++;
        const int stage = k < q->more_count ? q->more[k] : q->spread[k - q->more_count];
        if (q->tried[stage])
            continue;
        q->tried[stage] = true;
        return open_trial(q, stage, stage);
    }
    return NULL;
}

/* Ends the trial of the probe, which leads if it beats the trunk and the leader. */
static void judge_probe(coarse_search *q)
{
    timeline *l = q->probe;
    q->probe = NULL;
    if (!beats_trunk(q, l) || (q->leader && l->bound <= q->leader->bound)) {
        timeline_close(l);
        return;
    }
    timeline_close(q->leader);
    q->leader = l;
}

/* True while the stages at which the trunk's solution overflows are on trial. */
static bool tries_overflows(const coarse_search *q)
{
    return q->more_count > q->points && q->looked > 0 && q->looked <= q->more_count;
}

/* The first stage at which the trunk overflows and that raises the bound becomes a point at once. A
 * run that proves more than the first of these stages is taken in its place. */
static void try_stages(coarse_search *q, double work)
{
    const double before = q->spent;
    if (!q->probe)
        q->probe = next_probe(q);
    if (!q->probe) {
        end_choice(q);
        return;
    }
    const double most = engine_tuning(q->e)->coarse_try_work * (q->probe->c->points - q->points);
    run_timeline(q, q->probe, fmin(work, most - q->probe->spent));
    if (q->looked > 0)
        q->choosing += q->spent - before;
    if (!q->probe->ended && q->probe->spent < most)
        return;
    judge_probe(q);
    if (tries_overflows(q) && q->leader)
        make_trunk(q);
}

/* ---- the search ------------------------------------------------------------------ */

static coarse_search *create_search(engine *e)
{
    const size_t n = (size_t)e->p->graph->n;
    coarse_search *q = base_malloc(1, sizeof *q);
    *q = (coarse_search){.e = e,
                         .point = base_malloc(n, sizeof *q->point),
                         .more = base_malloc(n, sizeof *q->more),
                         .spread = base_malloc(n, sizeof *q->spread),
                         .tried = base_calloc(n, sizeof *q->tried)};
    if (!e->points.stage) { /* the fullest stage, where the most must leave RAM */
        q->points = coarse_first_points(e->p, 1, q->point);
        engine_note_points(&e->points, &(engine_points){q->point, q->points, -INFINITY});
    } else {
        q->points = e->points.count;
        memcpy(q->point, e->points.stage, (size_t)q->points * sizeof *q->point);
    }
    q->spread_count = coarse_first_points(e->p, engine_tuning(e)->coarse_tries, q->spread);
    return q;
}

static void run_step(coarse_search *q, double work)
{
    if (q->chooses) {
        try_stages(q, work);
        return;
    }
    if (!q->trunk) {
        q->trunk = open_at(q, q->point, q->points, INFINITY);
        q->models++;
    }
    if (!q->trunk->ended)
        run_timeline(q, q->trunk, work);
    if (engine_done(q->e) ||
        (!q->trunk->ended && (q->continues || q->trunk->spent < trunk_slice(q))))
        return;
    q->continues = false;
    log_trunk(q->e, q->trunk);
    timeline_quench(q->trunk, q->spent);
    if (q->models < engine_tuning(q->e)->coarse_models)
        begin_choice(q);
    else if (q->trunk->ended)
        q->points = 0;
    else
        q->continues = true;
}

/* Makes the search continue for e, which may differ from the last engine. */
static void set_engine(coarse_search *q, engine *e)
{
    q->e = e;
    if (q->trunk)
        q->trunk->e = e;
    if (q->probe)
        q->probe->e = e;
    if (q->leader)
        q->leader->e = e;
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
    base_free_all(q->point, q->more, q->spread, q->tried, q);
    e->coarse = NULL;
}
