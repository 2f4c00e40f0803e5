/* Reductions of one row: empty, of one column, without influence, forcing. */
#include <assert.h>

#include "lp/presolve/presolve_internal.h"

#define ROUNDING 1e-13 /* of an activity, relative to its terms */

/* Removes row r, which has no influence. */
static void free_row(lp_presolve *p, int r)
{
    lp_presolve_record(p, LP_FREED_ROW, r, -1);
    lp_presolve_remove_row(p, r);
}

static void empty_row(lp_presolve *p, int r)
{
    if (lp_presolve_contradicts(p->row_lower[r], 0.0, 0.0) ||
        lp_presolve_contradicts(0.0, p->row_upper[r], 0.0))
        p->failed = true;
    else
        free_row(p, r);
}

/* lower <= value x_j <= upper: bounds of x_j. */
static void singleton_row(lp_presolve *p, int r)
{
    int e = p->row_first[r], j = p->col[e];
    double value = p->value[e];
    double low = (value > 0.0 ? p->row_lower[r] : p->row_upper[r]) / value;
    double high = (value > 0.0 ? p->row_upper[r] : p->row_lower[r]) / value;
    double lower = p->lower[j], upper = p->upper[j];
    if (lp_presolve_contradicts(low, upper, 0.0) || lp_presolve_contradicts(lower, high, 0.0)) {
        p->failed = true;
        return;
    }
    lp_record *record = lp_presolve_record(p, LP_SINGLETON_ROW, r, j);
    record->a = value;
    record->low = low > lower;
    record->high = high < upper;
    lp_presolve_remove_row(p, r);
    if (record->low)
        lp_presolve_set_lower(p, j, fmin(low, upper));
    if (record->high)
        lp_presolve_set_upper(p, j, fmax(high, p->lower[j]));
}

/* Fixes the columns of row r that have one value left. True when there were any. */
static bool fix_in_row(lp_presolve *p, int r)
{
    bool any = false;
    for (int e = p->row_first[r]; e >= 0;) {
        int j = p->col[e];
        e = p->row_next[e];
        if (p->lower[j] == p->upper[j]) {
            lp_presolve_fix(p, j, p->lower[j]);
            any = true;
        }
    }
    return any;
}

/* All columns of row r at the bounds that make its activity smallest (at_min) or largest. */
static void forcing_row(lp_presolve *p, int r, bool at_min)
{
    if (fix_in_row(p, r)) {
        lp_presolve_touch_row(p, r);
        return;
    }
    lp_record *record = lp_presolve_record(p, LP_FORCING_ROW, r, -1);
    record->high = at_min; /* it is the row's upper side that is met */
    lp_presolve_keep_row(p, r, -1);
    int first = record->first, middle = p->record[p->records - 1].middle;
    lp_presolve_remove_row(p, r);
    for (int k = first; k < middle; k++) {
        int j = p->kept_index[k];
        bool lower = (p->kept_value[k] > 0.0) == at_min;
        lp_presolve_fix(p, j, lower ? p->lower[j] : p->upper[j]);
    }
}

/* What bounds on the columns say of row r. True when it is gone or must wait. */
static bool compare_with_activity(lp_presolve *p, int r)
{
    const lp_row_range *a = lp_presolve_activity(p, r);
    double lower = p->row_lower[r], upper = p->row_upper[r], size = a->size;
    double min = a->min_infinite > 0 ? -LP_INFINITY : a->min;
    double max = a->max_infinite > 0 ? LP_INFINITY : a->max;
    double rounding = ROUNDING * size;
    if (lp_presolve_contradicts(min, upper, size) || lp_presolve_contradicts(lower, max, size)) {
        p->failed = true;
        return true;
    }
    bool low = lower > -LP_INFINITY && min < lower - rounding;
    bool high = upper < LP_INFINITY && max > upper + rounding;
    if (!low && !high) {
        free_row(p, r);
        return true;
    }
    if (isfinite(min) && min >= upper - rounding) {
        forcing_row(p, r, true);
        return true;
    }
    if (isfinite(max) && max <= lower + rounding) {
        forcing_row(p, r, false);
        return true;
    }
    if (lower < upper && ((lower > -LP_INFINITY && !low) || (upper < LP_INFINITY && !high)))
        lp_presolve_set_row_sides(p, r, low ? lower : -LP_INFINITY, high ? upper : LP_INFINITY);
    return false;
}

void lp_presolve_row(lp_presolve *p, int r)
{
    lp_presolve_count(p, 1.0);
    double lower = p->row_lower[r], upper = p->row_upper[r];
    if (lower > upper || lower == LP_INFINITY || upper == -LP_INFINITY) {
        p->failed = true;
        return;
    }
    if (p->row_length[r] == 0) {
        empty_row(p, r);
        return;
    }
    if (p->row_length[r] == 1) {
        singleton_row(p, r);
        return;
    }
    if (compare_with_activity(p, r))
        return;
    if (p->row_length[r] == 2 && lower == upper)
        lp_presolve_doubleton(p, r);
}
