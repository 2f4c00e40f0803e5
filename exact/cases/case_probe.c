/* Bounds for both fates of each open tensor, by the LP of a case's timeline. */
#include <math.h>
#include <string.h>

#include "exact/cases/case.h"
#include "exact/timeline/coarse.h"
#include "lp/safe.h"

typedef struct probe {
    const engine *e;
    const problem *problem; /* without the pins of the case */
    const uint8_t *fate;    /* fates of the case */
    coarse *c;
    int *stay; /* columns, extent n */
    lp_solver *lp;
    double *lower, *upper; /* current bounds of the columns in the solver */
    const double *y;       /* multipliers of the last bound; NULL: the LP has none */
    int excluded;          /* tensor of the last fate that was excluded; -1: none */
} probe;

static void set_bounds(probe *q, int col, double lower, double upper)
{
    if (col < 0)
        return;
    q->lower[col] = lower;
    q->upper[col] = upper;
    lp_set_bounds(q->lp, col, lower, upper);
}

static void reset_bounds(probe *q, int col)
{
    if (col >= 0)
        set_bounds(q, col, q->c->model->lower[col], q->c->model->upper[col]);
}

/* Fixes the columns of i to this fate; FATE_OPEN restores their bounds. */
static void fix_fate(probe *q, int i, coarse_fate fate)
{
    if (fate == FATE_AWAY)
        set_bounds(q, q->stay[i], 0, 0);
    else
        reset_bounds(q, q->stay[i]);
    for (int j = 0; j <= q->c->points; j++) {
        const int col[] = {q->c->compute[coarse_cell(q->c, j, i)],
                           q->c->pagein[coarse_cell(q->c, j, i)]};
        for (int k = 0; k < 2; k++)
            if (fate == FATE_KEPT)
                set_bounds(q, col[k], 0, 0);
            else
                reset_bounds(q, col[k]);
    }
}

/* Solves the LP. Returns the bound that its multipliers prove; INFINITY: infeasible, -INFINITY: no
 * proof. */
static double solve_bound(probe *q)
{
    const lp_model *m = q->c->model;
    const lp_status status = lp_solve(q->lp);
    q->y = status == LP_INFEASIBLE ? lp_farkas(q->lp) : lp_dual(q->lp);
    if (status == LP_INFEASIBLE)
        return lp_farkas_is_proof(m, q->lower, q->upper, q->y) ? INFINITY : -INFINITY;
    if (status != LP_OPTIMAL)
        return -INFINITY;
    return lp_safe_bound(m, q->lower, q->upper, q->y, NULL);
}

/* Reports that no schedule of the case with this fate of i is better than the incumbent. The case
 * goes on with the other fate, or is closed if that was excluded just before. */
static void exclude(probe *q, engine_case *c, int i, coarse_fate fate, double bound)
{
    const exact_proof *child[2] = {c->proof, c->proof};
    const bool away = fate == FATE_AWAY;
    if (q->excluded != i)
        c->proof->split(c->proof->user, i, child);
    if (q->y)
        child[away]->case_bound(child[away]->user, q->c, q->y, bound);
    q->excluded = i;
    c->proof = child[!away];
}

/* The bound with this fate of i and all fates that follow from it. */
static double bound_with(probe *q, engine_case *c, int i, coarse_fate fate)
{
    const int n = q->problem->graph->n;
    uint8_t *then = base_malloc((size_t)n, sizeof *then);
    memcpy(then, q->fate, (size_t)n * sizeof *then);
    then[i] = (uint8_t)fate;
    double bound = INFINITY;
    q->y = NULL;
    if (case_propagate(q->problem, then, NULL, NULL)) {
        for (int k = 0; k < n; k++)
            if (then[k] != q->fate[k])
                fix_fate(q, k, then[k]);
        bound = solve_bound(q);
        for (int k = 0; k < n; k++)
            if (then[k] != q->fate[k])
                fix_fate(q, k, FATE_OPEN);
    }
    base_free(then);
    if (bound >= engine_cutoff(q->e))
        exclude(q, c, i, fate, bound);
    return bound;
}

static void open_probe(probe *q, engine_case *c, const engine *e)
{
    const size_t n = (size_t)e->p->graph->n;
    const engine_points *at = &c->own.points;
    *q = (probe){.e = e, .problem = e->p, .fate = c->fate, .excluded = -1};
    q->stay = base_malloc(n, sizeof *q->stay);
    q->c = coarse_build(&c->problem, e->features, at->stage, at->count, e->scale);
    coarse_add_fates(q->c, c->fate, e->scale, q->stay);
    const lp_model *m = q->c->model;
    q->lower = base_malloc(2 * (size_t)m->cols + 1, sizeof *q->lower);
    q->upper = q->lower + m->cols;
    memcpy(q->lower, m->lower, (size_t)m->cols * sizeof *q->lower);
    memcpy(q->upper, m->upper, (size_t)m->cols * sizeof *q->upper);
    lp_params params = lp_params_default();
    params.tuning = e->params->tuning.lp;
    params.limits = engine_limits(e, INFINITY);
    params.seed = e->params->seed;
    q->lp = lp_solver_create(m, &params);
}

static void close_probe(probe *q, engine *e)
{
    e->result->lp_iterations += lp_iterations(q->lp);
    lp_solver_free(q->lp);
    base_free(q->lower);
    base_free(q->stay);
    coarse_free(q->c);
}

double case_probe(engine_case *c, engine *e, double work, double *kept, double *away)
{
    const int n = e->p->graph->n;
    const double end = engine_work(e) + work;
    probe q;
    open_probe(&q, c, e);
    const double base = solve_bound(&q);
    c->proof->case_bound(c->proof->user, q.c, q.y, base);
    c->bound = fmax(c->bound, base);
    for (int i = 0; i < n; i++) {
        kept[i] = away[i] = -INFINITY;
        if (c->fate[i] != FATE_OPEN || engine_work(e) >= end || engine_done(e) ||
            c->bound >= engine_cutoff(e))
            continue;
        away[i] = bound_with(&q, c, i, FATE_AWAY);
        kept[i] = bound_with(&q, c, i, FATE_KEPT);
    }
    close_probe(&q, e);
    return base;
}
