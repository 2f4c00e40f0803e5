/* Bounds and schedules from the coarse timeline (formulation/coarse.h): small models that are
 * solved to integrality. The first has one point. From one to the next a stage is chosen: many are
 * tried for a little work each, beside the points so far, and the one with which most is proven
 * becomes a point. Few points, well chosen, tell more than many: what is computed again between two
 * of them is computed once, with all its inputs, where more points let the relaxation spread it
 * over several intervals. When none tells more, points come where the solution overflows. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/engine.h"
#include "formulation/coarse.h"
#include "heuristics/search.h"

enum { KEPT = 8 /* timelines of a choice that go on when none tells more in the first round */ };

/* A model and its tree. */
typedef struct timeline {
    struct coarse_search *q;
    int stage; /* of its points the one that is tried; -1: none */
    coarse *c;
    double *x; /* its best solution, extent its columns, if `solved` */
    bool solved, ended;
    bool closed; /* ended, with nothing left open */
    exact_timeline told;
    bnb_callbacks callbacks;
    bnb_search *search;
    double bound, spent; /* what it has proven, for which work */
} timeline;

typedef struct coarse_search {
    engine *e;
    int *point, points; /* of the trunk, which is the timeline so far; extent n; 0: no more */
    timeline *trunk;    /* NULL: to be opened */
    int models;         /* trunks opened so far */
    double spent;       /* work */
    /* While a stage is chosen: */
    timeline *probe;      /* the one that is tried; NULL: none */
    timeline *kept[KEPT]; /* of those tried in this round, by what they prove, most first */
    int keeps;
    timeline *waiting[KEPT]; /* those of the round before that are tried again */
    int waits;
    double allowance;          /* work on each in this round */
    bool *tried;               /* by stage, extent n */
    int *list, listed, looked; /* stages to be tried first, extent 2n */
    int *spread, spreads;      /* the last of them, extent n; 0: not yet sought */
    int step;                  /* ... and then those so far from the best one's */
    int *more, mores;          /* points of the trunk and those where it overflows, extent n */
    double choosing;           /* work on it */
    bool chooses;
    bool settled; /* no stage told more than the trunk, which goes on to its end */
} coarse_search;

/* What the schedule s, which overflows, becomes within the budget. */
static void repair(engine *e, const schedule *s)
{
    const size_t size = (size_t)s->n * (size_t)s->n;
    double *keep = base_malloc(3 * size, sizeof *keep);
    for (size_t k = 0; k < size; k++) {
        keep[k] = s->S[k];
        keep[size + k] = s->R[k];
        keep[2 * size + k] = s->In[k];
    }
    const heuristic_guide guide = {keep, keep + size, keep + 2 * size};
    const base_limits limits = engine_limits(e, INFINITY);
    engine_polish(e,
                  heuristic_repair(e->p, &guide, &e->params->tuning.heuristics,
                                   engine_tuning(e)->coarse_repair_tries, e->params->seed, INFINITY,
                                   &limits),
                  "coarse timeline");
    base_free(keep);
}

static bool may_repair(const engine *e)
{
    return e->params->heuristics &&
           (double)engine_cells(e) <= engine_tuning(e)->coarse_repair_cells &&
           base_limits_check(&e->params->limits) == BASE_GO && engine_work_left(e) > 0;
}

/* A solution of the relaxation is a schedule, or nearly one. That of a stage on trial is too far
 * from one for a repair. */
static void offer(const timeline *l)
{
    engine *e = l->q->e;
    schedule *s = coarse_schedule(l->c, l->x);
    if (!engine_offer(e, s, "coarse timeline") && l != l->q->probe && may_repair(e) &&
        schedule_validate(e->p, s, NULL, NULL) != 0)
        repair(e, s);
    schedule_free(s);
}

static void take(void *user, const double *x, double objective, const char *source)
{
    timeline *l = user;
    (void)objective;
    (void)source;
    memcpy(l->x, x, (size_t)l->c->model->cols * sizeof *l->x);
    l->solved = true;
    offer(l);
}

/* Which tensors are paged at all decides most, then what is computed again, the dearest first:
 * classes of a factor of two, as far as a millionth of the dearest. */
static void priority(void *user, int *score)
{
    enum { CLASSES = 20 };
    const coarse *c = ((const timeline *)user)->c;
    const graph *g = c->problem->graph;
    double most = 0;
    for (int i = 0; i < g->n; i++)
        most = fmax(most, g->joules[i]);
    for (int k = 0; k < c->model->cols; k++) {
        const formulation_key *key = &c->column[k];
        if (key->kind == COARSE_OUT)
            score[k] = CLASSES + 1;
        else if (key->kind == COARSE_COMPUTE && g->joules[key->i] > 0)
            score[k] = (int)fmax(0, CLASSES + floor(log2(g->joules[key->i] / most)));
    }
}

static void report(void *user, const bnb_progress *now)
{
    engine_log_progress(((const timeline *)user)->q->e, EFFORT_COARSE, now);
}

/* ---- timelines ------------------------------------------------------------------ */

/* With the points of q and, unless it is < 0, a stage that is none of them. */
static timeline *open_timeline(coarse_search *q, int stage)
{
    engine *e = q->e;
    bnb_params params = engine_turn_params(e);
    params.threads = 1; /* the trees are small, and go on in the other lane */
    int *point = base_malloc((size_t)q->points + 1, sizeof *point), points = 0;
    for (int k = 0; k < q->points; k++) {
        if (stage >= 0 && stage < q->point[k] && points == k)
            point[points++] = stage;
        point[points++] = q->point[k];
    }
    if (stage >= 0 && points == q->points)
        point[points++] = stage;
    timeline *l = base_malloc(1, sizeof *l);
    *l = (timeline){.q = q, .stage = stage, .bound = -INFINITY};
    l->c = coarse_build(e->p, e->features, point, points, e->scale);
    l->x = base_malloc((size_t)l->c->model->cols + 1, sizeof *l->x);
    l->told = engine_proof(e)->timeline(engine_proof(e)->user, l->c);
    params.proof = l->told.tree;
    l->callbacks =
        (bnb_callbacks){.user = l, .priority = priority, .incumbent = take, .progress = report};
    l->search = bnb_open(l->c->model, &params, &l->callbacks, NULL);
    e->row.columns = l->c->model->cols;
    base_free(point);
    return l;
}

static void close_timeline(timeline *l)
{
    if (!l)
        return;
    const exact_proof *proof = engine_proof(l->q->e);
    bnb_result r = bnb_close(l->search);
    bnb_result_clear(&r);
    proof->timeline_ended(proof->user, l->told, l->closed ? l->bound : -INFINITY);
    coarse_free(l->c);
    base_free(l->x);
    base_free(l);
}

/* Goes on for about so much work. */
static void run(timeline *l, double work)
{
    coarse_search *q = l->q;
    engine *e = q->e;
    const double before = engine_work(e), cutoff = engine_cutoff(e);
    bnb_lower_cutoff(l->search, engine_tree_cutoff(e));
    const bnb_status status = engine_run(e, l->search, work, LONG_MAX);
    l->bound = fmin(status == BNB_INFEASIBLE ? cutoff : bnb_bound(l->search), cutoff);
    l->ended = status != BNB_LIMIT_WORK;
    l->closed = status == BNB_OPTIMAL || status == BNB_INFEASIBLE;
    e->infeasible = isinf(l->bound) && l->bound > 0;
    e->failed = e->failed || status == BNB_UNBOUNDED;
    engine_raise(e, l->bound);
    e->coarse_bound = fmax(e->coarse_bound, l->bound);
    const double spent = engine_work(e) - before;
    l->spent += spent;
    q->spent += spent;
}

/* Work on a trunk before the choice of a stage, and on that choice. */
static double slice(const coarse_search *q)
{
    return fmax(engine_tuning(q->e)->coarse_least_slice,
                engine_tuning(q->e)->coarse_slice * q->spent);
}

static void tell(const timeline *l)
{
    engine *e = l->q->e;
    engine_log(e, 2, "coarse    %d points, %d columns, %d rows, %s, bound %.9g J", l->c->points,
               l->c->model->cols, l->c->model->rows, l->ended ? "ended" : "open",
               l->bound / e->scale);
}

/* ---- the choice of a stage ------------------------------------------------------- */

/* The stages where the trunk overflows first, then some of those in which keeping everything does.
 */
static void begin_choice(coarse_search *q)
{
    const int n = q->e->p->graph->n;
    memset(q->tried, 0, (size_t)n * sizeof *q->tried);
    for (int k = 0; k < q->points; k++)
        q->tried[q->point[k]] = true;
    q->mores = q->points;
    if (q->trunk->solved)
        q->mores = coarse_more_points(q->trunk->c, q->trunk->x,
                                      engine_tuning(q->e)->coarse_more_points, q->more);
    q->listed = q->looked = 0;
    if (q->mores > q->points) {
        memcpy(q->list, q->more, (size_t)q->mores * sizeof *q->list);
        q->listed = q->mores;
    }
    if (q->spreads == 0) /* the same for every choice; there is one, where there are points */
        q->spreads = coarse_first_points(q->e->p, engine_tuning(q->e)->coarse_tries, q->spread);
    memcpy(q->list + q->listed, q->spread, (size_t)q->spreads * sizeof *q->list);
    q->listed += q->spreads;
    q->step = (q->spread[q->spreads - 1] - q->spread[0]) / q->spreads;
    q->choosing = 0;
    q->allowance = engine_tuning(q->e)->coarse_try_work;
    q->chooses = true;
}

/* More than the trunk by enough to be worth a point. */
static bool tells_more(const coarse_search *q, const timeline *l)
{
    const double trunk = q->trunk->bound;
    return l->bound > trunk + engine_tuning(q->e)->coarse_gain * fabs(trunk);
}

static bool has_better(const coarse_search *q)
{
    return q->keeps > 0 && tells_more(q, q->kept[0]);
}

/* The next stage to be tried; -1: none. */
static int next_stage(coarse_search *q)
{
    while (q->looked < q->listed) {
        const int t = q->list[q->looked++];
        if (!q->tried[t])
            return t;
    }
    for (; has_better(q) && q->step > 0; q->step /= 2)
        for (int side = -1; side <= 1; side += 2) {
            const int t = q->kept[0]->stage + side * q->step;
            if (t >= 0 && t < q->e->p->graph->n && !q->tried[t])
                return t;
        }
    return -1;
}

static void close_all(timeline **l, int *count)
{
    while (*count > 0)
        close_timeline(l[--*count]);
}

static void drop_choice(coarse_search *q)
{
    close_timeline(q->probe);
    q->probe = NULL;
    close_all(q->kept, &q->keeps);
    close_all(q->waiting, &q->waits);
    q->chooses = false;
}

/* The best one becomes the trunk. */
static void choose(coarse_search *q)
{
    close_timeline(q->trunk);
    q->trunk = q->kept[0];
    q->kept[0] = q->kept[--q->keeps];
    q->trunk->stage = -1;
    q->points = q->trunk->c->points;
    memcpy(q->point, q->trunk->c->point, (size_t)q->points * sizeof *q->point);
    q->models++;
    q->settled = false;
    if (q->trunk->solved)
        offer(q->trunk);
    drop_choice(q);
}

/* No stage tells more: points where the trunk overflows, or the trunk goes on. If nothing
 * overflows, this is what timelines can tell. */
static void end_choice(coarse_search *q)
{
    drop_choice(q);
    q->settled = true;
    if (q->mores > q->points || q->trunk->ended) {
        q->points = q->mores > q->points ? q->mores : 0;
        memcpy(q->point, q->more, (size_t)q->points * sizeof *q->point);
        close_timeline(q->trunk);
        q->trunk = NULL;
    }
}

/* All have had the work of the round. If none tells more than the trunk, which was solved for
 * longer, the better half goes on for as long again. */
static void end_round(coarse_search *q)
{
    if (has_better(q)) {
        choose(q);
        return;
    }
    if (q->keeps < 2) {
        end_choice(q);
        return;
    }
    while (q->keeps > 1 && q->keeps > q->waits) {
        q->waiting[q->waits++] = q->kept[0];
        memmove(q->kept, q->kept + 1, (size_t)--q->keeps * sizeof *q->kept);
    }
    close_all(q->kept, &q->keeps);
    q->allowance *= 2;
}

/* NULL: the round is over. */
static timeline *next_probe(coarse_search *q)
{
    if (q->allowance > engine_tuning(q->e)->coarse_try_work)
        return q->waits > 0 ? q->waiting[--q->waits] : NULL;
    const int stage = q->trunk->ended || q->choosing < slice(q) ? next_stage(q) : -1;
    if (stage < 0)
        return NULL;
    q->tried[stage] = true;
    timeline *l = open_timeline(q, stage);
    engine_cell_bounds_note(q->e, l->c);
    return l;
}

/* The probe has had the work of the round. */
static void keep(coarse_search *q)
{
    timeline *l = q->probe;
    q->probe = NULL;
    if (l->ended && !tells_more(q, l)) {
        close_timeline(l);
        return;
    }
    if (q->keeps == KEPT) {
        timeline *last = q->kept[KEPT - 1];
        if (l->bound <= last->bound) {
            close_timeline(l);
            return;
        }
        close_timeline(last);
        q->keeps--;
    }
    int k = q->keeps++;
    for (; k > 0 && q->kept[k - 1]->bound < l->bound; k--)
        q->kept[k] = q->kept[k - 1];
    q->kept[k] = l;
}

static void try_stages(coarse_search *q, double work)
{
    const double before = q->spent;
    if (!q->probe)
        q->probe = next_probe(q);
    if (!q->probe) {
        end_round(q);
        return;
    }
    run(q->probe, fmin(work, q->allowance - q->probe->spent));
    q->choosing += q->spent - before;
    if (q->probe->ended || q->probe->spent >= q->allowance)
        keep(q);
}

/* ---- the search ------------------------------------------------------------------ */

static coarse_search *begin(engine *e)
{
    const size_t n = (size_t)e->p->graph->n;
    coarse_search *q = base_malloc(1, sizeof *q);
    *q = (coarse_search){.e = e,
                         .point = base_malloc(n, sizeof *q->point),
                         .more = base_malloc(n, sizeof *q->more),
                         .list = base_malloc(2 * n, sizeof *q->list),
                         .spread = base_malloc(n, sizeof *q->spread),
                         .tried = base_calloc(n, sizeof *q->tried)};
    /* What must leave RAM once, at the fullest. */
    q->points = coarse_first_points(e->p, 1, q->point);
    return q;
}

static void go_on(coarse_search *q, double work)
{
    const exact_tuning *t = engine_tuning(q->e);
    if (q->chooses) {
        try_stages(q, work);
        return;
    }
    if (!q->trunk) {
        q->trunk = open_timeline(q, -1);
        engine_cell_bounds_note(q->e, q->trunk->c);
        q->models++;
        q->settled = false;
    }
    if (!q->trunk->ended)
        run(q->trunk, work);
    if (engine_done(q->e) || (!q->trunk->ended && (q->settled || q->trunk->spent < slice(q))))
        return;
    tell(q->trunk);
    if (q->models < t->coarse_models)
        begin_choice(q);
    else if (q->trunk->ended)
        q->points = 0;
}

void engine_coarse(engine *e, double work)
{
    if (!e->coarse)
        e->coarse = begin(e);
    coarse_search *q = e->coarse;
    q->e = e;
    const double end = q->spent + work;
    while (engine_coarse_left(e) && !engine_done(e) && q->spent < end)
        go_on(q, end - q->spent);
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

/* A schedule was found whose cost the open tree had proven already: what it left open is closed. */
static void complete(timeline *l)
{
    if (l && l->told.tree && !l->ended && l->bound >= engine_cutoff(l->q->e))
        run(l, INFINITY);
}

void engine_coarse_clear(engine *e)
{
    coarse_search *q = e->coarse;
    engine_cell_bounds_clear(e);
    if (!q)
        return;
    complete(q->trunk);
    complete(q->probe);
    for (int k = 0; k < q->keeps; k++)
        complete(q->kept[k]);
    for (int k = 0; k < q->waits; k++)
        complete(q->waiting[k]);
    drop_choice(q);
    close_timeline(q->trunk);
    base_free(q->point);
    base_free(q->more);
    base_free(q->list);
    base_free(q->spread);
    base_free(q->tried);
    base_free(q);
    e->coarse = NULL;
}
