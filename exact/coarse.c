/* Bounds and schedules from the coarse timeline (formulation/coarse.h): a small model that is
 * solved to integrality, then again with points where what it found overflows. */
#include "formulation/coarse.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/engine.h"
#include "heuristics/search.h"

typedef struct coarse_search {
    engine *e;
    int *point, points; /* of the present model or the next one, extent n; 0: no more */
    int models;         /* built so far */
    coarse *c;          /* the present one; NULL: none */
    double *x;          /* its best solution, extent its columns, if `solved` */
    bool solved;
    bnb_callbacks callbacks;
    bnb_search *search; /* over it */
    double opened_at;   /* spent by then */
    double spent;       /* work */
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

/* A solution of the relaxation is a schedule, or nearly one. */
static void take(void *user, const double *x, double objective, const char *source)
{
    coarse_search *q = user;
    (void)objective;
    (void)source;
    memcpy(q->x, x, (size_t)q->c->model->cols * sizeof *q->x);
    q->solved = true;
    schedule *s = coarse_schedule(q->c, x);
    if (!engine_offer(q->e, s, "coarse timeline") && may_repair(q->e) &&
        schedule_validate(q->e->p, s, NULL, NULL) != 0)
        repair(q->e, s);
    schedule_free(s);
}

/* Which tensors are paged at all decides most. */
static void priority(void *user, int *score)
{
    const coarse *c = ((const coarse_search *)user)->c;
    for (int i = 0; i < c->problem->graph->n; i++)
        if (c->out[i] >= 0)
            score[c->out[i]] = 1;
}

static void report(void *user, const bnb_progress *now)
{
    engine_log_progress(((const coarse_search *)user)->e, EFFORT_COARSE, now);
}

/* The next model, and a search over it. */
static void open_model(coarse_search *q)
{
    engine *e = q->e;
    const bnb_params params = engine_turn_params(e);
    q->c = coarse_build(e->p, e->features, q->point, q->points, e->scale);
    q->x = base_malloc((size_t)q->c->model->cols + 1, sizeof *q->x);
    q->solved = false;
    q->callbacks =
        (bnb_callbacks){.user = q, .priority = priority, .incumbent = take, .progress = report};
    e->row.columns = q->c->model->cols;
    q->search = bnb_open(q->c->model, &params, &q->callbacks, NULL);
    q->models++;
    q->opened_at = q->spent;
}

static void close_model(coarse_search *q)
{
    if (!q->search)
        return;
    bnb_result r = bnb_close(q->search);
    bnb_result_clear(&r);
    coarse_free(q->c);
    base_free(q->x);
    q->c = NULL;
    q->search = NULL;
}

/* The model has been solved, or has had its share of the work, `status`: on to the next one with
 * points where its solution overflows. */
static void refine(coarse_search *q, bnb_status status)
{
    const bool finished = status != BNB_LIMIT_WORK;
    int points = q->points;
    if (q->solved && q->models < engine_tuning(q->e)->coarse_models)
        points = coarse_more_points(q->c, q->x, engine_tuning(q->e)->coarse_more_points, q->point);
    if (!finished && points == q->points)
        return;
    engine_log(q->e, 2, "coarse    %d points, %d columns, %d rows, %s, bound %.9g J", q->c->points,
               q->c->model->cols, q->c->model->rows, bnb_status_name(status),
               q->e->coarse_bound / q->e->scale);
    /* Nothing overflows: this is what the timeline can tell. */
    q->points = points > q->points ? points : 0;
    close_model(q);
}

/* Few points tell most for their work: what must leave RAM once, at the fullest. */
static coarse_search *begin(engine *e)
{
    const exact_tuning *t = engine_tuning(e);
    const int count = e->p->graph->n > t->first_nodes ? t->coarse_points_large : t->coarse_points;
    coarse_search *q = base_malloc(1, sizeof *q);
    *q = (coarse_search){.e = e};
    q->point = base_malloc((size_t)e->p->graph->n, sizeof *q->point);
    q->points = coarse_first_points(e->p, count, q->point);
    return q;
}

void engine_coarse(engine *e, double work)
{
    if (!e->coarse)
        e->coarse = begin(e);
    coarse_search *q = e->coarse;
    q->e = e;
    const double end = q->spent + work;
    while (engine_coarse_left(e) && !engine_done(e) && q->spent < end) {
        const double before = engine_work(e), cutoff = engine_cutoff(e);
        if (!q->search)
            open_model(q);
        bnb_lower_cutoff(q->search, engine_tree_cutoff(e));
        const bnb_status status = engine_run(e, q->search, end - q->spent, LONG_MAX);
        const double bound = fmin(status == BNB_INFEASIBLE ? cutoff : bnb_bound(q->search), cutoff);
        e->infeasible = isinf(bound) && bound > 0;
        e->failed = e->failed || status == BNB_UNBOUNDED;
        engine_raise(e, bound);
        e->coarse_bound = fmax(e->coarse_bound, bound);
        q->spent += engine_work(e) - before;
        if (engine_done(e)) /* no time for more points */
            break;
        if (status != BNB_LIMIT_WORK ||
            q->spent - q->opened_at > fmax(engine_tuning(e)->coarse_least_slice,
                                           engine_tuning(e)->coarse_slice * q->opened_at))
            refine(q, status);
    }
}

bool engine_coarse_left(const engine *e)
{
    return engine_tuning(e)->coarse && !e->params->proof && engine_nodes_left(e) > 0 &&
           (!e->coarse || e->coarse->points > 0);
}

bool engine_coarse_leads(const engine *e)
{
    return e->lower <= e->coarse_bound;
}

coarse_search *engine_coarse_hand_over(engine *e)
{
    coarse_search *q = e->coarse;
    e->coarse = NULL;
    if (q)
        close_model(q);
    return q;
}

void engine_coarse_clear(engine *e)
{
    coarse_search *q = e->coarse;
    if (!q)
        return;
    close_model(q);
    base_free(q->point);
    base_free(q);
    e->coarse = NULL;
}
