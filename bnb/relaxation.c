/* The LP of a thread: its rows and its saved states. */
#include <assert.h>
#include <limits.h>
#include <string.h>

#include "bnb/relaxation.h"
#include "bnb/search.h"

#define LEAST_EFFICACY 1e-8 /* of a lazy row that is added */

void bnb_relaxation_init(bnb_relaxation *r, const bnb_search *s)
{
    const lp_model *m = s->in->model;
    *r = (bnb_relaxation){.model_rows = s->in->core_rows};
    lp_params p = lp_params_default();
    p.limits = s->params.limits;
    p.seed = s->params.seed;
    p.tuning = s->params.lp;
    lp_model *core = lp_model_copy(m);
    bool *drop = base_calloc((size_t)m->rows + 1, sizeof *drop);
    memset(drop + r->model_rows, true, (size_t)(m->rows - r->model_rows));
    lp_model_delete_rows(core, drop);
    base_free(drop);
    r->solver = lp_solver_create(core, &p);
    lp_model_free(core);
}

void bnb_relaxation_clear(bnb_relaxation *r)
{
    for (int k = 0; k < r->cuts; k++)
        bnb_poolcut_release(r->cut[k]);
    base_free(r->cut);
    base_free(r->age);
    lp_solver_free(r->solver);
    *r = (bnb_relaxation){0};
}

/* ---- cut rows ----------------------------------------------------------- */

void bnb_relaxation_add_cuts(bnb_relaxation *r, bnb_poolcut *const *cut, int count)
{
    if (count == 0)
        return;
    lp_row_list rows = {0};
    if (r->cuts + count > r->capacity) {
        r->capacity = 2 * (r->cuts + count);
        r->cut = base_realloc(r->cut, (size_t)r->capacity, sizeof(bnb_poolcut *));
        r->age = base_realloc(r->age, (size_t)r->capacity, sizeof *r->age);
    }
    for (int k = 0; k < count; k++) {
        const bnb_poolcut *c = cut[k];
        for (int e = 0; e < c->count; e++)
            lp_row_list_add(&rows, c->col[e], c->value[e]);
        lp_row_list_end(&rows, c->lower, c->upper);
        bnb_poolcut_hold(cut[k]);
        r->age[r->cuts] = 0;
        r->cut[r->cuts++] = cut[k];
    }
    lp_add_rows(r->solver, count, rows.lower, rows.upper, rows.start, rows.col, rows.value);
    lp_row_list_free(&rows);
}

/* Drops the cut rows k with drop[k] (extent r->cuts). */
static void drop_cuts(bnb_relaxation *r, const bool *drop)
{
    bool *row = base_calloc((size_t)(r->model_rows + r->cuts) + 1, sizeof *row);
    int kept = 0, dropped = 0;
    for (int k = 0; k < r->cuts; k++) {
        if (drop[k]) {
            row[r->model_rows + k] = true;
            bnb_poolcut_release(r->cut[k]);
            dropped++;
            continue;
        }
        r->cut[kept] = r->cut[k];
        r->age[kept++] = r->age[k];
    }
    r->cuts = kept;
    if (dropped > 0)
        lp_delete_rows(r->solver, row);
    base_free(row);
}

void bnb_relaxation_age(bnb_context *c, int limit)
{
    bnb_relaxation *r = &c->lp;
    if (r->cuts == 0)
        return;
    const double *activity = lp_activity(r->solver);
    const double *y = lp_dual(r->solver);
    bool *drop = base_calloc((size_t)r->cuts, sizeof *drop);
    bool any = false;
    for (int k = 0; k < r->cuts; k++) {
        const bnb_poolcut *cut = r->cut[k];
        const double a = activity[r->model_rows + k];
        const double slack = fmin(a - cut->lower, cut->upper - a) / fmax(cut->norm, 1e-12);
        r->age[k] = y[r->model_rows + k] != 0.0 || slack < 1e-7 ? 0 : r->age[k] + 1;
        drop[k] = r->age[k] > limit;
        any = any || drop[k];
    }
    if (any)
        drop_cuts(r, drop);
    base_free(drop);
}

/* ---- lazy rows (bnb_instance.lazy) ---------------------------------------- */

/* A lazy row at x. */
typedef struct lazy_row {
    double efficacy; /* violation by x over norm */
    bool touched;    /* it has a column that is not zero */
    bool present;    /* it is in the LP */
} lazy_row;

static int count_lazy_rows(const bnb_context *c)
{
    return c->in->model->rows - c->in->core_rows;
}

/* Evaluates the lazy rows at c->x. O(entries of the nonzero columns). */
static lazy_row *evaluate_lazy_rows(const bnb_context *c)
{
    const bnb_instance *in = c->in;
    const lp_model *m = in->model;
    lazy_row *list = base_calloc((size_t)count_lazy_rows(c) + 1, sizeof *list);
    for (int j = 0; j < m->cols; j++)
        for (int k = m->start[j]; c->x[j] != 0.0 && k < m->start[j + 1]; k++)
            if (m->index[k] >= in->core_rows) {
                list[m->index[k] - in->core_rows].efficacy += m->value[k] * c->x[j];
                list[m->index[k] - in->core_rows].touched = true;
            }
    for (int k = 0; k < count_lazy_rows(c); k++) {
        const bnb_poolcut *row = in->lazy[k];
        const double activity = list[k].efficacy;
        list[k].efficacy =
            fmax(activity - row->upper, row->lower - activity) / fmax(row->norm, 1e-12);
    }
    for (int k = 0; k < c->lp.cuts; k++)
        if (c->lp.cut[k]->row >= 0)
            list[c->lp.cut[k]->row - in->core_rows].present = true;
    return list;
}

/* Adds missing rows above the efficacy. With `tight`, also adds rows that hold with equality and
 * have a nonzero column. Frees the list, and returns the number of rows added. */
static int add_lazy_rows(bnb_context *c, lazy_row *list, double efficacy, bool tight)
{
    bnb_poolcut **missing = base_malloc((size_t)count_lazy_rows(c) + 1, sizeof(bnb_poolcut *));
    int count = 0;
    for (int k = 0; k < count_lazy_rows(c); k++)
        if (!list[k].present && (list[k].efficacy > efficacy ||
                                 (tight && list[k].touched && list[k].efficacy > -LEAST_EFFICACY)))
            missing[count++] = c->in->lazy[k];
    bnb_relaxation_add_cuts(&c->lp, missing, count);
    base_free_all(missing, list);
    return count;
}

int bnb_lazy_add_violated(bnb_context *c, double part, bool tight)
{
    lazy_row *list = evaluate_lazy_rows(c);
    double worst = LEAST_EFFICACY;
    for (int k = 0; k < count_lazy_rows(c); k++)
        worst = list[k].present ? worst : fmax(worst, list[k].efficacy);
    const bool any = worst > LEAST_EFFICACY;
    return add_lazy_rows(c, list, any ? fmax(LEAST_EFFICACY, part * worst) : LP_INFINITY,
                         any && tight);
}

int bnb_lazy_add_tight(bnb_context *c)
{
    if (count_lazy_rows(c) == 0)
        return 0;
    return add_lazy_rows(c, evaluate_lazy_rows(c), -LEAST_EFFICACY, false);
}

/* ---- states ------------------------------------------------------------- */

bnb_lpstate *bnb_relaxation_state(const bnb_context *c)
{
    const bnb_relaxation *r = &c->lp;
    const int variables = lp_solver_model(r->solver)->cols + lp_solver_model(r->solver)->rows;
    unsigned char *status = base_malloc((size_t)variables + 1, sizeof *status);
    lp_get_basis(r->solver, status);
    bnb_lpstate *s = bnb_lpstate_create(status, variables, r->cuts, r->cut);
    base_free(status);
    return s;
}

static int cut_position(bnb_poolcut *const *cut, int count, const bnb_poolcut *wanted, int guess)
{
    if (guess < count && cut[guess] == wanted)
        return guess;
    for (int k = 0; k < count; k++)
        if (cut[k] == wanted)
            return k;
    return -1;
}

bool bnb_relaxation_has(const bnb_relaxation *r, const bnb_poolcut *cut)
{
    return cut_position(r->cut, r->cuts, cut, 0) >= 0;
}

/* Makes the LP's cut rows equal to the state's, in any order. */
static void exchange_cuts(bnb_relaxation *r, const bnb_lpstate *state)
{
    bool *drop = base_calloc((size_t)r->cuts + 1, sizeof *drop);
    for (int k = 0; k < r->cuts; k++)
        drop[k] = cut_position(state->cut, state->cuts, r->cut[k], k) < 0;
    drop_cuts(r, drop);
    base_free(drop);
    bnb_poolcut **missing = base_malloc((size_t)state->cuts + 1, sizeof(bnb_poolcut *));
    int count = 0;
    for (int k = 0; k < state->cuts; k++)
        if (cut_position(r->cut, r->cuts, state->cut[k], k) < 0)
            missing[count++] = state->cut[k];
    bnb_relaxation_add_cuts(r, missing, count);
    base_free(missing);
}

void bnb_relaxation_restore(bnb_context *c, const bnb_lpstate *state)
{
    bnb_relaxation *r = &c->lp;
    exchange_cuts(r, state);
    const int fixed = lp_solver_model(r->solver)->cols + r->model_rows;
    unsigned char *status = base_malloc((size_t)(fixed + r->cuts) + 1, sizeof *status);
    for (int v = 0; v < fixed; v++)
        status[v] = bnb_lpstate_status(state, v);
    for (int k = 0; k < r->cuts; k++) {
        const int at = cut_position(state->cut, state->cuts, r->cut[k], k);
        status[fixed + k] = at < 0 ? LP_BASIC : bnb_lpstate_status(state, fixed + at);
    }
    lp_set_basis(r->solver, status);
    base_free(status);
}

/* ---- bounds, bases and multipliers --------------------------------------- */

void bnb_relaxation_sync(bnb_context *c)
{
    bnb_domain *d = &c->domain;
    for (int k = 0; k < d->dirty_count; k++) {
        const int j = d->dirty[k];
        d->is_dirty[j] = false;
        lp_set_bounds(c->lp.solver, j, d->lower[j], d->upper[j]);
    }
    d->dirty_count = 0;
}

long double bnb_reduced_cost(const bnb_context *c, int j, long double *error)
{
    const lp_model *m = lp_solver_model(c->lp.solver);
    long double sum = 0.0L, magnitude = fabs(m->cost[j]);
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const long double term = (long double)c->y[m->index[k]] * m->value[k];
        sum += term;
        magnitude += fabsl(term);
    }
    *error = magnitude * (m->start[j + 1] - m->start[j] + 8) * 0x1p-64L;
    return m->cost[j] - sum;
}
