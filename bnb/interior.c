/* Multipliers that leave every column with an infinite bound a reduced cost well on its good side:
 * an interior point of the dual. A little of them added to the LP's multipliers outweighs the
 * rounding errors that would leave these without a bound (Steffy and Wolter, Valid linear
 * programming bounds for exact mixed-integer programming, 2013). */
#include <string.h>

#include "bnb/interior.h"
#include "bnb/run.h"
#include "bnb/search.h"
#include "lp/safe.h"

/* The most of them that is added, and the slack that their reduced costs are wanted to have, as
 * parts of 1 and of the largest cost. */
static const double largest_share = 1e-6, wanted_slack = 1e-2;

/* 1: x_j has no upper bound, its reduced cost must not be negative; -1: no lower bound; 0: both are
 * finite, or neither is. */
static int open_side(const lp_model *m, int j)
{
    const bool low = isfinite(m->lower[j]), high = isfinite(m->upper[j]);
    return low && !high ? 1 : high && !low ? -1 : 0;
}

/* Rows are m's columns without finite bounds, columns m's first `rows` rows, and the slack at the
 * end, which is maximised. */
static lp_model *interior_model(const lp_model *m, int rows)
{
    lp_model *dual = lp_model_create();
    double size = 0.0;
    for (int r = 0; r < rows; r++)
        lp_model_add_col(dual, 0.0, isfinite(m->row_upper[r]) ? -LP_INFINITY : 0.0,
                         isfinite(m->row_lower[r]) ? LP_INFINITY : 0.0, false, 0, NULL, NULL, NULL);
    for (int j = 0; j < m->cols; j++)
        size = fmax(size, fabs(m->cost[j]));
    const int slack = lp_model_add_col(dual, -1.0, 0.0, wanted_slack * (size > 0.0 ? size : 1.0),
                                       false, 0, NULL, NULL, NULL);
    int *col = base_malloc((size_t)rows + 1, sizeof *col);
    double *value = base_malloc((size_t)rows + 1, sizeof *value);
    for (int j = 0; j < m->cols; j++) {
        const int side = open_side(m, j);
        const bool is_free = isinf(m->lower[j]) && isinf(m->upper[j]);
        int count = 0;
        if (side == 0 && !is_free)
            continue;
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            if (m->index[k] < rows) {
                col[count] = m->index[k];
                value[count++] = m->value[k];
            }
        if (!is_free) {
            col[count] = slack;
            value[count++] = side;
        }
        const int span[2] = {0, count};
        const double low = side > 0 ? -LP_INFINITY : m->cost[j];
        const double high = side < 0 ? LP_INFINITY : m->cost[j];
        lp_model_add_rows(dual, 1, &low, &high, span, col, value, NULL);
    }
    base_free(col);
    base_free(value);
    return dual;
}

/* Finds c->interior, once; false when there is none. */
static bool find_interior(bnb_context *c)
{
    if (c->interior_known)
        return c->interior != NULL;
    c->interior_known = true;
    const int rows = c->lp.model_rows;
    lp_params p = lp_params_default();
    p.limits = bnb_limits(c);
    p.seed = c->search->params.seed;
    p.tuning = c->search->params.lp;
    lp_model *dual = interior_model(c->lp.mirror, rows);
    lp_solver *s = lp_solver_create(dual, &p);
    if (lp_solve(s) == LP_OPTIMAL && lp_primal(s)[rows] > 0.0) {
        c->interior = base_malloc((size_t)rows + 1, sizeof *c->interior);
        memcpy(c->interior, lp_primal(s), (size_t)rows * sizeof *c->interior);
    }
    atomic_fetch_add(&c->search->iterations, lp_iterations(s));
    lp_solver_free(s);
    lp_model_free(dual);
    return c->interior != NULL;
}

/* The reduced cost of column j by the interior multipliers. */
static long double interior_cost(const bnb_context *c, int j)
{
    const lp_model *m = c->lp.mirror;
    long double d = m->cost[j];
    for (int k = m->start[j]; k < m->start[j + 1] && m->index[k] < c->lp.model_rows; k++)
        d -= (long double)m->value[k] * c->interior[m->index[k]];
    return d;
}

/* The share of the interior multipliers at which no reduced cost can have the wrong sign where that
 * would be endless; largest_share when there is none. */
static double needed_share(const bnb_context *c)
{
    const lp_model *m = c->lp.mirror;
    double share = 0.0;
    for (int j = 0; j < m->cols; j++) {
        const bool low = isfinite(c->domain.lower[j]), high = isfinite(c->domain.upper[j]);
        if (low && high)
            continue;
        long double error;
        const long double sign = low ? 1.0L : -1.0L, d = sign * bnb_reduced_cost(c, j, &error);
        if (!low && !high && d != 0.0L)
            return largest_share; /* no reduced cost but zero helps a free column */
        if (d > error || (!low && !high))
            continue;
        const long double inside = sign * interior_cost(c, j);
        /* Twice what makes up for it, and for the rounding of the new multipliers to doubles. */
        const long double lack = 2.0L * (error * 0x1p14L - d);
        if (inside <= 0.0L || lack >= largest_share * inside)
            return largest_share;
        share = fmax(share, (double)(lack / inside));
    }
    return share;
}

double bnb_interior_bound(bnb_context *c)
{
    if (!find_interior(c))
        return -LP_INFINITY;
    const double share = needed_share(c);
    if (share <= 0.0 || share >= largest_share)
        return -LP_INFINITY;
    for (int r = 0; r < c->lp.mirror->rows; r++) {
        const double inside = r < c->lp.model_rows ? c->interior[r] : 0.0;
        c->y[r] += share * (inside - c->y[r]);
    }
    return lp_safe_bound_mend(c->lp.mirror, c->domain.lower, c->domain.upper, c->y, c->d,
                              &c->dual_bound);
}
