/* Finds a basis with given multipliers as duals, or as good: the dual half of a crossover
 * (Megiddo 1991; Bixby and Saltzman, OR Letters 15 (1994)). If a basic variable has a reduced
 * cost, the basis or the multipliers are wrong. Moving the multipliers along its row of the
 * inverse changes no reduced cost of another basic variable. Either its own reduced cost reaches
 * zero, or the reduced cost of a nonbasic variable does so first. The nonbasic variable then takes
 * its place. */
#include <assert.h>
#include <limits.h>
#include <math.h>

#include "lp/simplex/compute.h"
#include "lp/simplex/dual.h"

#define ALPHA_ZERO 1e-9     /* smaller elements of a row do not stop a step */
#define PIVOT_SMALL 1e-7    /* smaller pivot elements are refused */
#define PIVOT_DISAGREE 1e-7 /* relative, row against column */
#define AT_BOUND 1e-9       /* relative */

/* Computes the reduced costs of all variables, including basic ones. */
static void take_duals(lp_solver *s, const double *y)
{
    double *scaled = base_malloc((size_t)s->rows + 1, sizeof *scaled);
    for (int r = 0; r < s->rows; r++)
        scaled[r] = isfinite(y[r]) ? y[r] * s->unit[s->cols + r] * s->cost_unit : 0.0;
    for (int j = 0; j < s->vars; j++)
        s->d[j] = lp_engine_reduced_cost(s, j, scaled);
    base_free(scaled);
}

/* Returns the nonbasic variable with the first reduced cost that reaches zero along the row of
 * rho and alpha; -1: none within the whole step d. *alpha gets its element. Variables with a
 * reduced cost of the wrong sign do not count. */
static int blocking(lp_solver *s, double d, double *alpha)
{
    const int count = lp_dual_collect(s, d > 0.0 ? 1.0 : -1.0, ALPHA_ZERO);
    double most = fabs(d);
    int best = -1;
    for (int k = 0; k < count; k++)
        if (s->ratio_dual[k] >= -s->dual_tolerance &&
            s->ratio_dual[k] + s->dual_tolerance < most * s->ratio_alpha[k])
            most = (s->ratio_dual[k] + s->dual_tolerance) / s->ratio_alpha[k];
    if (most == fabs(d))
        return -1;
    for (int k = 0; k < count; k++)
        if (s->ratio_dual[k] >= -s->dual_tolerance &&
            s->ratio_dual[k] <= most * s->ratio_alpha[k] &&
            (best < 0 || s->ratio_alpha[k] > s->ratio_alpha[best]))
            best = k;
    assert(best >= 0);
    const int q = s->ratio_var[best];
    *alpha = lp_engine_row_element(s, q);
    return q;
}

/* Puts q into position p; alpha is the element of row p in column q. False if the element of the
 * column disagrees or is too small. */
static bool exchange(lp_solver *s, int p, int q, double alpha)
{
    lp_engine_ftran_column(s, q);
    const double pivot = s->column.value[p];
    if (fabs(pivot) < PIVOT_SMALL || fabs(pivot - alpha) > PIVOT_DISAGREE * fabs(pivot))
        return false;
    lp_engine_exchange(s, p, q, s->value[q], s->d[s->head[p]] < 0.0);
    s->work += 2.0 * s->column.count;
    if (lp_engine_update_factor(s, p, pivot))
        lp_engine_refactor(s);
    return true;
}

/* Pushes the reduced cost of the basic variable j to zero, or j out of the basis. */
static void push_dual(lp_solver *s, int j)
{
    const int p = s->place[j];
    const double d = s->d[j];
    if (isinf(d > 0.0 ? s->lo[j] : s->up[j]))
        return; /* no bound allows this sign: the multiplier is wrong */
    lp_engine_btran_unit(s, p);
    lp_engine_price(s);
    double alpha;
    const int q = blocking(s, d, &alpha);
    if (q < 0) {
        lp_engine_move_duals(s, d);
        s->d[j] = 0.0;
        return;
    }
    const double reach = s->d[q] / alpha, theta = reach * d > 0.0 ? reach : 0.0;
    lp_engine_move_duals(s, theta);
    s->d[j] = d - theta;
    s->d[q] = 0.0;
    if (!exchange(s, p, q, alpha))
        s->d[j] = 0.0; /* j stays; the basis finally determines its own duals */
}

static void free_if_between(lp_solver *s, int j, double x)
{
    const double scaled = x / s->unit[j], room = AT_BOUND * lp_max(1.0, fabs(scaled));
    if (s->status[j] != LP_BASIC && scaled > s->lo[j] + room && scaled < s->up[j] - room)
        s->status[j] = LP_FREE;
}

/* Makes nonbasic variables free that x places between their bounds: no step may give them a
 * reduced cost. */
static void free_between(lp_solver *s, const double *x)
{
    const lp_model *m = s->model;
    double *activity = base_calloc((size_t)s->rows + 1, sizeof *activity);
    for (int j = 0; j < s->cols; j++) {
        free_if_between(s, j, x[j]);
        for (int k = m->start[j]; x[j] != 0.0 && k < m->start[j + 1]; k++)
            activity[m->index[k]] += m->value[k] * x[j];
    }
    for (int r = 0; r < s->rows; r++)
        free_if_between(s, s->cols + r, -activity[r]);
    base_free(activity);
}

int lp_push_duals(lp_solver *s, const double *y, const double *x)
{
    const long before = s->iterations;
    int *basic = base_malloc((size_t)s->rows + 1, sizeof *basic), count = 0;
    if (!s->has_factor)
        lp_engine_refactor(s);
    if (s->perturbed)
        lp_engine_restore_costs(s);
    lp_engine_restore_bounds(s);
    s->dual_tolerance = LP_TOLERANCE;
    s->iteration_end = LONG_MAX;
    s->next_poll = 0.0;
    take_duals(s, y);
    if (x)
        free_between(s, x);
    for (int p = 0; p < s->rows; p++)
        if (fabs(s->d[s->head[p]]) > s->dual_tolerance)
            basic[count++] = s->head[p];
    for (int k = 0; k < count && lp_engine_poll(s) == LP_UNSOLVED; k++)
        if (s->status[basic[k]] == LP_BASIC)
            push_dual(s, basic[k]);
    base_free(basic);
    s->has_dual = s->has_primal = false;
    for (int j = 0; j < s->vars; j++) /* freed, but not entered */
        if (s->status[j] == LP_FREE)
            lp_engine_place_nonbasic(s, j);
    lp_results_reset(s);
    return (int)(s->iterations - before);
}
