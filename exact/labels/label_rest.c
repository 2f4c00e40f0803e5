/* Bounds on the stages before a label: prices, and LPs of coarse timelines. */
#include "exact/labels/label_rest.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "formulation/formulation.h"
#include "lp/safe.h"

enum { MOST_BOUNDS = 256 }; /* of a stage */

/* ---- points ---------------------------------------------------------------------- */

static double value_alone(const problem *p, const label_points *l, int t)
{
    coarse *c = coarse_build(p, l->features, &t, 1, l->scale);
    lp_solver *lp = lp_solver_create(c->model, NULL);
    lp_solve(lp);
    const double value = fmax(0, lp_dual_objective(lp));
    lp_solver_free(lp);
    coarse_free(c);
    return value;
}

label_points label_points_make(const problem *p, unsigned features, const base_limits *limits)
{
    const graph *g = p->graph;
    int64_t *bytes = base_malloc((size_t)g->n, sizeof *bytes);
    label_points l = {.features = features,
                      .scale = formulation_default_scale(g),
                      .value = base_calloc((size_t)g->n, sizeof *l.value)};
    graph_checkpoint_all_bytes(g, bytes);
    for (int t = 0; t < g->n && base_limits_check(limits) == BASE_GO; t++)
        if (bytes[t] > p->ram_budget_bytes)
            l.value[t] = value_alone(p, &l, t);
    base_free(bytes);
    return l;
}

void label_points_clear(label_points *l)
{
    base_free(l->value);
    l->value = NULL;
}

/* The point of the best timeline before stage t; -1: none. */
static int best_point(const label_points *l, int t)
{
    int best = -1;
    for (int s = 0; l && s < t; s++)
        if (l->value[s] > (best < 0 ? 0 : l->value[best]))
            best = s;
    return best;
}

/* ---- the timeline of a stage ------------------------------------------------------- */

static void end_stage(label_rest *r)
{
    lp_solver_free(r->lp);
    coarse_free(r->timeline);
    base_free_all(r->dual, r->lower);
    r->lp = NULL;
    r->timeline = NULL;
    r->dual = r->lower = NULL;
}

static void begin_timeline(label_rest *r, int t)
{
    const int point[2] = {best_point(r->points, t), t};
    if (point[0] < 0)
        return;
    r->timeline = coarse_build_before(r->p, r->points->features, point, 2, r->points->scale);
    const lp_model *m = r->timeline->model;
    r->lp = lp_solver_create(m, NULL);
    r->dual = base_malloc((size_t)m->rows + 1, sizeof *r->dual);
    r->lower = base_malloc((size_t)m->cols + 1, sizeof *r->lower);
}

/* The columns for which a label sets lower bounds: tensors in RAM at the end, and page-outs. */
static int column_wanted(const label_rest *r, int i)
{
    return r->timeline->live[coarse_cell(r->timeline, r->timeline->points, i)];
}

static int column_stored(const label_rest *r, int i)
{
    return r->timeline->out[i];
}

static void set_lower(label_rest *r, int col, bool required)
{
    if (col < 0)
        return;
    r->lower[col] = required;
    lp_set_bounds(r->lp, col, required, 1);
}

static lp_status solve_for(label_rest *r, const label_set *s, const label *l)
{
    const lp_model *m = r->timeline->model;
    memcpy(r->lower, m->lower, (size_t)m->cols * sizeof *r->lower);
    for (int i = 0; i < r->p->graph->n; i++) {
        set_lower(r, column_wanted(r, i), label_has(s, l, LABEL_WANTED, i));
        set_lower(r, column_stored(r, i), label_has(s, l, LABEL_STORED, i));
    }
    return lp_solve(r->lp);
}

/* ---- bounds -------------------------------------------------------------------------- */

static int add_bound(label_rest *r)
{
    const size_t n = (size_t)r->p->graph->n;
    if (r->count == r->space) {
        r->space = 2 * r->space + 16;
        r->base = base_realloc(r->base, (size_t)r->space, sizeof *r->base);
        r->wanted = base_realloc(r->wanted, (size_t)r->space * n, sizeof *r->wanted);
        r->stored = base_realloc(r->stored, (size_t)r->space * n, sizeof *r->stored);
    }
    memset(r->wanted + (size_t)r->count * n, 0, n * sizeof *r->wanted);
    memset(r->stored + (size_t)r->count * n, 0, n * sizeof *r->stored);
    return r->count++;
}

/* The gain by a lower bound of 1 for column col, model units: its reduced cost, less rounding
 * errors, if positive. */
static double gain(const label_rest *r, int col)
{
    const lp_model *m = r->timeline->model;
    if (col < 0)
        return 0;
    double value = m->cost[col], size = fabs(value);
    for (int e = m->start[col]; e < m->start[col + 1]; e++) {
        const double term = r->dual[m->index[e]] * m->value[e];
        value -= term;
        size += fabs(term);
    }
    return fmax(0, value - 2 * (m->start[col + 1] - m->start[col] + 2) * DBL_EPSILON * size);
}

/* Adds the bound of the LP's dual solution. Costs of labels and of timelines contain page-outs. */
static void add_dual(label_rest *r)
{
    const graph *g = r->p->graph;
    const lp_model *m = r->timeline->model;
    const int f = add_bound(r);
    double *wanted = r->wanted + (size_t)f * (size_t)g->n,
           *stored = r->stored + (size_t)f * (size_t)g->n;
    memcpy(r->dual, lp_dual(r->lp), (size_t)m->rows * sizeof *r->dual);
    r->base[f] = lp_safe_bound_mend(m, NULL, NULL, r->dual, NULL) / r->points->scale;
    double size = fabs(r->base[f]);
    for (int i = 0; i < g->n; i++) {
        wanted[i] = gain(r, column_wanted(r, i)) / r->points->scale;
        if (column_stored(r, i) >= 0)
            stored[i] = g->pageout_joules[i] - gain(r, column_stored(r, i)) / r->points->scale;
        size += 2 * wanted[i] + g->pageout_joules[i];
    }
    r->base[f] -= 8 * (double)(g->n + g->edge_count) * DBL_EPSILON * size;
    base_work((size_t)g->n * 20);
}

static double evaluate(const label_rest *r, const label_set *s, const label *l, int f)
{
    const size_t n = (size_t)r->p->graph->n, from = (size_t)LABEL_STORED * (size_t)s->words;
    const double *wanted = r->wanted + (size_t)f * n, *stored = r->stored + (size_t)f * n;
    double bound = r->base[f];
    for (int k = 0; k < s->words; k++) {
        for (uint64_t left = l->bits[k]; left; left &= left - 1)
            bound += wanted[64 * k + __builtin_ctzll(left)];
        for (uint64_t left = l->bits[from + (size_t)k]; left; left &= left - 1)
            bound -= stored[64 * k + __builtin_ctzll(left)];
    }
    base_work(20 + 4 * (size_t)s->words);
    return bound;
}

void label_rest_bound(const label_rest *r, const label_set *s, label *l, int from)
{
    for (int f = from; f < r->count; f++) {
        const double bound = evaluate(r, s, l, f);
        if (f == 0 || bound > l->earlier) {
            l->earlier = bound;
            l->rest = f;
        }
    }
}

/* A label below the cutoff that is not `tried`: the one with the least bound, or the one that the
 * part `place` (0 to 1) of them is before. -1: none. */
static long choose(const label_set *s, const bool *tried, double cutoff, bool least, double place)
{
    long open = 0, best = -1;
    for (long a = 0; a < s->count; a++)
        if (!tried[a] && label_bound(label_at(s, a)) < cutoff) {
            open++;
            if (best < 0 || label_bound(label_at(s, a)) < label_bound(label_at(s, best)))
                best = a;
        }
    base_work(2 * (size_t)s->count);
    if (least || best < 0)
        return best;
    long before = (long)(place * (double)open);
    for (long a = 0; a < s->count; a++)
        if (!tried[a] && label_bound(label_at(s, a)) < cutoff && before-- == 0)
            return a;
    return best;
}

void label_rest_raise(label_rest *r, const label_set *s, double cutoff, double work)
{
    const double end = (double)base_work_done() + work;
    bool *tried = base_calloc((size_t)s->count + 1, sizeof *tried);
    double place = 0;
    for (int k = 0; r->timeline && r->count < MOST_BOUNDS && (double)base_work_done() < end; k++) {
        place = fmod(place + 0.618, 1);
        const long a = choose(s, tried, cutoff, k % 2 == 0, place);
        if (a < 0)
            break;
        tried[a] = true;
        const lp_status status = solve_for(r, s, label_at(s, a));
        if (status == LP_INFEASIBLE &&
            lp_farkas_is_proof(r->timeline->model, r->lower, NULL, lp_farkas(r->lp)))
            label_at(s, a)->earlier = INFINITY;
        if (status != LP_OPTIMAL)
            continue;
        add_dual(r);
        for (long b = 0; b < s->count; b++)
            if (label_bound(label_at(s, b)) < cutoff)
                label_rest_bound(r, s, label_at(s, b), r->count - 1);
    }
    base_free(tried);
}

void label_rest_begin(label_rest *r, int t, const label_price *price)
{
    const size_t n = (size_t)r->p->graph->n;
    end_stage(r);
    r->count = 0;
    add_bound(r);
    r->base[0] = price->base;
    memcpy(r->wanted, price->wanted, n * sizeof *r->wanted);
    memcpy(r->stored, price->stored, n * sizeof *r->stored);
    begin_timeline(r, t);
}

label_rest label_rest_open(const problem *p, const label_points *points)
{
    label_rest r = {.p = p, .points = points};
    add_bound(&r);
    r.base[0] = 0;
    return r;
}

void label_rest_close(label_rest *r)
{
    end_stage(r);
    base_free_all(r->base, r->wanted, r->stored);
}
