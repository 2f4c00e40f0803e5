/* Creates the instance of a presolved model: step of the objective, rows, locks, variable bounds,
 * lazy rows, and the objective as a row for propagation against the cutoff. */
#include "bnb/model/instance.h"

#include "bnb/cut.h"
#include "bnb/model/domain.h"
#include "bnb/sum.h"

#include <assert.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- objective step ----------------------------------------------------- */

static long greatest_common_divisor(long a, long b)
{
    while (b != 0) {
        const long t = a % b;
        a = b;
        b = t;
    }
    return a;
}

/* Returns the greatest common divisor of scale * cost over all columns; 0: not all are integral.
 * *missed: bound on the objective error from scaled costs that are integral only up to rounding. */
static long scaled_cost_divisor(const lp_model *m, double scale, double *missed)
{
    long divisor = 0;
    *missed = 0.0;
    for (int j = 0; j < m->cols; j++) {
        const double scaled = fabs(m->cost[j]) * scale, whole = nearbyint(scaled);
        if ((whole == 0.0 && m->cost[j] != 0.0) || whole > 9e15 ||
            fabs(scaled - whole) > 1e-12 * whole)
            return 0;
        const double error = fabs(fma(fabs(m->cost[j]), scale, -whole)); /* exact where it is 0 */
        if (error > 0.0)
            *missed += 2.0 * error / scale * fmax(fabs(m->lower[j]), fabs(m->upper[j]));
        divisor = greatest_common_divisor((long)whole, divisor);
    }
    return divisor;
}

/* Returns a step such that every solution's objective is offset + a multiple of it, up to
 * *missed; 0: none. */
static double objective_step(const lp_model *m, double *missed)
{
    static const double scales[] = {1.0, 2.0, 4.0, 8.0, 16.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6};
    for (int j = 0; j < m->cols; j++)
        if (m->cost[j] != 0.0 && !m->integer[j])
            return 0.0;
    for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
        const long divisor = scaled_cost_divisor(m, scales[k], missed);
        const double step = (double)divisor / scales[k];
        if (divisor > 0)
            return *missed <= BNB_STEP_SHARE * step ? step : 0.0;
    }
    return 0.0;
}

/* ---- rows and locks ----------------------------------------------------- */

static void find_integral_rows(bnb_instance *in)
{
    const lp_model *m = in->model;
    for (int r = 0; r < m->rows; r++) {
        bool integral = true;
        for (int k = in->rows.start[r]; integral && k < in->rows.start[r + 1]; k++) {
            const double a = in->rows.value[k];
            integral = m->integer[in->rows.col[k]] && a == nearbyint(a) && fabs(a) < 1e9;
        }
        in->row_integral[r] = integral;
    }
}

static void count_locks(bnb_instance *in)
{
    const lp_model *m = in->model;
    for (int j = 0; j < m->cols; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            const int r = m->index[k];
            const bool has_lower = m->row_lower[r] > -LP_INFINITY;
            const bool has_upper = m->row_upper[r] < LP_INFINITY;
            in->down_locks[j] += m->value[k] > 0.0 ? has_lower : has_upper;
            in->up_locks[j] += m->value[k] > 0.0 ? has_upper : has_lower;
        }
}

/* Appends the objective as the last row, for propagation against the cutoff. */
static void append_objective_row(bnb_instance *in)
{
    const lp_model *m = in->model;
    int entries = in->rows.start[m->rows], costs = 0;
    for (int j = 0; j < m->cols; j++)
        costs += m->cost[j] != 0.0;
    in->rows.start = base_realloc(in->rows.start, (size_t)m->rows + 2, sizeof *in->rows.start);
    in->rows.col = base_realloc(in->rows.col, (size_t)(entries + costs) + 1, sizeof *in->rows.col);
    in->rows.value =
        base_realloc(in->rows.value, (size_t)(entries + costs) + 1, sizeof *in->rows.value);
    for (int j = 0; j < m->cols; j++)
        if (m->cost[j] != 0.0) {
            in->rows.col[entries] = j;
            in->rows.value[entries++] = m->cost[j];
        }
    in->rows.start[m->rows + 1] = entries;
}

static void map_columns(bnb_instance *in, int *to_original, double *removed)
{
    const int cols = in->model->cols;
    in->to_original = to_original;
    in->removed = removed;
    if (!to_original) {
        in->to_original = base_malloc((size_t)cols + 1, sizeof *in->to_original);
        for (int j = 0; j < cols; j++)
            in->to_original[j] = j;
    }
    if (!removed)
        in->removed = base_calloc((size_t)in->original_cols + 1, sizeof *in->removed);
    in->from_original = base_malloc((size_t)in->original_cols + 1, sizeof *in->from_original);
    for (int j = 0; j < in->original_cols; j++)
        in->from_original[j] = -1;
    for (int j = 0; j < cols; j++)
        in->from_original[in->to_original[j]] = j;
}

static void make_lazy_rows(bnb_instance *in)
{
    const lp_model *m = in->model;
    const int lazy = m->rows - in->core_rows;
    assert(lazy >= 0);
    in->lazy = base_malloc((size_t)lazy + 1, sizeof(bnb_poolcut *));
    for (int k = 0; k < lazy; k++) {
        const int r = in->core_rows + k, first = in->rows.start[r];
        in->lazy[k] =
            bnb_poolcut_create(m, in->rows.start[r + 1] - first, in->rows.col + first,
                               in->rows.value + first, m->row_lower[r], m->row_upper[r], "row");
        in->lazy[k]->id = 0; /* no cut of the pool */
        in->lazy[k]->row = r;
    }
}

bnb_instance *bnb_instance_create(lp_model *model, int core_rows, int original_cols,
                                  int *to_original, double *removed, bool detect_step)
{
    bnb_instance *in = base_calloc(1, sizeof *in);
    in->model = model;
    in->core_rows = core_rows;
    in->original_cols = original_cols;
    in->rows = lp_model_by_rows(model);
    in->row_integral = base_calloc((size_t)model->rows + 1, sizeof *in->row_integral);
    in->down_locks = base_calloc((size_t)model->cols + 1, sizeof *in->down_locks);
    in->up_locks = base_calloc((size_t)model->cols + 1, sizeof *in->up_locks);
    make_lazy_rows(in);
    find_integral_rows(in);
    count_locks(in);
    append_objective_row(in);
    for (int j = 0; j < model->cols; j++)
        in->integers += model->integer[j];
    in->step = detect_step ? objective_step(model, &in->step_missed) : 0.0;
    map_columns(in, to_original, removed);
    return in;
}

void bnb_instance_free(bnb_instance *in)
{
    for (int k = 0; k < in->model->rows - in->core_rows; k++)
        bnb_poolcut_release(in->lazy[k]);
    base_free(in->lazy);
    base_free(in->to_row);
    lp_model_free(in->model);
    lp_by_rows_free(&in->rows);
    base_free_all(in->row_integral, in->down_locks, in->up_locks, in->to_original,
                  in->from_original, in->removed, in);
}

double *bnb_instance_expand(const bnb_instance *in, const double *x)
{
    double *full = base_malloc((size_t)in->original_cols + 1, sizeof *full);
    for (int j = 0; j < in->original_cols; j++)
        full[j] = in->from_original[j] >= 0 ? x[in->from_original[j]] : in->removed[j];
    return full;
}
