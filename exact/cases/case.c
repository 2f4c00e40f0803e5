/* One case, which assumes fates of dear tensors: its engine. */
#include "exact/cases/case.h"

#include <math.h>
#include <string.h>

#include "exact/finder/anneal.h"
#include "exact/timeline/coarse.h"

engine_case *case_create(const engine *from, const uint8_t *fate, const exact_proof *proof,
                         double bound)
{
    const size_t n = (size_t)from->p->graph->n;
    engine_case *c = base_calloc(1, sizeof *c);
    c->fate = base_malloc(n, sizeof *c->fate);
    c->proof = proof;
    c->bound = bound;
    memcpy(c->fate, fate, n * sizeof *c->fate);
    engine_note_points(&c->own.points, &from->points);
    return c;
}

void case_free(engine_case *c)
{
    if (!c)
        return;
    case_close(c);
    engine_points_clear(&c->own.points);
    base_free(c->fate);
    base_free(c);
}

/* ---- its timelines ----------------------------------------------------------------- */

/* Builds the problem of the case: kept tensors are pinned. */
static void pin_kept(engine_case *c, const problem *p)
{
    const size_t n = (size_t)p->graph->n;
    c->graph = *p->graph;
    c->graph.pin = base_malloc(n, sizeof *c->graph.pin);
    for (size_t i = 0; i < n; i++) {
        const bool kept = c->fate[i] == FATE_KEPT;
        c->graph.pin[i] = p->graph->pin[i];
        if (kept)
            c->graph.pin[i] |= GRAPH_NO_RECOMPUTE | GRAPH_NO_PAGE;
    }
    c->problem = *p;
    c->problem.graph = &c->graph;
}

static void open_case(engine_case *c, const engine *e)
{
    pin_kept(c, e->p);
    c->own = (engine){.p = &c->problem,
                      .params = &c->params,
                      .fate = c->fate,
                      .points = c->own.points,
                      .lower = c->bound,
                      .coarse_bound = c->bound};
    c->own.points.bound = -INFINITY; /* of another problem */
    pthread_mutex_init(&c->own.lock, NULL);
    c->is_open = true;
}

void case_enter(engine_case *c, engine *e)
{
    if (!c->is_open)
        return;
    engine *own = &c->own;
    c->params = *e->params;
    c->params.proof = e->params->proof ? c->proof : NULL;
    c->params.tuning.coarse_fixing = false; /* not the cells of the search */
    own->result = e->result;
    own->start = e->start;
    own->work_before = e->work_before;
    own->helpers_work = e->helpers_work;
    own->waited = e->waited;
    own->held_back = e->held_back;
    own->threads = e->threads;
    own->features = e->features;
    own->scale = e->scale;
    own->upper = e->upper;
    own->stop = BASE_GO; /* of an earlier turn */
    own->parent = e;
    own->row = e->row;
}

bool case_run(engine_case *c, engine *e, double work)
{
    if (!c->is_open)
        open_case(c, e);
    case_enter(c, e);
    engine *own = &c->own;
    engine_coarse(own, work);
    e->upper = own->upper;
    e->failed = e->failed || own->failed;
    e->row = own->row;
    c->bound = own->infeasible ? INFINITY : fmax(c->bound, own->lower);
    return engine_coarse_left(own);
}

void case_restart(engine_case *c, engine *e, double work)
{
    engine_coarse_clear(&c->own);
    engine_points_clear(&c->own.points);
    case_run(c, e, work);
}

void case_close(engine_case *c)
{
    if (!c->is_open)
        return;
    engine_coarse_clear(&c->own);
    engine_anneal_clear(&c->own);
    pthread_mutex_destroy(&c->own.lock);
    base_free(c->graph.pin);
    c->is_open = false;
}
