/* Decides on restarts, presolves the search's instance, and carries data from the old root to the
 * new one: cuts, basis and pseudo-costs. Also chooses the rows that stay in the LPs. */
#include <string.h>

#include "bnb/log.h"
#include "bnb/model/presolve.h"
#include "bnb/restart.h"
#include "bnb/search.h"

enum { MOST_RESTARTS = 8 };
#define FIXED_SHARE 0.1 /* share of the columns that must be fixed for a restart */
#define TWIN_SHARE 0.05 /* least number of rows that order twins, as a part of the columns */

bool bnb_restart_allowed(const bnb_search *s)
{
    return s->params.tuning.restarts && s->restarts < MOST_RESTARTS;
}

bool bnb_many_fixed(const bnb_context *c)
{
    const lp_model *m = c->in->model;
    const bnb_tuning *p = &c->search->params.tuning;
    int fixed = 0, open = 0;
    /* Columns fixed before do not count: presolve had no time to remove them. */
    for (int j = 0; j < m->cols; j++) {
        const bool now = c->domain.lower[j] == c->domain.upper[j];
        open += !now;
        fixed += now && m->lower[j] < m->upper[j];
    }
    return open > p->restart_cols && fixed > (int)(FIXED_SHARE * m->cols);
}

bool bnb_restart_pays(const bnb_context *c)
{
    const lp_model *m = c->in->model;
    const bnb_search *s = c->search;
    const int lazy = s->params.tuning.lazy_rows;
    /* Once, to make rows with a basic slack lazy. */
    const bool slack = s->restarts == 0 && lazy > 0 && m->rows / 5 > lazy && m->rows > 2 * m->cols;
    return bnb_restart_allowed(s) && (slack || bnb_many_fixed(c));
}

/* Puts row from[r] in place of row r (a permutation). */
static void permute_rows(lp_model *m, const int *from)
{
    lp_row_list rows = {0};
    bool *all = base_malloc((size_t)m->rows + 1, sizeof *all);
    lp_by_rows a = lp_model_by_rows(m);
    for (int r = 0; r < m->rows; r++) {
        for (int k = a.start[from[r]]; k < a.start[from[r] + 1]; k++)
            lp_row_list_add(&rows, a.col[k], a.value[k]);
        lp_row_list_end(&rows, m->row_lower[from[r]], m->row_upper[from[r]]);
        all[r] = true;
    }
    lp_model_delete_rows(m, all);
    lp_model_add_rows(m, rows.count, rows.lower, rows.upper, rows.start, rows.col, rows.value,
                      NULL);
    base_free(all);
    lp_by_rows_free(&a);
    lp_row_list_free(&rows);
}

/* Puts rows first that the root's basis or duals need, and equations. Returns their number, or
 * the number of all rows if at least half are needed. */
static int order_rows(bnb_presolved *p, const bnb_carried *old, int old_cols)
{
    lp_model *m = p->model;
    int *from = base_malloc((size_t)m->rows + 1, sizeof *from);
    int core = 0, lazy = m->rows - p->twins;
    for (int r = 0; r < m->rows; r++) {
        const int row = p->to_row[r];
        const bool needed =
            row >= 0 && (m->row_lower[r] == m->row_upper[r] ||
                         old->basis[old_cols + row] != LP_BASIC || (old->y && old->y[row] != 0));
        from[row < 0 ? r : needed ? core++ : --lazy] = r;
    }
    if (core < m->rows / 2) {
        permute_rows(m, from);
        for (int r = 0; r < m->rows; r++)
            from[r] = p->to_row[from[r]];
        memcpy(p->to_row, from, (size_t)m->rows * sizeof *from);
    } else {
        core = m->rows;
    }
    base_free(from);
    return core;
}

/* Reduces the basic variables that remain to at most the number of rows that presolve leaves. */
static void shrink_basis(const lp_model *m, const bnb_presolved *p, bnb_carried *old)
{
    bool *kept = base_calloc((size_t)(m->cols + m->rows) + 1, sizeof *kept);
    int excess = 0;
    for (int j = 0; j < p->model->cols; j++)
        kept[p->to_col[j]] = true;
    for (int r = 0; r < p->model->rows; r++)
        if (p->to_row[r] >= 0) {
            kept[m->cols + p->to_row[r]] = true;
            excess--;
        }
    for (int v = 0; v < m->cols + m->rows; v++)
        excess += kept[v] && old->basis[v] == LP_BASIC;
    if (excess > 0)
        lp_basis_shrink(m, kept, old->x, excess, old->basis);
    base_free(kept);
}

/* Projects the cuts to the new model and keeps the duals of the remaining ones. */
static void carry_cuts(bnb_carried *old, const lp_model *before, const bnb_presolved *p,
                       const int *from)
{
    int kept = 0;
    for (int k = 0; k < old->cuts; k++) {
        bnb_poolcut *c = old->cut[k];
        const bnb_cut view = {c->count, c->col, c->value, c->lower, c->upper, c->tag};
        bnb_poolcut *cut = bnb_poolcut_project(p->model, &view, from, p->removed, c->kind);
        if (cut) {
            cut->id = c->id;
            if (old->y)
                old->y[before->rows + kept] = old->y[before->rows + k];
            old->cut[kept++] = cut;
        }
        bnb_poolcut_release(c);
    }
    old->cuts = kept;
}

/* Maps the carried data of columns, rows and cuts to the presolved model. from: the new column of
 * each old column; -1: removed. */
static void carry_through(bnb_carried *old, const lp_model *before, const bnb_presolved *p,
                          const int *from)
{
    const int cols = p->model->cols, rows = p->model->rows;
    carry_cuts(old, before, p, from);
    shrink_basis(before, p, old);
    for (int j = 0; j < cols; j++) {
        old->x[j] = old->x[p->to_col[j]];
        old->basis[j] = old->basis[p->to_col[j]];
        for (int i = 0; i < 2; i++)
            old->pseudo.col[i][j] = old->pseudo.col[i][p->to_col[j]];
    }
    unsigned char *status = base_malloc((size_t)rows + 1, sizeof *status);
    double *y = old->y ? base_malloc((size_t)(rows + old->cuts) + 1, sizeof *y) : NULL;
    for (int r = 0; r < rows; r++) {
        const int row = p->to_row[r];
        status[r] = row >= 0 ? old->basis[before->cols + row] : LP_BASIC;
        if (y)
            y[r] = row >= 0 ? old->y[row] : 0;
    }
    if (y)
        memcpy(y + rows, old->y + before->rows, (size_t)old->cuts * sizeof *y);
    old->basis = base_realloc(old->basis, (size_t)(cols + rows) + 1, sizeof *old->basis);
    memcpy(old->basis + cols, status, (size_t)rows);
    base_free(status);
    base_free(old->y);
    old->y = y;
}

bool bnb_counts_steps(const bnb_search *s)
{
    return !s->callbacks->accept && !s->params.proof;
}

bool bnb_order_pays(const bnb_context *c)
{
    const bnb_search *s = c->search;
    if (s->ordered || !bnb_restart_allowed(s) || !s->params.tuning.presolve || !bnb_counts_steps(s))
        return false;
    lp_model *m = lp_model_copy(c->in->model);
    memcpy(m->lower, s->lower, (size_t)m->cols * sizeof(double));
    memcpy(m->upper, s->upper, (size_t)m->cols * sizeof(double));
    bnb_presolved p = bnb_presolve(m, atomic_load(&s->cutoff), true, true, &s->params.limits);
    const bool pays = p.model && p.twins > (int)(TWIN_SHARE * p.model->cols);
    bnb_presolved_clear(&p);
    lp_model_free(m);
    return pays;
}

/* Copies the search's model without the rows that order twins. With them go the cuts, which may
 * rest on them. The bounds stay: some optimum of the copy meets them. */
static lp_model *unordered_model(const bnb_search *s, bnb_carried *old)
{
    lp_model *m = lp_model_copy(s->in->model);
    if (s->twins == 0)
        return m;
    bool *drop = base_calloc((size_t)m->rows + 1, sizeof *drop);
    for (int r = m->rows - s->twins; r < m->rows; r++)
        drop[r] = true;
    lp_model_delete_rows(m, drop);
    base_free(drop);
    while (old->cuts > 0)
        bnb_poolcut_release(old->cut[--old->cuts]);
    return m;
}

bool bnb_presolve_search(bnb_search *s, bnb_carried *old)
{
    const bnb_instance *in = s->in;
    const bool dual = !s->callbacks->accept;      /* which may refuse the optima that are kept */
    const bool plainly = s->params.proof != NULL; /* a proof refers to the caller's rows */
    lp_model *m = unordered_model(s, old);
    bnb_presolved p =
        plainly ? bnb_presolve_plainly(m)
                : bnb_presolve(m, atomic_load(&s->cutoff), dual, s->ordered, &s->params.limits);
    if (!p.model) {
        bnb_presolved_clear(&p);
        lp_model_free(m);
        return false;
    }
    const int old_cols = in->model->cols, full = in->original_cols;
    double *removed = base_copy(in->removed, (size_t)full, sizeof *removed);
    int *from = base_malloc((size_t)old_cols + 1, sizeof *from);
    for (int j = 0; j < old_cols; j++) {
        from[j] = -1;
        removed[in->to_original[j]] = p.removed[j];
    }
    for (int j = 0; j < p.model->cols; j++)
        from[p.to_col[j]] = j;
    int core = p.model->rows;
    if (old && s->params.tuning.lazy_rows > 0 && core >= s->params.tuning.lazy_rows)
        core = order_rows(&p, old, old_cols);
    if (old)
        carry_through(old, m, &p, from);
    lp_model_free(m);
    for (int j = 0; j < p.model->cols; j++)
        p.to_col[j] = in->to_original[p.to_col[j]];
    for (int r = 0; plainly && in->to_row && r < p.model->rows; r++)
        p.to_row[r] = in->to_row[p.to_row[r]];
    bnb_instance_free(s->in);
    s->in = bnb_instance_create(p.model, core, full, p.to_col, removed, bnb_counts_steps(s));
    s->twins = p.twins;
    bnb_log_text(s, "Presolved: %s (%d lazy), %s (%d integer), %s\n",
                 base_text_counted(p.model->rows, "row").text, p.model->rows - core,
                 base_text_counted(p.model->cols, "column").text, s->in->integers,
                 base_text_counted(p.model->start[p.model->cols], "entry").text);
    p.model = NULL; /* the instance's now, like to_col */
    p.to_col = NULL;
    if (plainly) {
        s->in->to_row = p.to_row;
        p.to_row = NULL;
    }
    bnb_presolved_clear(&p);
    base_free(from);
    return true;
}

bnb_carried bnb_carry_over(bnb_context *c)
{
    const int cols = c->in->model->cols, rows = c->in->model->rows, core = c->lp.model_rows;
    bnb_carried o = {.pseudo = c->pseudo};
    unsigned char *status = base_malloc((size_t)(cols + core + c->lp.cuts) + 1, sizeof *status);
    lp_get_basis(c->lp.solver, status);
    o.cut = base_malloc((size_t)c->lp.cuts + 1, sizeof(bnb_poolcut *));
    o.basis = base_malloc((size_t)(cols + rows) + 1, sizeof *o.basis);
    o.x = base_copy(c->x, (size_t)cols, sizeof *o.x);
    memcpy(o.basis, status, (size_t)cols + (size_t)core);
    memset(o.basis + cols + core, LP_BASIC, (size_t)(rows - core));
    const double *y = lp_last_status(c->lp.solver) == LP_OPTIMAL ? lp_dual(c->lp.solver) : NULL;
    if (y) {
        o.y = base_calloc((size_t)(rows + c->lp.cuts) + 1, sizeof *o.y);
        memcpy(o.y, y, (size_t)core * sizeof *o.y);
    }
    for (int k = 0; k < c->lp.cuts; k++) {
        bnb_poolcut *cut = c->lp.cut[k];
        if (y)
            o.y[cut->row >= 0 ? cut->row : rows + o.cuts] = y[core + k];
        if (cut->row >= 0) {
            o.basis[cols + cut->row] = status[cols + core + k];
            continue;
        }
        o.cut[o.cuts++] = cut;
        bnb_poolcut_hold(cut);
    }
    base_free(status);
    bnb_pseudo_init(&c->pseudo, 0); /* moved */
    return o;
}

bnb_carried bnb_carry_basis(const lp_model *m, const bnb_params *params)
{
    const size_t size = (size_t)m->cols + (size_t)m->rows;
    bnb_carried o = {0};
    o.cut = base_malloc(1, sizeof(bnb_poolcut *));
    o.basis = base_copy(params->basis, size, sizeof *o.basis);
    o.x = base_copy(params->point, (size_t)m->cols, sizeof *o.x);
    if (params->multipliers)
        o.y = base_copy(params->multipliers, (size_t)m->rows, sizeof *o.y);
    bnb_pseudo_init(&o.pseudo, m->cols);
    return o;
}

void bnb_put_back(bnb_context *c, bnb_carried *o)
{
    const int cols = c->in->model->cols, rows = c->in->core_rows;
    unsigned char *status = base_malloc((size_t)(cols + rows + o->cuts) + 1, sizeof *status);
    memcpy(status, o->basis, (size_t)cols + (size_t)rows);
    memset(status + cols + rows, LP_BASIC, (size_t)o->cuts);
    for (int k = 0; k < o->cuts; k++)
        bnb_pool_add(&c->pool, o->cut[k]);
    bnb_relaxation_add_cuts(&c->lp, o->cut, o->cuts);
    lp_set_basis(c->lp.solver, status);
    base_free(status);
    if (o->y) { /* of the basis, presolve keeps only a part; the duals choose the rest */
        double *y = base_malloc((size_t)(rows + o->cuts) + 1, sizeof *y);
        memcpy(y, o->y, (size_t)rows * sizeof *y);
        memcpy(y + rows, o->y + c->in->model->rows, (size_t)o->cuts * sizeof *y);
        const int pivots = lp_push_duals(c->lp.solver, y, o->x);
        c->node_iterations += pivots;
        atomic_fetch_add(&c->search->iterations, pivots);
        base_free(y);
    }
    const bnb_pseudo own = c->pseudo;
    c->pseudo = o->pseudo;
    o->pseudo = own;
    bnb_discard_carried(o);
}

void bnb_discard_carried(bnb_carried *o)
{
    for (int k = 0; k < o->cuts; k++)
        bnb_poolcut_release(o->cut[k]);
    base_free_all(o->cut, o->basis, o->x, o->y);
    bnb_pseudo_clear(&o->pseudo);
}
