/* Feasibility, signs of reduced costs and rays computed from the model in long double, with
 * tolerances of their own. */
#include "certify.h"

#include <math.h>
#include <stdio.h>

#include "lp/safe.h"

static _Thread_local char text[200];

static const char *say(const char *what, int index, double amount)
{
    snprintf(text, sizeof text, "%s (%d): %g", what, index, amount);
    return text;
}

static double scale_of(double x)
{
    return 1.0 + (isfinite(x) ? fabs(x) : 0.0);
}

static const char *check_primal(const lp_model *m, const double *x, double tolerance)
{
    long double *activity = base_calloc((size_t)m->rows + 1, sizeof *activity);
    double *size = base_calloc((size_t)m->rows + 1, sizeof *size);
    const char *bad = "";
    for (int j = 0; j < m->cols; j++) {
        double v = fmax(m->lower[j] - x[j], x[j] - m->upper[j]);
        if (!(v <= tolerance * scale_of(x[j])))
            bad = say("column bound", j, v);
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            activity[m->index[e]] += (long double)m->value[e] * x[j];
            size[m->index[e]] += fabs(m->value[e] * x[j]);
        }
    }
    for (int r = 0; r < m->rows; r++) {
        double a = (double)activity[r], v = fmax(m->row_lower[r] - a, a - m->row_upper[r]);
        if (!(v <= tolerance * (1.0 + size[r])))
            bad = say("row bound", r, v);
    }
    base_free_all(activity, size);
    return bad;
}

static const char *check_side(const char *what, int index, double dual, double lower, double value,
                              double upper, double tolerance, double scale, double size)
{
    if (dual > tolerance * scale && value - lower > tolerance * (1.0 + size))
        return say(what, index, dual);
    if (dual < -tolerance * scale && upper - value > tolerance * (1.0 + size))
        return say(what, index, dual);
    return "";
}

/* Signs of reduced costs and multipliers against where the point lies. */
static const char *check_dual(const lp_model *m, const double *x, const double *activity,
                              const double *y, double tolerance)
{
    for (int j = 0; j < m->cols; j++) {
        long double sum = m->cost[j];
        double size = fabs(m->cost[j]);
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            sum -= (long double)y[m->index[e]] * m->value[e];
            size += fabs(y[m->index[e]] * m->value[e]);
        }
        const char *bad = check_side("reduced cost", j, (double)sum, m->lower[j], x[j], m->upper[j],
                                     10 * tolerance, 1.0 + size, fabs(x[j]));
        if (*bad)
            return bad;
    }
    double *size = base_calloc((size_t)m->rows + 1, sizeof *size);
    for (int j = 0; j < m->cols; j++)
        for (int e = m->start[j]; e < m->start[j + 1]; e++)
            size[m->index[e]] += fabs(m->value[e] * x[j]);
    const char *bad = "";
    for (int r = 0; r < m->rows && !*bad; r++)
        bad = check_side("multiplier", r, y[r], m->row_lower[r], activity[r], m->row_upper[r],
                         10 * tolerance, 1.0, size[r]);
    base_free(size);
    return bad;
}

/* max over the box of y'(Ax - s), which is 0 for every solution, must be negative. */
static const char *check_farkas(const lp_model *m, const double *y)
{
    long double bound = 0.0L;
    double size = 0.0, largest = 0.0;
    for (int r = 0; r < m->rows; r++)
        largest = fmax(largest, fabs(y[r]));
    for (int j = 0; j < m->cols; j++)
        if (m->lower[j] > m->upper[j])
            return "";
    for (int r = 0; r < m->rows; r++) {
        if (m->row_lower[r] > m->row_upper[r])
            return "";
        if (fabs(y[r]) <= 1e-9 * largest)
            continue;
        double side = y[r] > 0.0 ? m->row_lower[r] : m->row_upper[r];
        if (!isfinite(side))
            return say("Farkas multiplier points at an infinite side", r, y[r]);
        bound += (long double)y[r] * side;
        size += fabs(y[r] * side);
    }
    for (int j = 0; j < m->cols; j++) {
        long double d = 0.0L;
        double terms = 0.0;
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            d -= (long double)y[m->index[e]] * m->value[e];
            terms += fabs(y[m->index[e]] * m->value[e]);
        }
        if (fabs((double)d) <= 1e-9 * (terms + largest))
            continue;
        double side = d > 0.0L ? m->lower[j] : m->upper[j];
        if (!isfinite(side))
            return say("Farkas reduced cost meets an infinite bound", j, (double)d);
        bound += d * side;
        size += fabs((double)d * side);
    }
    return bound > 1e-10 * size ? "" : say("Farkas bound", 0, (double)bound);
}

static const char *check_ray(const lp_model *m, const double *ray)
{
    double cost = 0.0, largest = 0.0, *row = base_calloc((size_t)m->rows + 1, sizeof *row);
    double *size = base_calloc((size_t)m->rows + 1, sizeof *size);
    const char *bad = "";
    for (int j = 0; j < m->cols; j++) {
        largest = fmax(largest, fabs(ray[j]));
        cost += m->cost[j] * ray[j];
        for (int e = m->start[j]; e < m->start[j + 1]; e++) {
            row[m->index[e]] += m->value[e] * ray[j];
            size[m->index[e]] += fabs(m->value[e] * ray[j]);
        }
    }
    if (!(cost < 0.0))
        bad = say("ray does not improve", 0, cost);
    for (int j = 0; j < m->cols; j++) {
        double t = 1e-9 * largest;
        if ((ray[j] > t && m->upper[j] < LP_INFINITY) ||
            (ray[j] < -t && m->lower[j] > -LP_INFINITY))
            bad = say("ray leaves the bounds of column", j, ray[j]);
    }
    for (int r = 0; r < m->rows; r++) {
        double t = 1e-9 * (size[r] + largest);
        if ((row[r] > t && m->row_upper[r] < LP_INFINITY) ||
            (row[r] < -t && m->row_lower[r] > -LP_INFINITY))
            bad = say("ray leaves the bounds of row", r, row[r]);
    }
    base_free_all(row, size);
    return bad;
}

const char *certify(const lp_model *m, lp_solver *s, lp_status status, double tolerance)
{
    const char *bad;
    if (lp_last_status(s) != status)
        return say("not the last solve's status", (int)status, 0.0);
    switch (status) {
    case LP_OPTIMAL:
        bad = check_primal(m, lp_primal(s), tolerance);
        if (*bad)
            return bad;
        bad = check_dual(m, lp_primal(s), lp_activity(s), lp_dual(s), tolerance);
        if (*bad)
            return bad;
        if (fabs(lp_objective(s) - lp_dual_objective(s)) > 1e-6 * (1.0 + fabs(lp_objective(s))))
            return say("primal and dual objective differ", 0,
                       lp_objective(s) - lp_dual_objective(s));
        return "";
    case LP_INFEASIBLE: /* a proof may need the bounds that rows imply */
        return lp_farkas_is_proof(m, NULL, NULL, lp_farkas(s)) ? "" : check_farkas(m, lp_farkas(s));
    case LP_UNBOUNDED:
        bad = check_primal(m, lp_primal(s), tolerance);
        return *bad ? bad : check_ray(m, lp_ray(s));
    default:
        return say(lp_status_name(status), 0, 0.0);
    }
}

const char *certify_and_fix(lp_model *m, lp_solver *s, base_rng *rng)
{
    const lp_status status = lp_solve(s);
    const char *bad = certify(m, s, status, 1e-8);
    const int j = (int)base_rng_below(rng, (uint64_t)m->cols);
    m->lower[j] = m->upper[j] = (double)base_rng_below(rng, 2);
    lp_set_bounds(s, j, m->lower[j], m->upper[j]);
    return bad;
}

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

lp_kkt lp_kkt_check(const lp_model *m, const double *x, const double *y)
{
    lp_kkt kkt = {0.0, 0.0, 0.0, 0.0};
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
