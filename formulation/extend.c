/* Extends duals. Rows that both models have keep their multipliers. Then repairs raise the
 * multipliers of other rows so that few missing columns have a negative reduced cost.
 *
 * A row is <= 0 as a rule. A higher multiplier raises the reduced costs of its columns with
 * positive entries, and lowers them for negative entries. The comments say that the latter columns
 * "pay": they can pay as much as their reduced cost. Repairs go through releases, residency along
 * time, transfers and recomputations. */
#include "formulation/extend.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formulation/internal.h"
#include "formulation/key.h"

struct extension {
    const formulation *small, *whole;
    key_table rows; /* of the whole model */
    int *row_of;    /* row of the whole model for each row of the small one; -1: none */
    bool *shared;   /* extent whole rows: has a twin in the small model */
    int *source_c, *source_p, *used_r, *used_s, *stored_in, *free_keep; /* by cell, -1: none */
    int *tight;         /* by row: extension_basic_column */
    lp_by_rows by_rows; /* the whole model */
};

/* ---- set-up -------------------------------------------------------------------- */

static int *cell_rows(const formulation *f, int kind)
{
    int n = f->problem->graph->n;
    int *row = formulation_none((size_t)n * (size_t)n);
    for (int r = 0; r < f->model->rows; r++)
        if (f->row[r].kind == kind)
            row[cell_index(f, f->row[r].t, f->row[r].i)] = r;
    return row;
}

extension *extension_create(const formulation *whole)
{
    extension *e = base_calloc(1, sizeof *e);
    e->whole = whole;
    e->shared = base_malloc((size_t)whole->model->rows + 1, sizeof *e->shared);
    e->rows = key_table_create(whole->row, whole->model->rows);
    e->tight = base_malloc((size_t)whole->model->rows + 1, sizeof *e->tight);
    e->source_c = cell_rows(whole, ROW_SOURCE_C);
    e->source_p = cell_rows(whole, ROW_SOURCE_P);
    e->used_r = cell_rows(whole, ROW_USED_R);
    e->used_s = cell_rows(whole, ROW_USED_S);
    e->stored_in = cell_rows(whole, ROW_STORED_IN);
    e->free_keep = cell_rows(whole, ROW_FREE_KEEP);
    e->by_rows = lp_model_by_rows(whole->model);
    return e;
}

int extension_basic_column(const extension *e, formulation_key key)
{
    int row = key_table_find_row(&e->rows, key);
    return row >= 0 && !e->shared[row] ? e->tight[row] : -1;
}

void extension_restrict(extension *e, const formulation *restricted)
{
    e->small = restricted;
    e->row_of = base_realloc(e->row_of, (size_t)restricted->model->rows + 1, sizeof *e->row_of);
    memset(e->shared, 0, (size_t)e->whole->model->rows * sizeof *e->shared);
    for (int r = 0; r < restricted->model->rows; r++) {
        int twin = key_table_find_row(&e->rows, restricted->row[r]);
        e->row_of[r] = twin;
        if (twin >= 0)
            e->shared[twin] = true;
    }
}

void extension_free(extension *e)
{
    if (!e)
        return;
    key_table_free(&e->rows);
    lp_by_rows_free(&e->by_rows);
    base_free_all(e->row_of, e->tight, e->shared, e->source_c, e->source_p, e->used_r, e->used_s,
                  e->stored_in, e->free_keep, e);
}

/* ---- repairs ----------------------------------------------------------------------- */

typedef struct repair {
    const extension *e;
    const formulation *f; /* the whole model */
    double *y, *d;
} repair;

/* Raises the multiplier of a row (bounded above: y falls) and updates the reduced costs. */
static void raise_row(repair *r, int row, double amount)
{
    const extension *e = r->e;
    r->y[row] -= amount;
    for (int q = e->by_rows.start[row]; q < e->by_rows.start[row + 1]; q++)
        r->d[e->by_rows.col[q]] += amount * e->by_rows.value[q];
}

/* Raises the multiplier until the negative reduced cost of the column is 0. */
static void remove_gain(repair *r, int row, int col)
{
    raise_row(r, row, -r->d[col]);
    r->e->tight[row] = col;
}

/* The rows C[t+1] <= C[t] + R[t] and R[t] <= C[t+1] + ... add up to a weaker row without R[t] and
 * C[t+1]. So the part of their multipliers that both rows have in common only lowers the reduced
 * costs of the other columns, above all of C[t]. This part is removed; no reduced cost falls. The
 * same for P and In. */
static void cancel_common(repair *r, int source, int back)
{
    if (source < 0 || back < 0)
        return;
    double common = fmin(-r->y[source], -r->y[back]);
    if (common <= 0)
        return;
    raise_row(r, source, -common);
    raise_row(r, back, -common);
}

static void cancel_all(repair *r)
{
    size_t n = (size_t)r->f->problem->graph->n;
    for (size_t cell = 0; cell < n * n; cell++) {
        cancel_common(r, r->e->source_c[cell], r->e->used_r[cell]);
        cancel_common(r, r->e->source_p[cell], r->e->stored_in[cell]);
    }
}

/* Repairs a release with a negative reduced cost by its row free_use: the computation or page-out
 * that causes the release pays. */
static void repair_release(repair *r, int col)
{
    const lp_model *m = r->f->model;
    for (int q = col < 0 ? 0 : m->start[col]; col >= 0 && q < m->start[col + 1]; q++)
        if (r->d[col] < 0 && r->f->row[m->index[q]].kind == ROW_FREE_USE)
            remove_gain(r, m->index[q], col);
}

static void repair_releases(repair *r, int t, int i)
{
    const graph *g = r->f->problem->graph;
    repair_release(r, r->f->early_col[cell_index(r->f, t, i)]);
    for (int q = g->user_start[i]; q < g->user_start[i + 1] && g->user[q] < t; q++)
        repair_release(r, free_cell(r->f, t, q));
}

/* The least reduced cost of the releases of i in stage t. */
static double release_slack(const repair *r, int t, int i)
{
    const graph *g = r->f->problem->graph;
    int early = r->f->early_col[cell_index(r->f, t, i)];
    double slack = early >= 0 ? r->d[early] : INFINITY;
    for (int q = g->user_start[i]; q < g->user_start[i + 1] && g->user[q] < t; q++) {
        int col = free_cell(r->f, t, q);
        if (col >= 0)
            slack = fmin(slack, r->d[col]);
    }
    return slack;
}

/* Row free_keep of stage t links C and P of stage t+1 to C and P of stage t. If the kind `surplus`
 * has a positive reduced cost in t+1, the multiplier of the row is too high for this kind. The
 * amount moves to the row source_c or source_p of the other kind. */
static void shift_to_link(repair *r, int t, int i, cell_kind surplus)
{
    size_t cell = cell_index(r->f, t, i);
    int keep = r->e->free_keep[cell];
    int link = surplus == CELL_P ? r->e->source_c[cell] : r->e->source_p[cell];
    int col = cell_col(r->f, surplus, t + 1, i);
    if (keep < 0 || link < 0 || r->y[keep] >= 0)
        return;
    double amount = fmin(-r->y[keep], release_slack(r, t, i));
    if (col >= 0)
        amount = fmin(amount, r->d[col]);
    if (amount <= 0)
        return;
    raise_row(r, keep, -amount);
    raise_row(r, link, amount);
}

/* The amount that the uses of i in stage t, and its page-out there, can still pay. */
static double use_slack(const repair *r, int t, int i)
{
    const extension *e = r->e;
    int row = e->used_s[cell_index(r->f, t, i)];
    double slack = INFINITY;
    for (int q = e->by_rows.start[row]; q < e->by_rows.start[row + 1]; q++) {
        formulation_key key = r->f->column[e->by_rows.col[q]];
        if (e->by_rows.value[q] < 0 && key.kind != COLUMN_C && key.kind != COLUMN_P)
            slack = fmin(slack, r->d[e->by_rows.col[q]]);
    }
    return slack;
}

/* Repairs a missing cell C[t] with a negative reduced cost that comes from row used_s of stage t-1:
 * "S[t-1] <= uses in t-1 + S[t]". The rows used_s of stage t and of later stages are raised
 * together, so that the uses of these stages pay, up to the least that they all can pay. */
static void pass_on(repair *r, int t, int i)
{
    const extension *e = r->e;
    int n = r->f->problem->graph->n, before = e->used_s[cell_index(r->f, t - 1, i)], end = t;
    int col = cell_col(r->f, CELL_C, t, i);
    if (col < 0 || cell_col(e->small, CELL_C, t, i) >= 0 || r->d[col] >= 0 || before < 0)
        return;
    double amount = fmin(-r->d[col], -r->y[before]);
    for (; end < n && amount > 0; end++) {
        int next = end + 1 < n ? cell_col(r->f, CELL_C, end + 1, i) : -1;
        if (e->used_s[cell_index(r->f, end, i)] < 0)
            return;
        amount = fmin(amount, use_slack(r, end, i));
        if (next < 0 || r->d[next] >= amount)
            break;
    }
    for (int s = t; s <= end && amount > 0; s++) {
        int row = e->used_s[cell_index(r->f, s, i)];
        raise_row(r, row, amount);
        e->tight[row] = cell_col(r->f, CELL_C, s, i);
    }
}

/* Repairs a residency cell with a negative reduced cost by its row source_c or source_p, if the
 * small model lacks this row: the stage before pays. */
static void pass_back(repair *r, int t, int i, cell_kind kind)
{
    const int *source = kind == CELL_C ? r->e->source_c : r->e->source_p;
    int col = cell_col(r->f, kind, t, i);
    int link = source[cell_index(r->f, t - 1, i)];
    if (col >= 0 && link >= 0 && !r->e->shared[link] && r->d[col] < 0)
        remove_gain(r, link, col);
}

/* Residency, backwards in time. */
static void repair_chains(repair *r, int i)
{
    for (int t = r->f->problem->graph->n - 1; t > i + 1; t--) {
        shift_to_link(r, t - 1, i, CELL_P);
        shift_to_link(r, t - 1, i, CELL_C);
        pass_back(r, t, i, CELL_C);
        pass_back(r, t, i, CELL_P);
    }
}

/* The amount that the row's columns of the small model, without residency, can still pay. */
static double shared_slack(const repair *r, int row)
{
    const extension *e = r->e;
    double slack = INFINITY;
    for (int q = e->by_rows.start[row]; q < e->by_rows.start[row + 1]; q++) {
        formulation_key key = r->f->column[e->by_rows.col[q]];
        const bool is_kept = key.kind == COLUMN_C || key.kind == COLUMN_P;
        const bool lacks =
            key.kind < CELL_KINDS && cell_col(e->small, (cell_kind)key.kind, key.t, key.i) < 0;
        if (e->by_rows.value[q] < 0 && !is_kept && !lacks)
            slack = fmin(slack, r->d[e->by_rows.col[q]]);
    }
    return slack;
}

/* The same for a stage within the run for which the small model has the row used_s. It has the row
 * if the cells of the other kind are not merged there. Only columns of the small model limit the
 * amount. Both rows have right side 0, so the bound does not fall. Missing columns may get a
 * negative reduced cost and are then requested. */
static void repair_within(repair *r, int col, int used, int back)
{
    if (used < 0 || back < 0 || r->d[col] >= 0)
        return;
    const double slack = fmin(shared_slack(r, used), shared_slack(r, back));
    const double amount = fmin(-r->d[col], slack);
    if (amount <= 0)
        return;
    raise_row(r, used, amount);
    raise_row(r, back, amount);
}

/* A run is a merged residency column of the small model: several stages of the full model. The
 * stages at its end pay for negative reduced costs at its start. */
static void repair_runs(repair *r, int i, cell_kind kind)
{
    const graph *g = r->f->problem->graph;
    const int *other = kind == CELL_C ? r->e->source_p : r->e->source_c;
    const int *small = r->e->small->cell[kind];
    for (int t = i + 1; t + 1 < g->n; t++) {
        int col = cell_col(r->f, kind, t, i), twin = small[cell_index(r->f, t, i)];
        int used = r->e->used_s[cell_index(r->f, t, i)];
        if (col < 0 || twin < 0 || twin != small[cell_index(r->f, t + 1, i)])
            continue;
        if (used >= 0 && !r->e->shared[used] && r->d[col] < 0) {
            double amount = -r->d[col];
            remove_gain(r, used, col);
            /* The row holds both kinds: the other kind gets back the amount it was charged. */
            int back = other[cell_index(r->f, t, i)];
            if (back >= 0 && !r->e->shared[back])
                raise_row(r, back, amount);
        } else if (used >= 0 && r->e->shared[used]) {
            repair_within(r, col, used, other[cell_index(r->f, t, i)]);
        }
    }
}

/* The amount that the columns with a negative entry in the row can still pay; limit: the first
 * column that is used up. */
static double row_slack(const repair *r, int row, int *limit)
{
    const extension *e = r->e;
    double slack = INFINITY;
    for (int q = e->by_rows.start[row]; q < e->by_rows.start[row + 1]; q++)
        if (e->by_rows.value[q] < 0 && r->d[e->by_rows.col[q]] / -e->by_rows.value[q] < slack) {
            slack = r->d[e->by_rows.col[q]] / -e->by_rows.value[q];
            *limit = e->by_rows.col[q];
        }
    return slack;
}

/* Repairs a missing column with a negative reduced cost by a row in which it has a positive
 * entry, as far as the other columns of the row can pay. Rows that pay with a constant are left
 * out: the payment would lower the bound, and the column would not show up as wanted. */
static void repair_from(repair *r, int col, int row)
{
    if (r->d[col] >= 0 || r->f->model->row_upper[row] > 0)
        return;
    int limit = col;
    double slack = row_slack(r, row, &limit);
    if (slack >= -r->d[col]) {
        remove_gain(r, row, col);
    } else if (slack > 0) {
        raise_row(r, row, slack);
        r->e->tight[row] = limit;
    }
}

/* Repairs a missing action from the rows that limit it to its uses, in the order of row_pays. */
static void repair_action(repair *r, cell_kind kind, int t, int i)
{
    const lp_model *m = r->f->model;
    const int col = cell_col(r->f, kind, t, i);
    if (col < 0 || cell_col(r->e->small, kind, t, i) >= 0)
        return;
    for (row_pays turn = ROW_PAYS_FIRST; turn <= ROW_PAYS_LAST && r->d[col] < 0; turn++)
        for (int q = m->start[col]; q < m->start[col + 1]; q++)
            if (m->value[q] > 0 && formulation_rows[r->f->row[m->index[q]].kind].pays == turn)
                repair_from(r, col, m->index[q]);
}

/* Computes the reduced costs of the columns with an infinite d: of all columns, or of the columns
 * without a repair. */
static void reduced_costs(const extension *e, const event_cut_list *cuts, const double *cut_y,
                          const double *y, double *d)
{
    const lp_model *m = e->whole->model;
    double *sum = base_calloc((size_t)m->cols + 1, sizeof *sum);
    for (int c = 0; c < cuts->count; c++)
        for (int q = 0; q < cuts->cut[c].count && cut_y[c] != 0; q++)
            sum[cuts->cut[c].col[q]] -= cut_y[c] * cuts->cut[c].value[q];
    for (int j = 0; j < m->cols; j++) {
        if (d[j] < INFINITY)
            continue;
        d[j] = m->cost[j] + sum[j];
        for (int q = m->start[j]; q < m->start[j + 1]; q++)
            d[j] -= y[m->index[q]] * m->value[q];
    }
    base_free(sum);
}

void extension_apply(const extension *e, const double *upper, const double *y,
                     const event_cut_list *cuts, const double *cut_y, double *y_whole, double *d)
{
    const graph *g = e->whole->problem->graph;
    base_work_count(20 * (size_t)e->whole->model->start[e->whole->model->cols]);
    memset(y_whole, 0, (size_t)e->whole->model->rows * sizeof *y_whole);
    for (int r = 0; r < e->small->model->rows; r++)
        if (e->row_of[r] >= 0)
            y_whole[e->row_of[r]] += y[r];
    for (int j = 0; j < e->whole->model->cols; j++)
        d[j] = INFINITY;
    reduced_costs(e, cuts, cut_y, y_whole, d);
    for (int j = 0; j < e->whole->model->cols; j++)
        if (upper[j] <= 0)
            d[j] = INFINITY;
    memset(e->tight, 0xff, (size_t)e->whole->model->rows * sizeof *e->tight);
    repair r = {e, e->whole, y_whole, d};
    cancel_all(&r);
    for (int t = 0; t < g->n; t++)
        for (int i = 0; i < t; i++)
            repair_releases(&r, t, i);
    for (int i = 0; i < g->n; i++) {
        for (int t = i + 2; t < g->n; t++)
            pass_on(&r, t, i);
        repair_chains(&r, i);
        repair_runs(&r, i, CELL_C);
        repair_runs(&r, i, CELL_P);
    }
    for (int t = 0; t < g->n; t++)
        for (int i = t - 1; i >= 0; i--) {
            repair_action(&r, CELL_IN, t, i);
            repair_action(&r, CELL_OUT, t, i);
            repair_action(&r, CELL_R, t, i);
        }
    reduced_costs(e, cuts, cut_y, y_whole, d);
}
