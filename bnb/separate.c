/* One round of cuts from the pool, the caller and the separators. The most efficacious ones that
 * are not nearly parallel enter the LP. */
#include <assert.h>
#include <string.h>

#include "bnb/proof.h"
#include "bnb/run.h"
#include "bnb/search.h"
#include "bnb/separate.h"

#define MIN_EFFICACY 1e-4                               /* of a cut */
enum { GOMORY_ROWS_ROOT = 200, GOMORY_ROWS_NODE = 40 }; /* tableau rows tried in a round */

static bnb_row_view model_row_view(const bnb_instance *in, int r)
{
    const int first = in->rows.start[r];
    return (bnb_row_view){in->rows.start[r + 1] - first, in->rows.col + first,
                          in->rows.value + first,        in->model->row_lower[r],
                          in->model->row_upper[r],       in->row_integral[r]};
}

/* Adds the activities of all rows at c->x, then their duals c->y, to values (extent 2 all_rows,
 * zero). The solver's own values may belong to another point. */
static void fill_activities(const bnb_context *c, double *values)
{
    const bnb_separation *s = &c->separation;
    const lp_model *m = lp_solver_model(c->lp.solver);
    for (int j = 0; j < m->cols; j++)
        for (int k = m->start[j]; c->x[j] != 0.0 && k < m->start[j + 1]; k++)
            values[m->index[k]] += m->value[k] * c->x[j];
    for (int k = 0; k < s->all_rows - s->rows; k++)
        values[s->rows + k] = bnb_poolcut_activity(c->in->lazy[k], c->x);
    if (s->rows > 0)
        memcpy(values + s->all_rows, c->y, (size_t)s->rows * sizeof *values);
}

/* Prepares c->separation for the LP, with new arrays `row` and `activity`. */
static void prepare_rows(bnb_context *c)
{
    bnb_separation *s = &c->separation;
    const bnb_relaxation *lp = &c->lp;
    const int rows = lp->model_rows + lp->cuts;
    const int lazy = c->in->model->rows - c->in->core_rows;
    bnb_row_view *view = base_malloc((size_t)(rows + lazy) + 1, sizeof *view);
    for (int r = 0; r < lp->model_rows; r++)
        view[r] = model_row_view(c->in, r);
    for (int k = 0; k < lp->cuts; k++) {
        const bnb_poolcut *cut = lp->cut[k];
        view[lp->model_rows + k] =
            (bnb_row_view){cut->count, cut->col, cut->value, cut->lower, cut->upper, cut->integral};
    }
    for (int k = 0; k < lazy; k++)
        view[rows + k] = model_row_view(c->in, c->in->core_rows + k);
    bnb_separation_drop_cuts(s);
    s->lower = c->node->depth == 0 ? c->domain.lower : c->search->lower;
    s->upper = c->node->depth == 0 ? c->domain.upper : c->search->upper;
    s->x = c->x;
    s->rows = rows;
    s->all_rows = rows + lazy;
    s->row = view;
    double *values = base_calloc(2 * (size_t)s->all_rows + 1, sizeof *values);
    fill_activities(c, values);
    s->activity = values;
    s->dual = values + s->all_rows;
    s->min_efficacy = MIN_EFFICACY;
    s->derives = c->search->params.proof != NULL;
}

static void separate_pool(bnb_context *c)
{
    for (int k = 0; k < c->pool.count; k++) {
        bnb_poolcut *cut = c->pool.item[k].cut;
        if (bnb_poolcut_efficacy(cut, c->x) > c->separation.min_efficacy &&
            !bnb_relaxation_has(&c->lp, cut)) {
            bnb_poolcut_hold(cut);
            bnb_separation_store(&c->separation, cut);
        }
    }
}

static void separate_user(bnb_context *c)
{
    const bnb_callbacks *cb = c->search->callbacks;
    if (!cb->separate)
        return;
    double *full = bnb_instance_expand(c->in, c->x);
    c->separating = true;
    cb->separate(cb->user, c, full);
    c->separating = false;
    base_free(full);
}

/* Gives a new cut its id, reports it, and adds it to the pool of every thread. */
static void publish_cut(bnb_context *c, bnb_poolcut *cut)
{
    if (cut->id >= 0)
        return;
    cut->id = atomic_fetch_add(&c->search->next_cut_id, 1);
    bnb_proof_cut(c, cut); /* before another event names the cut */
    if (bnb_pool_add(&c->pool, cut))
        bnb_post(c, (bnb_message){.cut = cut});
}

int bnb_separate(bnb_context *c, int limit, int max_age)
{
    const bnb_tuning *p = &c->search->params.tuning;
    bnb_separation *s = &c->separation;
    prepare_rows(c);
    base_work_count(30 * (size_t)c->in->model->start[c->in->model->cols]);
    bnb_pool_age(&c->pool, c->x);
    separate_pool(c);
    separate_user(c);
    if (p->cuts_mir && !bnb_stopped(c))
        bnb_separate_rows(s);
    if (p->cuts_gomory && lp_last_status(c->lp.solver) == LP_OPTIMAL && !bnb_stopped(c))
        bnb_separate_gomory(s, c->lp.solver,
                            c->node->depth == 0 ? GOMORY_ROWS_ROOT : GOMORY_ROWS_NODE);
    int *chosen = base_malloc((size_t)s->cuts + 1, sizeof *chosen);
    const int count = bnb_separation_choose(s, limit, chosen);
    bnb_poolcut **cut = base_malloc((size_t)count + 1, sizeof(bnb_poolcut *));
    for (int k = 0; k < count; k++) {
        cut[k] = s->cut[chosen[k]];
        publish_cut(c, cut[k]);
    }
    if (count > 0 && lp_last_status(c->lp.solver) == LP_OPTIMAL)
        bnb_relaxation_age(c, max_age);
    bnb_relaxation_add_cuts(&c->lp, cut, count);
    atomic_fetch_add(&c->search->cuts, count);
    if (c->thread == 0)
        atomic_store(&c->search->cuts_in_lp, c->lp.cuts);
    bnb_separation_drop_cuts(s);
    base_free_all(chosen, cut, s->row, s->activity);
    s->row = NULL;
    return count;
}
