/* The way to improve the working point, and the columns that it takes, once optima have settled.
 *
 * What is missing then lies along chains of columns that are of use only together, and rounds would
 * take them in one by one while the optimum hardly falls. A linear programme over all columns finds
 * all of them at once: the direction that lowers the costs most, among those that the tight rows
 * and bounds allow, no column that is lacking moving by more than one. (The complementary problem
 * of El Hallaoui, Metrane, Desaulniers and Soumis, INFORMS J. Comput. 23 (2011).) Where there is
 * none its dual values are the ones that were missing: the proof that the working point is optimal.
 * Costs are the reduced ones of the best dual values known, so that its slack basis is almost dual
 * feasible. */
#include <math.h>
#include <string.h>

#include "lp/sift_internal.h"

#define MOVES 1e-9 /* smaller changes of a column are none */

/* Iterations that a direction may take, beside as many as all rounds took: these, or one for so
 * many rows of the model, if that is more. */
enum { ITERATIONS = 1000, ROWS_PER_ITERATION = 10 };

typedef struct direction {
    lp_model *model;
    int *row_of; /* extent rows: row of the model; -1: not tight, free to move */
    int *column; /* extent cols: the sift's column behind column k < moving */
    int moving;
} direction;

/* ---- the dual values to begin with ---------------------------------------------- */

/* Zero for rows that are not tight on the side that y needs. */
static void clear_loose_rows(const lp_sift *s, double *y)
{
    for (int r = 0; r < s->m->rows; r++)
        if (y[r] != 0.0 && !lp_sift_row_is_tight(s, r, y[r] > 0.0))
            y[r] = 0.0;
}

static double total_lack(const lp_sift *s)
{
    double sum = 0.0;
    for (int j = 0; j < s->m->cols; j++)
        sum += fabs(lp_sift_lack(s, j));
    return sum;
}

static void swap_duals(lp_sift *s)
{
    double *y = s->y;
    s->y = s->carried;
    s->carried = y;
    lp_sift_price(s, s->m->cost);
}

/* s->y becomes the better of itself and what the last direction left. Returns what its columns
 * lack in all. */
static double choose_duals(lp_sift *s)
{
    clear_loose_rows(s, s->y);
    lp_sift_price(s, s->m->cost);
    double lack = total_lack(s);
    if (!s->carried)
        return lack;
    clear_loose_rows(s, s->carried);
    swap_duals(s);
    double other = total_lack(s);
    if (other >= lack)
        swap_duals(s);
    return fmin(lack, other);
}

/* ---- the linear programme --------------------------------------------------------- */

/* A row with a dual value is an equation; what it gives way by is a column of its own, priced at
 * that value. */
static bool gives_way(const lp_sift *s, int r)
{
    return s->y[r] != 0.0 && s->m->row_lower[r] < s->m->row_upper[r];
}

static void add_rows(const lp_sift *s, direction *d)
{
    for (int r = 0; r < s->m->rows; r++) {
        const bool low = lp_sift_row_is_tight(s, r, true), high = lp_sift_row_is_tight(s, r, false);
        const bool equation = s->y[r] != 0.0 || (low && high);
        d->row_of[r] = -1;
        if (low || high)
            d->row_of[r] = lp_model_add_row(d->model, equation || low ? 0.0 : -LP_INFINITY,
                                            equation || high ? 0.0 : LP_INFINITY, NULL);
    }
}

/* Only columns that lack something lower the costs, so that bounds for these are enough, and then
 * no other column's reduced cost gets a wrong sign on the way: far fewer iterations as a rule.
 * Where they are too many, small steps in the duals, bounds for all columns that are at one of
 * theirs help: which these exceed they leave by way of the bound. */
static void add_columns(const lp_sift *s, direction *d)
{
    const lp_model *m = s->m;
    int *rows = base_malloc((size_t)m->rows + 1, sizeof *rows);
    double *values = base_malloc((size_t)m->rows + 1, sizeof *values);
    for (int j = 0; j < m->cols; j++) {
        const bool low = lp_sift_is_at(s, j, false), high = lp_sift_is_at(s, j, true);
        const bool bounded = lp_sift_lack(s, j) != 0.0 || (s->late_directions > 0 && (low || high));
        const double most = bounded ? 1.0 : LP_INFINITY;
        int count = 0;
        if (low && high)
            continue;
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            rows[count] = d->row_of[m->index[e]];
            values[count] = m->value[e];
            count += rows[count] >= 0;
        }
        d->column[d->moving++] = j;
        lp_model_add_col(d->model, s->d[j], low ? 0.0 : -most, high ? 0.0 : most, false, count,
                         rows, values, NULL);
    }
    base_free(rows);
    base_free(values);
    const double minus = -1.0;
    for (int r = 0; r < m->rows; r++)
        if (gives_way(s, r))
            lp_model_add_col(d->model, s->y[r], s->y[r] > 0.0 ? 0.0 : -LP_INFINITY,
                             s->y[r] > 0.0 ? LP_INFINITY : 0.0, false, 1, &d->row_of[r], &minus,
                             NULL);
}

static direction make_direction(const lp_sift *s)
{
    direction d = {.model = lp_model_create(),
                   .row_of = base_malloc((size_t)s->m->rows + 1, sizeof(int)),
                   .column = base_malloc((size_t)s->m->cols + 1, sizeof(int))};
    add_rows(s, &d);
    add_columns(s, &d);
    return d;
}

static void direction_clear(direction *d)
{
    lp_model_free(d->model);
    base_free(d->row_of);
    base_free(d->column);
}

/* ---- what it says ------------------------------------------------------------------- */

static void take_duals(lp_sift *s, const direction *d, const double *y)
{
    for (int r = 0; r < s->m->rows; r++)
        if (d->row_of[r] >= 0)
            s->y[r] += y[d->row_of[r]];
    if (!s->carried)
        s->carried = base_malloc((size_t)s->m->rows + 1, sizeof *s->carried);
    memcpy(s->carried, s->y, (size_t)s->m->rows * sizeof *s->y);
    lp_sift_price(s, s->m->cost);
}

static int admit_moving(lp_sift *s, const direction *d, const double *x)
{
    int admitted = 0;
    for (int k = 0; k < d->moving; k++)
        if (fabs(x[k]) > MOVES)
            admitted += lp_sift_admit_column(s, d->column[k]);
    return admitted;
}

static void log_direction(const lp_sift *s, const direction *d, const lp_solver *lp,
                          lp_status status)
{
    if (s->params.lp.log >= 1)
        fprintf(stderr, "sift         direction of %d columns, %d rows: %s, %ld iterations, %.4g\n",
                d->model->cols, d->model->rows, lp_status_name(status), lp_iterations(lp),
                status == LP_OPTIMAL ? lp_objective(lp) : NAN);
}

lp_status lp_sift_direct(lp_sift *s, int *admitted)
{
    *admitted = 0;
    if (choose_duals(s) == 0.0)
        return LP_OPTIMAL;
    const long left = s->iteration_limit - s->result.iterations;
    const int by_rows = s->m->rows / ROWS_PER_ITERATION;
    const long allowed = s->result.iterations + (by_rows > ITERATIONS ? by_rows : ITERATIONS);
    direction d = make_direction(s);
    lp_params params = s->params.lp;
    params.method = LP_METHOD_DUAL;
    params.iteration_limit = left < allowed ? (left > 0 ? left : 0) : allowed;
    lp_solver *lp = lp_solver_create(d.model, &params);
    lp_status status = lp_solve(lp);
    s->result.iterations += lp_iterations(lp);
    log_direction(s, &d, lp, status);
    if (status == LP_OPTIMAL) {
        *admitted = admit_moving(s, &d, lp_primal(lp));
        take_duals(s, &d, lp_dual(lp));
    } else if (status == LP_NUMERICAL_TROUBLE || (status == LP_ITERATION_LIMIT && allowed < left)) {
        s->late_directions++;
        status = LP_UNSOLVED;
    }
    lp_solver_free(lp);
    direction_clear(&d);
    return status;
}
