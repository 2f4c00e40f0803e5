/* Presolve of single rows. */
#include <assert.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "bnb/model/domain.h"
#include "bnb/model/presolve.h"
#include "bnb/sum.h"

static const double tolerance = 1e-9;

/* Integers up to here, and their sums, are exact. */
static const double most_exact = 0x1p50;

static bool is_whole(double value)
{
    return value == nearbyint(value);
}

/* Computes the least and greatest activity of a row, widened by their rounding errors. */
static void activity_range(const lp_model *m, const lp_by_rows *x, int r, double *low, double *high)
{
    double magnitude = 0.0;
    bool whole = true;
    *low = *high = 0.0;
    for (int k = x->start[r]; k < x->start[r + 1]; k++) {
        const double a = x->value[k], l = m->lower[x->col[k]], u = m->upper[x->col[k]];
        const double at_l = a * l, at_u = a * u;
        *low += a > 0.0 ? at_l : at_u;
        *high += a > 0.0 ? at_u : at_l;
        whole = whole && is_whole(a) && (isinf(l) || is_whole(l)) && (isinf(u) || is_whole(u));
        magnitude += fmax(isfinite(l) ? fabs(at_l) : 0.0, isfinite(u) ? fabs(at_u) : 0.0);
    }
    if (whole && magnitude < most_exact)
        return;
    const double error = (x->start[r + 1] - x->start[r] + 4) * DBL_EPSILON * magnitude;
    *low -= error;
    *high += error;
}

/* Returns a double that is at most a / b and next to it; b is not 0. */
static double divided_down(double a, double b)
{
    const double q = a / b;
    if (isinf(a))
        return q;
    if (isinf(q)) /* beyond all doubles */
        return q > 0.0 ? DBL_MAX : q;
    const double over = b > 0.0 ? fma(q, b, -a) : -fma(q, b, -a);
    return over > 0.0 ? nextafter(q, -LP_INFINITY) : q;
}

/* Returns the least integer x with a x >= side (a > 0; a < 0: a x <= side), up to bnb_bound_slack.
 * The quotient may lie on an integer that only its rounding reaches. */
static double least_integer(double side, double a)
{
    const double slack = bnb_bound_slack(side, a);
    const double x = ceil(divided_down(side, a) - slack);
    const double missed = a > 0.0 ? -fma(a, x, -side) : fma(a, x, -side);
    return isfinite(x) && missed > slack * fabs(a) ? x + 1.0 : x;
}

/* Tightens the bounds of x_j by lower <= a x_j <= upper; false if no value is left. */
static bool bound_from_singleton(lp_model *m, int j, double a, double lower, double upper)
{
    double l = divided_down(a > 0.0 ? lower : upper, a);
    double u = -divided_down(a > 0.0 ? -upper : -lower, a);
    if (m->integer[j]) {
        l = least_integer(a > 0.0 ? lower : upper, a);
        u = -least_integer(a > 0.0 ? -upper : -lower, a);
    }
    const double crossing = fmax(l - u, fmax(l - m->upper[j], m->lower[j] - u));
    const double side = fmin(fabs(l), fabs(u));
    if (crossing > (m->integer[j] ? 0.0 : lp_side_room(side, BNB_INTEGER_SLACK)))
        return false;
    /* Crossed only by rounding noise: keep the bound that is crossed. */
    const double old_lower = m->lower[j], old_upper = m->upper[j];
    m->lower[j] = fmax(old_lower, fmin(l, old_upper));
    m->upper[j] = fmax(m->lower[j], fmin(old_upper, fmax(u, old_lower)));
    return true;
}

int bnb_presolve_rows(lp_model *m, bool *drop)
{
    lp_by_rows x = lp_model_by_rows(m);
    int changes = 0;
    for (int r = 0; r < m->rows && changes >= 0; r++) {
        const int first = x.start[r], count = x.start[r + 1] - first;
        double low, high;
        activity_range(m, &x, r, &low, &high);
        if (low > m->row_upper[r] + lp_side_room(m->row_upper[r], BNB_INTEGER_SLACK) ||
            high < m->row_lower[r] - lp_side_room(m->row_lower[r], BNB_INTEGER_SLACK)) {
            changes = -1;
            break;
        }
        if (m->row_lower[r] > -LP_INFINITY && low >= m->row_lower[r])
            m->row_lower[r] = -LP_INFINITY;
        if (m->row_upper[r] < LP_INFINITY && high <= m->row_upper[r])
            m->row_upper[r] = LP_INFINITY;
        drop[r] = count == 0 || (m->row_lower[r] == -LP_INFINITY && m->row_upper[r] == LP_INFINITY);
        if (!drop[r] && count == 1) {
            drop[r] = true;
            if (!bound_from_singleton(m, x.col[first], x.value[first], m->row_lower[r],
                                      m->row_upper[r]))
                changes = -1;
        }
        changes += changes >= 0 && drop[r];
    }
    lp_by_rows_free(&x);
    return changes;
}

/* ---- coefficient tightening --------------------------------------------- */

/* A row sum a x <= limit while its coefficients are tightened. */
typedef struct tightening {
    long double limit, most; /* most: upper bound on the activity */
    long double error;       /* rounding error of both */
} tightening;

/* Returns the rounding error of operations on numbers of these sizes; 0 for small integers. */
static long double error_of(long double a, long double b, long double c)
{
    const bool whole = a == floorl(a) && b == floorl(b) && c == floorl(c);
    const long double size = fabsl(a) + fabsl(b) + fabsl(c);
    return whole && size < most_exact ? 0.0L : 8.0L * 0x1p-64L * size;
}

/* Returns the size to which |a| can be reduced for a column with bounds l and l + 1; |a|: no
 * worthwhile change. */
static double tighter_size(const tightening *t, double a)
{
    const long double size = fabs(a);
    const long double spare =
        t->limit - (t->most - size) - 2.0L * t->error - error_of(t->limit, t->most, size);
    if (spare <= 1e-7L * fmaxl(1.0L, fabsl(t->limit)) || size - spare < 1e-7L * size)
        return fabs(a);
    return -bnb_double_below(spare - size);
}

/* Tightens the row sum a x <= U (sign 1) or its mirror image (sign -1); returns the number of
 * changes. An integer column of range 1 may make the row redundant by t > 0 at one of its bounds.
 * Its coefficient is then reduced by t, so that the row is tight at both bounds (Savelsbergh
 * 1994). All rounding errors widen the row's side. */
static int tighten_row(lp_model *m, const lp_by_rows *x, int r, double sign)
{
    double *side = sign > 0.0 ? &m->row_upper[r] : &m->row_lower[r];
    double low, high;
    int changes = 0;
    activity_range(m, x, r, &low, &high);
    tightening t = {sign * *side, sign > 0.0 ? high : -low, 0.0L};
    if (!isfinite((double)t.most))
        return 0;
    for (int k = x->start[r]; k < x->start[r + 1] && t.most > t.limit + tolerance; k++) {
        const int j = x->col[k];
        double *value = &x->value[k];
        const double a = sign * *value;
        if (!m->integer[j] || m->upper[j] - m->lower[j] != 1.0)
            continue;
        const double size = tighter_size(&t, a);
        if (size >= fabs(a))
            continue;
        /* At the bound where the row binds, the row stays the same; at the other one it becomes
         * tight. */
        const long double spare = (long double)fabs(a) - size;
        const long double bound = a > 0.0 ? m->upper[j] : -m->lower[j], moved = spare * bound;
        t.error += error_of(fabs(a), size, spare) * fabsl(bound) + error_of(spare, bound, moved) +
                   error_of(t.limit, t.most, moved);
        t.limit -= moved;
        t.most -= moved;
        *value = *value > 0.0 ? size : -size;
        changes++;
    }
    if (changes > 0) {
        const bnb_sum limit = {t.limit, t.error};
        *side = sign * bnb_sum_up(&limit);
    }
    return changes;
}

int bnb_presolve_coefficients(lp_model *m)
{
    lp_by_rows x = lp_model_by_rows(m);
    int changes = 0;
    for (int r = 0; r < m->rows; r++) {
        const bool lower = m->row_lower[r] > -LP_INFINITY, upper = m->row_upper[r] < LP_INFINITY;
        if (lower != upper)
            changes += tighten_row(m, &x, r, upper ? 1.0 : -1.0);
    }
    for (int j = 0; j < m->cols; j++) /* the next entry of each row, as start moves on */
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            m->value[k] = x.value[x.start[m->index[k]]++];
    lp_by_rows_free(&x);
    return changes;
}
