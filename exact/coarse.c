/* Bounds and schedules from the coarse timeline (formulation/coarse.h): a small model that is
 * solved to integrality, then again with points where what it found overflows. */
#include "formulation/coarse.h"

#include <limits.h>
#include <math.h>

#include "exact/engine.h"
#include "heuristics/search.h"

enum {
    FIRST_POINTS = 8,
    MORE_POINTS = 3, /* at most, from one model to the next */
    MOST_MODELS = 40,
    REPAIR_TRIES = 4
};

#define MODEL_SHARE 0.5 /* of what is left, for one model */

typedef struct coarse_search {
    engine *e;
    const coarse *c;
    base_limits limits; /* for all models; deadline 0: none */
    long iterations;    /* left; LONG_MAX: any number */
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
    engine_polish(e,
                  heuristic_repair(e->p, &guide, &e->params->tuning.heuristics, REPAIR_TRIES,
                                   e->params->seed, INFINITY),
                  "coarse timeline");
    base_free(keep);
}

/* A solution of the relaxation is a schedule, or nearly one. */
static void take(void *user, const double *x, double objective, const char *source)
{
    const coarse_search *q = user;
    (void)objective;
    (void)source;
    schedule *s = coarse_schedule(q->c, x);
    if (schedule_validate(q->e->p, s, NULL, NULL) == 0)
        engine_offer(q->e, s, "coarse timeline");
    else if (q->e->params->heuristics && base_limits_check(&q->limits) == BASE_GO)
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

static bnb_params parameters(const coarse_search *q)
{
    const engine *e = q->e;
    bnb_params params = engine_tree_params(e, 1);
    params.threads = e->params->threads;
    params.deterministic = e->params->deterministic;
    params.limits = q->limits;
    if (q->limits.deadline > 0)
        params.limits.deadline -= (1 - MODEL_SHARE) * (q->limits.deadline - base_seconds());
    if (q->iterations < LONG_MAX)
        params.iteration_limit = (long)(MODEL_SHARE * (double)q->iterations);
    if (e->params->node_limit < LONG_MAX)
        params.node_limit =
            (long)(MODEL_SHARE * (double)(e->params->node_limit - e->result->nodes));
    params.log = e->params->log > 1;
    params.log_stream = e->params->log_stream;
    params.log_unit = 1 / e->scale;
    return params;
}

/* Solves q->c and takes what it proves. */
static bnb_result solve(coarse_search *q)
{
    engine *e = q->e;
    const bnb_params params = parameters(q);
    const bnb_callbacks callbacks = {.user = q, .priority = priority, .incumbent = take};
    bnb_result r = bnb_solve(q->c->model, &params, &callbacks, NULL);
    const double bound = r.status == BNB_INFEASIBLE ? params.cutoff : fmin(r.bound, params.cutoff);
    e->infeasible = isinf(bound) && bound > 0;
    e->failed = e->failed || r.status == BNB_UNBOUNDED;
    if (r.status == BNB_LIMIT_MEMORY) { /* what comes later takes more */
        e->limited = true;
        e->stop = BASE_STOP_MEMORY;
    }
    engine_raise(e, bound);
    e->result->nodes += r.nodes;
    e->result->lp_iterations += r.iterations;
    if (q->iterations < LONG_MAX)
        q->iterations -= r.iterations;
    engine_log(e, 1, "coarse    %d points, %d columns, %d rows, %s, bound %.9g J", q->c->points,
               q->c->model->cols, q->c->model->rows, bnb_status_name(r.status), bound / e->scale);
    return r;
}

static bool is_over(const coarse_search *q)
{
    return engine_done(q->e) || base_limits_check(&q->limits) != BASE_GO || q->iterations <= 0 ||
           q->e->result->nodes >= q->e->params->node_limit;
}

/* Where the last call left off, or the first points. */
static void begin(engine *e)
{
    if (e->point)
        return;
    e->point = base_malloc((size_t)e->p->graph->n, sizeof *e->point);
    e->points = coarse_first_points(e->p, FIRST_POINTS, e->point);
}

void engine_coarse(engine *e, double share, long iterations)
{
    coarse_search q = {.e = e, .limits = e->params->limits, .iterations = iterations};
    if (q.limits.deadline > 0)
        q.limits.deadline -= (1 - share) * (q.limits.deadline - base_seconds());
    begin(e);
    bool more = e->points > 0;
    for (int model = 0; model < MOST_MODELS && more && !is_over(&q); model++) {
        coarse *c = coarse_build(e->p, e->params->features, e->point, e->points, e->scale);
        q.c = c;
        bnb_result r = solve(&q);
        int points = e->points;
        if (r.has_solution)
            points = coarse_more_points(c, r.x, MORE_POINTS, e->point);
        /* Solved, and nothing overflows: this is what the timeline can tell. */
        const bool finished = r.status == BNB_OPTIMAL || r.status == BNB_INFEASIBLE;
        more = points > e->points;
        e->points = finished && !more ? 0 : points;
        bnb_result_clear(&r);
        coarse_free(c);
    }
}
