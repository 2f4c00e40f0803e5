/* A rolling horizon: a schedule from the last stage to the first, a few stages at a time. A part is
 * a coarse timeline. Its points are the part's own stages, the stage before them, and the fullest
 * stage if that is earlier. Each stage of the part is then an interval by itself, in which the
 * memory of recomputations counts event by event. Earlier stages are relaxed. The last point holds
 * the tensors that the later stages need. Only the actions in the part's own stages are kept. This
 * suits problems so short of memory that hardly any tensor stays from stage to stage. Parts then
 * depend little on each other, while annealing, which changes one tensor at a time, finds no way
 * between schedules. */
#include "exact/finder/horizon.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "exact/cells/tree.h"
#include "exact/log.h"
#include "exact/timeline/timeline.h"

/* A part takes at most the remaining work divided by this. */
enum { PARTS_LEFT = 4 };

typedef struct horizon {
    engine *e;
    schedule *s;  /* recomputations and page-ins of the settled stages */
    bool *wanted; /* needed in RAM at the first settled point, extent n */
    bool *stored; /* paged in by a settled stage, extent n */
    bool pages;
    double cost; /* of the settled stages, model units */
    double end;  /* base_work_done() at which to stop */
} horizon;

/* The timeline for stages begin + 1 .. end. */
static coarse *part_model(const horizon *h, int begin, int end)
{
    const problem *p = h->e->p;
    int *point = base_malloc((size_t)(end - begin) + 2, sizeof *point);
    int points = coarse_first_points(p, 1, point);
    if (points == 1 && point[0] >= begin)
        points = 0;
    for (int t = begin; t <= end; t++)
        point[points++] = t;
    coarse *c = coarse_build(p, h->e->features, point, points, h->e->scale);
    for (int col = 0; col < c->model->cols; col++) {
        const formulation_key *key = &c->column[col];
        if (key->kind == COARSE_LIVE && key->t == points && h->wanted[key->i])
            c->model->lower[col] = 1;
        if (!h->pages && (key->kind == COARSE_PAGEIN || key->kind == COARSE_OUT))
            c->model->upper[col] = 0;
        const bool settled = (key->kind == COARSE_COMPUTE || key->kind == COARSE_PAGEIN)
                                 ? key->t == points
                                 : key->kind == COARSE_OUT && h->stored[key->i];
        if (settled)
            c->model->cost[col] = 0;
    }
    base_free(point);
    return c;
}

/* Moves the actions of x in the part's own stages to the schedule. */
static void store_actions(horizon *h, const coarse *c, const double *x, int begin)
{
    const graph *g = h->e->p->graph;
    for (int col = 0; col < c->model->cols; col++) {
        const formulation_key *key = &c->column[col];
        const bool again = key->kind == COARSE_COMPUTE, arrives = key->kind == COARSE_PAGEIN;
        if (x[col] < 0.5 || !(again || arrives) || key->t == c->points ||
            coarse_before(c, key->t) < begin)
            continue;
        const int t = coarse_end(c, key->t), i = key->i;
        if (again)
            h->s->R[schedule_cell(h->s, t, i)] = 1;
        else if (i < t - 1)
            h->s->In[schedule_cell(h->s, t - 1, i)] = 1;
        h->cost += h->e->scale * (again ? g->joules[i] : g->pagein_joules[i]);
        if (arrives && !h->stored[i])
            h->cost += h->e->scale * g->pageout_joules[i];
        h->stored[i] = h->stored[i] || arrives;
    }
}

/* Replaces the tensors needed at point t by the tensors needed at point t - 1. */
static void update_wanted(horizon *h, int t)
{
    const graph *g = h->e->p->graph;
    const schedule *s = h->s;
    for (int k = 0; k <= t; k++)
        for (int e = g->input_start[k]; s->R[schedule_cell(s, t, k)] && e < g->input_start[k + 1];
             e++)
            h->wanted[g->input[e]] = true;
    for (int i = 0; i < t; i++)
        if (s->R[schedule_cell(s, t, i)] || s->In[schedule_cell(s, t - 1, i)])
            h->wanted[i] = false;
}

/* Solves stages begin + 1 .. end and settles them. False: no solution was found. */
static bool solve_stages(horizon *h, int begin, int end)
{
    engine *e = h->e;
    const double left = h->end - (double)base_work_done();
    timeline part = {.e = e, .stage = begin, .c = part_model(h, begin, end)};
    const bnb_callbacks callbacks = {.user = &part, .priority = timeline_priority};
    bnb_params params = engine_turn_params(e);
    params.threads = 1;
    params.gap_relative = 0.5 * EXACT_OPTIMAL_GAP;
    bnb_search *search = bnb_open(part.c->model, &params, &callbacks, NULL);
    bnb_lower_cutoff(search, engine_cutoff(e) - h->cost);
    engine_run(e, search, left / PARTS_LEFT, LONG_MAX);
    bnb_result r = bnb_close(search);
    const bool solved = r.x != NULL;
    if (solved) {
        store_actions(h, part.c, r.x, begin);
        for (int t = end; t > begin; t--)
            update_wanted(h, t);
    }
    bnb_result_clear(&r);
    coarse_free(part.c);
    return solved;
}

void engine_horizon(engine *e, int stages, bool pages, double work)
{
    const size_t n = (size_t)e->p->graph->n;
    horizon h = {.e = e,
                 .s = schedule_create((int)n),
                 .pages = pages,
                 .wanted = base_calloc(n, sizeof *h.wanted),
                 .stored = base_calloc(n, sizeof *h.stored),
                 .end = (double)base_work_done() + fmin(work, engine_work_left(e))};
    int end = (int)n - 1;
    while (end > 0 && !engine_done(e)) {
        const int begin = end > stages ? end - stages : 0;
        if ((double)base_work_done() >= h.end || !solve_stages(&h, begin, end))
            break;
        end = begin;
    }
    engine_log(e, 2, "horizon   %d stages at a time, %s, down to stage %d at %.9g J", stages,
               pages ? "paging" : "computing", end, h.cost / e->scale);
    if (end == 0) {
        coarse_complete(e->p->graph, h.s);
        engine_offer(e, h.s, "rolling horizon");
    }
    schedule_free(h.s);
    base_free(h.wanted);
    base_free(h.stored);
}
