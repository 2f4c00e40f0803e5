/* Reductions of one column: fixed, fixed by the sign of its reduced cost, or so placed that
 * it meets all its rows. */
#include <assert.h>

#include "lp/presolve/presolve_internal.h"

#define ROUNDING 1e-12 /* of a reduced cost, relative to its terms */

void lp_presolve_fix(lp_presolve *p, int j, double value)
{
    lp_record *record = lp_presolve_record(p, LP_FIXED_COL, -1, j);
    record->low = value == p->lower[j];
    record->high = value == p->upper[j];
    record->side = value;
    record->cost = p->cost[j];
    lp_presolve_keep_col(p, j, -1);
    p->offset += p->cost[j] * value;
    if (value != 0.0)
        for (int e = p->col_first[j]; e >= 0; e = p->col_next[e])
            lp_presolve_shift_row(p, p->row[e], -p->value[e] * value);
    lp_presolve_remove_col(p, j);
}

/* ---- bounds on the reduced cost ---------------------------------------------------- */

/* Bounds on the multiplier of row r: by which of its sides are infinite, and by others'
 * reduced costs. */
static double least_multiplier(const lp_presolve *p, int r)
{
    double sign = p->row_upper[r] < LP_INFINITY ? -LP_INFINITY : 0.0;
    return fmax(sign, p->dual_lower[r]);
}

static double largest_multiplier(const lp_presolve *p, int r)
{
    double sign = p->row_lower[r] > -LP_INFINITY ? LP_INFINITY : 0.0;
    return fmin(sign, p->dual_upper[r]);
}

/* The range of c_j - y'a_j over the bounds of y. */
typedef struct cost_range {
    double low, high, size;
} cost_range;

static cost_range reduced_cost(lp_presolve *p, int j)
{
    cost_range d = {p->cost[j], p->cost[j], fabs(p->cost[j])};
    lp_presolve_count(p, p->col_length[j]);
    for (int e = p->col_first[j]; e >= 0 && (isfinite(d.low) || isfinite(d.high));
         e = p->col_next[e]) {
        double least = least_multiplier(p, p->row[e]), largest = largest_multiplier(p, p->row[e]);
        double v = p->value[e], big = v > 0.0 ? largest : least, small = v > 0.0 ? least : largest;
        double down = big == 0.0 ? 0.0 : v * big, up = small == 0.0 ? 0.0 : v * small;
        d.low -= down;
        d.high -= up;
        d.size += fmax(isfinite(down) ? fabs(down) : 0.0, isfinite(up) ? fabs(up) : 0.0);
    }
    return d;
}

/* ---- a column that meets all its rows ------------------------------------------------ */

/* Column j has no cost and goes to infinity, upwards or downwards, as far as its rows could
 * wish: they have no influence on the others. Records: see lp/presolve/presolve_undo.c. */
static void unlocked(lp_presolve *p, int j, bool upwards)
{
    lp_record *record = lp_presolve_record(p, LP_UNLOCKED_END, -1, j);
    double start = upwards ? p->lower[j] : p->upper[j];
    record->low = upwards;
    for (int e = p->col_first[j]; e >= 0; e = p->col_first[j]) {
        int r = p->row[e];
        double value = p->value[e];
        bool lower_side = (value > 0.0) == upwards;
        record = lp_presolve_record(p, LP_UNLOCKED_ROW, r, j);
        record->a = value;
        record->low = upwards;
        record->high = !lower_side; /* which side the row would be at */
        record->side = lower_side ? p->row_lower[r] : p->row_upper[r];
        lp_presolve_keep_row(p, r, j);
        lp_presolve_remove_row(p, r);
    }
    record = lp_presolve_record(p, LP_UNLOCKED_START, -1, j);
    record->side = start;
    record->low = upwards;
    lp_presolve_remove_col(p, j);
}

/* ---- dual fixing ------------------------------------------------------------------------ */

/* Column j is best at its lower (or upper) bound; strictly: it costs to leave it. */
static bool fix_at(lp_presolve *p, int j, bool lower, bool strictly)
{
    double bound = lower ? p->lower[j] : p->upper[j];
    if (isfinite(bound)) {
        lp_presolve_fix(p, j, bound);
        return true;
    }
    if (strictly) { /* nothing stops it */
        p->failed = true;
        return true;
    }
    return false;
}

/* Fixes column j when its reduced cost has one sign. Derived: the range comes from more than
 * the signs of multipliers, so rounding matters. */
static bool fix_by_sign(lp_presolve *p, int j, bool derived)
{
    cost_range d = reduced_cost(p, j);
    double rounding = derived ? ROUNDING * d.size : 0.0;
    if (d.low > rounding || (d.low == 0.0 && !derived)) {
        if (fix_at(p, j, true, d.low > rounding))
            return true;
    } else if (d.high < -rounding || (d.high == 0.0 && !derived)) {
        if (fix_at(p, j, false, d.high < -rounding))
            return true;
    }
    if (derived || p->cost[j] != 0.0)
        return false;
    if (d.low == 0.0 && p->lower[j] == -LP_INFINITY) {
        unlocked(p, j, false);
        return true;
    }
    if (d.high == 0.0 && p->upper[j] == LP_INFINITY) {
        unlocked(p, j, true);
        return true;
    }
    return false;
}

void lp_presolve_col(lp_presolve *p, int j)
{
    lp_presolve_count(p, 1.0);
    double lower = p->lower[j], upper = p->upper[j];
    if (lp_presolve_contradicts(lower, upper, 0.0)) {
        p->failed = true;
        return;
    }
    if (lower >= upper) {
        lp_presolve_fix(p, j, lower);
        return;
    }
    if (p->col_length[j] == 0 && p->cost[j] == 0.0 && isinf(lower) && isinf(upper)) {
        lp_presolve_fix(p, j, 0.0);
        return;
    }
    if (fix_by_sign(p, j, false))
        return;
    if (p->col_length[j] == 1 && lp_presolve_col_singleton(p, j))
        return;
    if (p->col_length[j] >= 1 && p->col_length[j] <= p->tuning.substitute_length)
        lp_presolve_substitute(p, j);
}

/* ---- dominated columns -------------------------------------------------------------------- */

/* Bounds on the multiplier of its row from column j, whose reduced cost has one sign. */
static void bound_multiplier(lp_presolve *p, int j)
{
    int e = p->col_first[j], r = p->row[e];
    double value = p->value[e], ratio = p->cost[j] / value;
    bool not_negative = p->upper[j] == LP_INFINITY, not_positive = p->lower[j] == -LP_INFINITY;
    if (value > 0.0 ? not_negative : not_positive)
        p->dual_upper[r] = fmin(p->dual_upper[r], ratio);
    if (value > 0.0 ? not_positive : not_negative)
        p->dual_lower[r] = fmax(p->dual_lower[r], ratio);
}

/* The singletons that give bounds are not fixed here: the bounds hold throughout. */
void lp_presolve_dominated(lp_presolve *p)
{
    bool any = false;
    for (int j = 0; j < p->cols; j++)
        if (!p->col_gone[j] && p->col_length[j] == 1 &&
            (isinf(p->lower[j]) || isinf(p->upper[j]))) {
            bound_multiplier(p, j);
            any = true;
        }
    lp_presolve_count(p, p->cols);
    if (!any)
        return;
    for (int j = 0; j < p->cols && !lp_presolve_done(p); j++)
        if (!p->col_gone[j] && p->col_length[j] > 1)
            fix_by_sign(p, j, true);
    for (int r = 0; r < p->rows; r++) {
        p->dual_lower[r] = -LP_INFINITY;
        p->dual_upper[r] = LP_INFINITY;
    }
}
