/* Safe bounds on a model from multipliers of its rows, and the linear programme that finds a
 * direction for these away from all bounds of the dual at once. */
#include "lp/safe.h"

#include <math.h>
#include <string.h>

#include "lp/safe/safe_duals.h"
#include "lp/simplex.h"

#define NEAR_ZERO 1e-6 /* of the terms: larger reduced costs have room enough */

enum { ITERATIONS_BASE = 1000, ITERATIONS_PER_COLUMN = 20 };

/* The side of a row of the cone: 0 where the multiplier may point at it, else none. */
static double side(double of_model, double none)
{
    return isfinite(of_model) ? 0.0 : none;
}

/* Rows whose multiplier is next to none may move to the sides that they have, the others freely. */
static void add_rows(lp_model *cone, const lp_model *m, const double *y)
{
    for (int r = 0; r < m->rows; r++) {
        const bool moves = y[r] != 0.0;
        lp_model_add_row(cone, moves ? 0.0 : side(m->row_lower[r], -LP_INFINITY),
                         moves ? 0.0 : side(m->row_upper[r], LP_INFINITY), NULL);
    }
}

/* minimise -sum of size_j |x_j| over the directions x of the open columns with a reduced cost next
 * to zero, none longer than 1. Where the best is x = 0, its multipliers have reduced costs of at
 * least size_j. */
static lp_model *make_cone(const lp_model *m, const double *lower, const double *upper,
                           const double *cost, const double *y)
{
    lp_model *cone = lp_model_create();
    add_rows(cone, m, y);
    for (int j = 0; j < m->cols; j++) {
        const bool no_lower = isinf(lower[j]), no_upper = isinf(upper[j]);
        const int begin = m->start[j], count = m->start[j + 1] - begin;
        double d = cost[j], size = fabs(d);
        for (int k = begin; k < begin + count; k++) {
            d -= m->value[k] * y[m->index[k]];
            size += fabs(m->value[k] * y[m->index[k]]);
        }
        if ((!no_lower && !no_upper) || fabs(d) > NEAR_ZERO * size)
            continue;
        const double wanted = no_lower && no_upper ? 0.0 : no_upper ? -size : size;
        lp_model_add_col(cone, wanted, no_lower ? -1.0 : 0.0, no_upper ? 1.0 : 0.0, false, count,
                         m->index + begin, m->value + begin, NULL);
    }
    return cone;
}

/* lp_inward: a small multiple of w, added to y, moves the reduced costs next to zero of all columns
 * with an infinite bound to the right side, by the same multiple of the sizes of their terms, as
 * far as that is possible at all. A linear programme of its own over these columns. Only a
 * proposal. */
static bool find_interior(const lp_model *m, const double *lower, const double *upper,
                          const double *cost, const double *y, double *w)
{
    lp_model *cone = make_cone(m, lower, upper, cost, y);
    lp_params params = lp_params_default();
    params.iteration_limit = ITERATIONS_BASE + ITERATIONS_PER_COLUMN * (long)cone->cols;
    lp_solver *s = lp_solver_create(cone, &params);
    const bool found = cone->cols > 0 && lp_solve(s) == LP_OPTIMAL;
    for (int r = 0; found && r < m->rows; r++)
        w[r] = lp_dual(s)[r];
    lp_solver_free(s);
    lp_model_free(cone);
    return found;
}

double lp_safe_bound_mend(const lp_model *m, const double *lower, const double *upper, double *y,
                          double *d, double *own)
{
    double *own_d = d ? NULL : base_malloc((size_t)m->cols + 1, sizeof *own_d);
    const double bound =
        lp_duals_prove(m, lower, upper, y, m->cost, m->offset, find_interior, d ? d : own_d, own);
    base_free(own_d);
    return bound;
}

double lp_safe_bound(const lp_model *m, const double *lower, const double *upper, const double *y,
                     double *d)
{
    double own, *copy = base_malloc((size_t)m->rows + 1, sizeof *copy);
    memcpy(copy, y, (size_t)m->rows * sizeof *y);
    const double bound = lp_safe_bound_mend(m, lower, upper, copy, d, &own);
    base_free(copy);
    return bound;
}
