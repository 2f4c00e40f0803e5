/* The order of the reductions, the reduced model, and the way of a solution back. */
#include <assert.h>
#include <string.h>

#include "lp/presolve/presolve_internal.h"

/* Looks at rows and columns until nothing is left to look at. */
static void drain_queues(lp_presolve *p)
{
    while ((p->row_queue.count > 0 || p->col_queue.count > 0) && !lp_presolve_done(p)) {
        for (int k = p->row_queue.count; k > 0 && !lp_presolve_done(p); k--) {
            int r = lp_presolve_take(&p->row_queue);
            if (!p->row_gone[r])
                lp_presolve_row(p, r);
        }
        for (int k = p->col_queue.count; k > 0 && !lp_presolve_done(p); k--) {
            int j = lp_presolve_take(&p->col_queue);
            if (!p->col_gone[j])
                lp_presolve_col(p, j);
        }
    }
}

static void reduce(lp_presolve *p)
{
    for (int r = 0; r < p->rows; r++)
        lp_presolve_touch_row(p, r);
    for (int j = 0; j < p->cols; j++)
        lp_presolve_touch_col(p, j);
    for (int round = 0; round < p->tuning.presolve_rounds && !lp_presolve_done(p); round++) {
        int before = p->records;
        drain_queues(p);
        if (!lp_presolve_done(p))
            lp_presolve_dominated(p);
        drain_queues(p);
        if (round > 0 && p->records == before)
            break;
        if (!lp_presolve_done(p))
            lp_presolve_parallel_rows(p);
        if (!lp_presolve_done(p))
            lp_presolve_parallel_cols(p);
        drain_queues(p);
    }
}

lp_presolve *lp_presolve_create(const lp_model *m, const lp_tuning *tuning,
                                const base_limits *limits)
{
    lp_presolve *p = base_calloc(1, sizeof *p);
    p->model = m;
    if (limits)
        p->limits = *limits;
    p->tuning = tuning ? *tuning : lp_tuning_default();
    p->work_limit = p->tuning.presolve_work * ((double)m->start[m->cols] + m->rows + m->cols) + 1e4;
    lp_presolve_load(p);
    reduce(p);
    return p;
}

void lp_presolve_free(lp_presolve *p)
{
    if (!p)
        return;
    lp_presolve_unload(p);
    base_free(p);
}

base_stop lp_presolve_stopped(const lp_presolve *p)
{
    return p->stop;
}

bool lp_presolve_failed(const lp_presolve *p)
{
    return p->failed;
}

lp_presolve_size lp_presolve_reduced_size(const lp_presolve *p)
{
    return (lp_presolve_size){p->rows_left, p->cols_left, p->entries_left, p->records};
}

lp_model *lp_presolve_take_model(lp_presolve *p)
{
    lp_model *m = lp_model_create();
    int *number = base_malloc((size_t)p->rows + 1, sizeof *number);
    int *rows = base_malloc((size_t)p->rows + 1, sizeof *rows);
    double *values = base_malloc((size_t)p->rows + 1, sizeof *values);
    m->maximize = p->model->maximize;
    m->offset = p->offset;
    for (int r = 0; r < p->rows; r++)
        if (!p->row_gone[r])
            number[r] = lp_model_add_row(m, p->row_lower[r], p->row_upper[r], NULL);
    for (int j = 0; j < p->cols; j++) {
        if (p->col_gone[j])
            continue;
        int count = 0;
        for (int e = p->col_first[j]; e >= 0; e = p->col_next[e]) {
            rows[count] = number[p->row[e]];
            values[count++] = p->value[e];
        }
        lp_model_add_col(m, p->cost[j], p->lower[j], p->upper[j], false, count, rows, values, NULL);
    }
    base_free(number);
    base_free(rows);
    base_free(values);
    lp_presolve_free_entries(p);
    return m;
}

/* ---- the way back ---------------------------------------------------------------------- */

/* A nonbasic status that postsolve understands. */
static unsigned char plain_status(unsigned char status, double dual, bool equal)
{
    if (status == LP_FIXED || (equal && status != LP_BASIC))
        return dual >= 0.0 ? LP_AT_LOWER : LP_AT_UPPER;
    return status;
}

/* The status of a nonbasic variable by its bounds in the model. */
static unsigned char final_status(unsigned char status, double lower, double upper)
{
    if (status == LP_BASIC)
        return status;
    if (lower == upper)
        return LP_FIXED;
    if (isinf(lower) && isinf(upper))
        return LP_FREE;
    if (isinf(lower))
        return LP_AT_UPPER;
    if (isinf(upper))
        return LP_AT_LOWER;
    return status == LP_AT_UPPER ? LP_AT_UPPER : LP_AT_LOWER;
}

void lp_presolve_restore(const lp_presolve *p, const lp_point *from, lp_point *to)
{
    const lp_model *m = p->model;
    int col = 0, row = 0;
    memset(to->x, 0, (size_t)p->cols * sizeof *to->x);
    memset(to->d, 0, (size_t)p->cols * sizeof *to->d);
    memset(to->y, 0, (size_t)p->rows * sizeof *to->y);
    for (int j = 0; j < p->cols; j++) {
        to->basis[j] = LP_AT_LOWER;
        if (p->col_gone[j])
            continue;
        to->x[j] = from->x[col];
        to->d[j] = from->d[col];
        to->basis[j] = plain_status(from->basis[col], from->d[col], p->lower[j] == p->upper[j]);
        col++;
    }
    for (int r = 0; r < p->rows; r++) {
        to->basis[p->cols + r] = LP_BASIC;
        if (p->row_gone[r])
            continue;
        to->y[r] = from->y[row];
        to->basis[p->cols + r] = plain_status(from->basis[p->cols_left + row], from->y[row],
                                              p->row_lower[r] == p->row_upper[r]);
        row++;
    }
    lp_presolve_undo(p, to, false);
    for (int j = 0; j < p->cols; j++)
        to->basis[j] = final_status(to->basis[j], m->lower[j], m->upper[j]);
    for (int r = 0; r < p->rows; r++)
        to->basis[p->cols + r] =
            final_status(to->basis[p->cols + r], m->row_lower[r], m->row_upper[r]);
}
