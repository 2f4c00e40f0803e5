/* How far a point and multipliers are from the optimality conditions. */
#include "tests/lp/kkt.h"

/* Returns the distance of value to [lower, upper]; infinity if value is not finite. */
static double violation(double value, double lower, double upper)
{
    if (!isfinite(value))
        return LP_INFINITY;
    return fmax(0.0, fmax(lower - value, value - upper));
}

/* Returns by how much the multiplier d of a row or column at value has the wrong sign. Right
 * signs: >= 0 at the lower bound, <= 0 at the upper, 0 between them. */
static double sign_violation(double d, double value, double lower, double upper)
{
    if (!isfinite(d))
        return LP_INFINITY;
    const bool at_lower = value <= lower + 1e-6 * (1.0 + fabs(lower));
    const bool at_upper = value >= upper - 1e-6 * (1.0 + fabs(upper));
    if (d > 0.0)
        return at_lower && lower != -LP_INFINITY ? 0.0 : d;
    return at_upper && upper != LP_INFINITY ? 0.0 : -d;
}

/* Returns d times the bound that it points at; 0 for an infinite bound, which is a violation
 * already. */
static long double dual_term(double d, double lower, double upper)
{
    const double side = d > 0.0 ? lower : upper;
    return d == 0.0 || isinf(side) ? 0.0L : (long double)d * side;
}

kkt_misses kkt_check(const lp_model *m, const double *x, const double *y)
{
    kkt_misses kkt = {0.0, 0.0, 0.0, 0.0};
    long double primal = m->offset, dual = m->offset;
    long double size = fabs(m->offset), dearest = 0.0L;
    long double *activity = base_calloc((size_t)m->rows + 1, sizeof *activity);
    for (int j = 0; j < m->cols; j++) {
        const double lower = m->lower[j], upper = m->upper[j];
        long double d = m->cost[j];
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            activity[m->index[k]] += (long double)m->value[k] * x[j];
            d -= (long double)m->value[k] * y[m->index[k]];
        }
        const long double paid = dual_term((double)d, lower, upper);
        primal += (long double)m->cost[j] * x[j];
        dual += paid;
        size += fabsl((long double)m->cost[j] * x[j]) + fabsl(paid);
        dearest = fmaxl(dearest, fabs(m->cost[j]));
        kkt.primal_bound = fmax(kkt.primal_bound, violation(x[j], lower, upper));
        kkt.dual = fmax(kkt.dual, sign_violation((double)d, x[j], lower, upper));
    }
    for (int r = 0; r < m->rows; r++) {
        const double lower = m->row_lower[r], upper = m->row_upper[r];
        const double value = (double)activity[r];
        const long double paid = dual_term(y[r], lower, upper);
        dual += paid;
        size += fabsl(paid);
        kkt.primal_row = fmax(kkt.primal_row, violation(value, lower, upper));
        kkt.dual = fmax(kkt.dual, sign_violation(y[r], value, lower, upper));
    }
    const long double gap = fabsl(primal - dual);
    kkt.complementarity = isnan(gap)    ? LP_INFINITY
                          : gap == 0.0L ? 0.0
                                        : (double)(gap / (size + dearest));
    base_free(activity);
    return kkt;
}
