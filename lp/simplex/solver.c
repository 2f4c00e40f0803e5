/* Life of a solver: creation, storage, parameters and bounds. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "lp/simplex/primal.h"

/* Every array of the solver with an extent of variables or rows. */
/* clang-format off */
#define VAR_ARRAYS(X)                                                                              \
    X(unit) X(cost) X(lower) X(upper) X(status) X(place) X(value) X(d) X(work_cost) X(lo) X(up)    \
    X(changed) X(is_changed) X(ratio_var) X(flips) X(ratio_alpha) X(ratio_dual) X(scratch)
#define ROW_ARRAYS(X)                                                                              \
    X(head) X(xb) X(lb) X(ub) X(infeasibility) X(weight) X(candidate) X(is_candidate)  \
    X(top) X(is_top)
/* clang-format on */

/* ---- storage -------------------------------------------------------------- */

void lp_engine_reserve(lp_solver *s, int rows, int vars)
{
    if (vars > s->var_space || !s->unit) {
        int space = s->var_space == 0 ? vars + 1 : vars + vars / 4 + 16;
#define GROW(a) s->a = base_realloc(s->a, (size_t)space, sizeof *s->a);
        VAR_ARRAYS(GROW)
        memset(s->is_changed + s->var_space, 0, (size_t)(space - s->var_space));
        s->var_space = space;
    }
    if (rows > s->row_space || !s->head) {
        int space = s->row_space == 0 ? rows + 1 : rows + rows / 4 + 16;
        ROW_ARRAYS(GROW)
        s->row_space = space;
    }
}

static void free_vectors(lp_solver *s)
{
    lp_vector *all[] = {&s->rho, &s->column, &s->tau, &s->flip, &s->alpha, &s->shift};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        lp_vector_free(all[i]);
}

void lp_engine_make_vectors(lp_solver *s)
{
    free_vectors(s);
    lp_vector *all[] = {&s->rho, &s->column, &s->tau, &s->flip, &s->shift};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        lp_vector_init(all[i], s->rows);
    lp_vector_init(&s->alpha, s->cols);
    s->work += s->factor ? lp_factor_work(s->factor) : 0.0;
    lp_factor_free(s->factor);
    s->factor = lp_factor_create(s->rows);
    s->has_factor = s->has_primal = false;
}

void lp_engine_scale_matrix(lp_solver *s)
{
    const lp_model *m = s->model;
    int entries = m->start[m->cols];
    lp_by_rows_free(&s->by_rows);
    s->by_rows = lp_model_by_rows(m);
    if (entries > s->a_space || !s->a_value) {
        s->a_space = entries + entries / 4 + 16;
        s->a_value = base_realloc(s->a_value, (size_t)s->a_space, sizeof *s->a_value);
    }
}

void lp_engine_apply_units(lp_solver *s)
{
    const lp_model *m = s->model;
    for (int j = 0; j < s->cols; j++)
        for (int e = m->start[j]; e < m->start[j + 1]; e++)
            s->a_value[e] = m->value[e] * s->unit[j] / s->unit[s->cols + m->index[e]];
    s->row_unit = 1.0;
    for (int r = 0; r < s->rows; r++) {
        s->row_unit = lp_max(s->row_unit, s->unit[s->cols + r]);
        for (int e = s->by_rows.start[r]; e < s->by_rows.start[r + 1]; e++)
            s->by_rows.value[e] =
                s->by_rows.value[e] * s->unit[s->by_rows.col[e]] / s->unit[s->cols + r];
    }
}

/* ---- scaled copies of the data of the model -------------------------------- */

static bool is_crossed(double lower, double upper)
{
    return lower > upper || lower == INFINITY || upper == -INFINITY;
}

/* Stores scaled bounds of variable j from unscaled ones (for a logical: of the activity). */
static void take_bounds(lp_solver *s, int j, double lower, double upper)
{
    assert(!(lower != lower) && !(upper != upper));
    if (j >= s->cols) { /* the logical is minus the activity */
        double minus = -lower;
        lower = -upper;
        upper = minus;
    }
    s->lower[j] = s->lo[j] = lower / s->unit[j];
    s->upper[j] = s->up[j] = upper / s->unit[j];
    s->crossed += is_crossed(lower, upper);
}

void lp_engine_take_var(lp_solver *s, int j)
{
    const lp_model *m = s->model;
    if (j < s->cols) {
        s->cost[j] = m->cost[j] * s->unit[j] * s->cost_unit;
        take_bounds(s, j, m->lower[j], m->upper[j]);
    } else {
        s->cost[j] = 0.0;
        take_bounds(s, j, m->row_lower[j - s->cols], m->row_upper[j - s->cols]);
    }
    s->work_cost[j] = s->cost[j];
    s->d[j] = 0.0;
    s->value[j] = 0.0;
    s->place[j] = -1;
    s->is_changed[j] = false;
}

void lp_engine_make_basic(lp_solver *s, int j, int p)
{
    s->status[j] = LP_BASIC;
    s->head[p] = j;
    s->place[j] = p;
    s->weight[p] = 1.0;
}

/* ---- life ----------------------------------------------------------------- */

void lp_engine_begin(lp_solver *s)
{
    s->crossed = s->changes = 0;
    s->bounds_perturbed = s->perturbed = false;
    lp_engine_scale_matrix(s);
    lp_scale_all(s);
    lp_engine_apply_units(s);
    for (int j = 0; j < s->vars; j++) {
        lp_engine_take_var(s, j);
        s->status[j] = LP_AT_LOWER;
    }
    for (int r = 0; r < s->rows; r++)
        lp_engine_make_basic(s, s->cols + r, r);
    s->has_factor = s->has_primal = s->has_dual = false;
}

lp_solver *lp_solver_create(const lp_model *m, const lp_params *params)
{
    lp_solver *s = base_calloc(1, sizeof *s);
    s->params = params ? *params : lp_params_default();
    s->model = lp_model_copy(m);
    s->rows = m->rows;
    s->cols = m->cols;
    s->vars = m->rows + m->cols;
    lp_engine_reserve(s, s->rows, s->vars);
    lp_engine_begin(s);
    lp_engine_make_vectors(s);
    s->cold = true;
    s->threshold = 0.1;
    s->last_dual_bound = -INFINITY;
    s->rng.state = s->params.seed;
    s->results = base_calloc(1, sizeof *s->results);
    return s;
}

void lp_solver_free(lp_solver *s)
{
    if (!s)
        return;
#define FREE(a) base_free(s->a);
    VAR_ARRAYS(FREE)
    ROW_ARRAYS(FREE)
    base_free(s->a_value);
    lp_by_rows_free(&s->by_rows);
    free_vectors(s);
    lp_factor_free(s->factor);
    lp_results_free(s->results);
    lp_saved_free(s);
    lp_primal_forget(s);
    lp_model_free(s->model);
    base_free(s);
}

lp_params *lp_solver_params(lp_solver *s)
{
    return &s->params;
}

const lp_model *lp_solver_model(const lp_solver *s)
{
    return s->model;
}

/* ---- bounds ------------------------------------------------------------------ */

void lp_set_bounds(lp_solver *s, int col, double lower, double upper)
{
    assert(col >= 0 && col < s->cols);
    lp_model *m = s->model;
    if (m->lower[col] == lower && m->upper[col] == upper)
        return;
    s->crossed -= is_crossed(m->lower[col], m->upper[col]);
    m->lower[col] = lower;
    m->upper[col] = upper;
    take_bounds(s, col, lower, upper);
    if (!s->is_changed[col]) {
        s->is_changed[col] = true;
        s->changed[s->changes++] = col;
    }
    lp_results_reset(s);
}
