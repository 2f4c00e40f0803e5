/* Rows and columns added, and rows deleted, in place. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lp/simplex/compute.h"
#include "lp/simplex/results.h"
#include "lp/simplex/saved.h"
#include "lp/simplex/scale.h"

/* ---- additions ------------------------------------------------------------ */

void lp_add_rows(lp_solver *s, int count, const double *lower, const double *upper,
                 const int *row_start, const int *cols, const double *values)
{
    if (count <= 0)
        return;
    int old = s->rows;
    lp_model_add_rows(s->model, count, lower, upper, row_start, cols, values, NULL);
    s->rows += count;
    s->vars += count;
    lp_engine_reserve(s, s->rows, s->vars);
    lp_engine_scale_matrix(s);
    for (int r = old; r < s->rows; r++) {
        int j = s->cols + r;
        s->unit[j] = 1.0;
        s->unit[j] = lp_scale_row(s, r);
        lp_engine_take_var(s, j);
        lp_engine_make_basic(s, j, r);
    }
    lp_engine_apply_units(s);
    lp_engine_make_vectors(s);
    lp_saved_free(s);
    lp_results_reset(s);
}

/* Moves the part of the logicals in an array of variables up by count places. */
#define SHIFT_LOGICALS(a)                                                                          \
    memmove(s->a + s->cols + count, s->a + s->cols, (size_t)s->rows * sizeof *s->a);

static void shift_logicals(lp_solver *s, int count)
{
    SHIFT_LOGICALS(unit)
    SHIFT_LOGICALS(cost)
    SHIFT_LOGICALS(lower)
    SHIFT_LOGICALS(upper)
    SHIFT_LOGICALS(status)
    SHIFT_LOGICALS(place)
    SHIFT_LOGICALS(value)
    SHIFT_LOGICALS(d)
    SHIFT_LOGICALS(work_cost)
    SHIFT_LOGICALS(lo)
    SHIFT_LOGICALS(up)
    SHIFT_LOGICALS(is_changed)
    for (int k = 0; k < s->changes; k++)
        if (s->changed[k] >= s->cols)
            s->changed[k] += count;
    for (int p = 0; p < s->rows; p++)
        if (s->head[p] >= s->cols)
            s->head[p] += count;
}

void lp_add_cols(lp_solver *s, int count, const double *cost, const double *lower,
                 const double *upper, const int *col_start, const int *rows, const double *values)
{
    if (count <= 0)
        return;
    int old = s->cols;
    lp_model *m = s->model;
    lp_engine_reserve(s, s->rows, s->vars + count);
    shift_logicals(s, count);
    s->cols += count;
    s->vars += count;
    for (int k = 0; k < count; k++) {
        int b = col_start[k], n = col_start[k + 1] - b;
        lp_model_add_col(m, cost[k], lower[k], upper[k], false, n, rows + b, values + b,
                         m->col_name ? "" : NULL);
    }
    lp_engine_scale_matrix(s);
    for (int j = old; j < s->cols; j++) {
        s->unit[j] = lp_scale_col(s, j);
        lp_engine_take_var(s, j);
        s->status[j] = fabs(s->lower[j]) > fabs(s->upper[j]) ? LP_AT_UPPER : LP_AT_LOWER;
    }
    lp_engine_apply_units(s);
    lp_engine_make_vectors(s);
    s->has_dual = false;
    lp_saved_free(s);
    lp_results_reset(s);
}

/* ---- deletions ------------------------------------------------------------ */

static void ensure_factor(lp_solver *s)
{
    if (!s->has_factor || lp_factor_is_worn(s->factor)) {
        s->has_primal = false;
        lp_engine_refactor(s);
    }
}

/* Makes the logical of row r basic in place of a variable that stays in the model. Sets the slack
 * basis if rounding leaves no pivot among such variables. */
static void bring_in_logical(lp_solver *s, int r, const bool *drop)
{
    ensure_factor(s);
    if (s->status[s->cols + r] == LP_BASIC) /* since the basis was repaired */
        return;
    lp_vector *column = &s->column;
    lp_vector_clear(column);
    lp_vector_add(column, r, 1.0);
    lp_factor_ftran(s->factor, column, &s->expected.column, true);
    int best = -1;
    for (int k = 0; k < column->count; k++) {
        int p = column->index[k], j = s->head[p];
        if (j >= s->cols && drop[j - s->cols])
            continue;
        if (best < 0 || fabs(column->value[p]) > fabs(column->value[best]))
            best = p;
    }
    if (best < 0) {
        lp_set_slack_basis(s);
        return;
    }
    lp_engine_btran_unit(s, best);
    int out = s->head[best];
    bool upper = s->lo[out] == -INFINITY && s->up[out] < INFINITY;
    lp_factor_update(s->factor, best, column->value[best]);
    lp_engine_exchange(s, best, s->cols + r, 0.0, upper);
    s->iterations--;
    s->weight[best] = 1.0;
    s->has_dual = s->has_primal = false;
}

/* Removes the variables j with gone[j] from all arrays, renumbers the basis and takes the counts
 * of the reduced model. */
static void compress(lp_solver *s, const bool *gone)
{
    int *number = base_malloc((size_t)s->vars + 1, sizeof *number), kept = 0;
    double *weight = base_malloc((size_t)s->vars + 1, sizeof *weight);
    for (int p = 0; p < s->rows; p++)
        weight[s->head[p]] = s->weight[p];
    for (int j = 0; j < s->vars; j++) {
        s->is_changed[j] = false;
        if (gone[j]) {
            double a = s->lower[j], b = s->upper[j];
            s->crossed -= a > b || a == INFINITY || b == -INFINITY;
            number[j] = -1;
            continue;
        }
        int k = number[j] = kept++;
        s->unit[k] = s->unit[j];
        s->cost[k] = s->work_cost[k] = s->cost[j];
        s->lower[k] = s->lo[k] = s->lower[j];
        s->upper[k] = s->up[k] = s->upper[j];
        s->status[k] = s->status[j];
        s->value[k] = s->value[j];
        s->scratch[k] = weight[j];
        s->d[k] = 0.0;
        s->place[k] = -1;
    }
    s->changes = 0;
    s->rows = s->model->rows;
    s->cols = s->model->cols;
    s->vars = kept;
    assert(kept == s->rows + s->cols);
    int p = 0;
    for (int j = 0; j < kept; j++) {
        if (s->status[j] != LP_BASIC)
            continue;
        assert(p < s->rows);
        lp_engine_make_basic(s, j, p);
        s->weight[p++] = s->scratch[j];
    }
    assert(p == s->rows);
    base_free(number);
    base_free(weight);
    lp_engine_scale_matrix(s);
    lp_engine_apply_units(s);
    lp_engine_make_vectors(s);
    s->perturbed = s->has_dual = false;
    lp_saved_free(s);
    lp_results_reset(s);
}

void lp_delete_rows(lp_solver *s, const bool *drop)
{
    bool *gone = base_calloc((size_t)s->vars + 1, sizeof *gone);
    bool any = false;
    for (int r = 0; r < s->rows; r++) {
        gone[s->cols + r] = drop[r];
        any |= drop[r];
    }
    for (int r = 0; any && r < s->rows; r++)
        if (drop[r] && s->status[s->cols + r] != LP_BASIC)
            bring_in_logical(s, r, drop);
    if (any) {
        lp_model_delete_rows(s->model, drop);
        compress(s, gone);
    }
    base_free(gone);
}
