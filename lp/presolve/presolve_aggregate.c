/* Reductions that express one column by others: equations of two columns, column
 * singletons, columns whose bounds the rows imply. */
#include <assert.h>

#include "lp/presolve/presolve_internal.h"

#define PIVOT 1e-3     /* an eliminated column's entry, relative to the others of its row */
#define ROUNDING 1e-12 /* of an implied bound, relative to the activity behind it */
#define SLACKS 4       /* in a row; the others are parallel and become one column */

/* Column k out of the model by row r: x_k = (side - rest of the row) / pivot. Adds what x_k
 * stood for to the other columns of the row and removes both. */
static void eliminate(lp_presolve *p, int r, int k, double pivot, double side)
{
    double cost = p->cost[k];
    for (int e = p->row_first[r]; e >= 0; e = p->row_next[e]) {
        int j = p->col[e];
        if (j == k)
            continue;
        double factor = -p->value[e] / pivot;
        if (p->col_length[k] > 1)
            lp_presolve_add_col(p, j, k, factor, r);
        if (cost != 0.0)
            p->cost[j] = lp_presolve_sum(p->cost[j], factor * cost);
        lp_presolve_touch_col(p, j);
    }
    if (side != 0.0)
        for (int e = p->col_first[k]; e >= 0; e = p->col_next[e])
            if (p->row[e] != r)
                lp_presolve_shift_row(p, p->row[e], -p->value[e] * side / pivot);
    p->offset += cost * side / pivot;
    lp_presolve_remove_row(p, r);
    lp_presolve_remove_col(p, k);
}

/* Whether the model without column k, by row r, would be much less exact. */
static bool loses_digits(lp_presolve *p, int r, int k, double pivot)
{
    if (p->col_length[k] > 1)
        for (int e = p->row_first[r]; e >= 0; e = p->row_next[e])
            if (p->col[e] != k && lp_presolve_cancels(p, p->col[e], k, -p->value[e] / pivot, r))
                return true;
    return false;
}

/* ---- equations of two columns ------------------------------------------------------- */

bool lp_presolve_doubleton(lp_presolve *p, int r)
{
    int e = p->row_first[r], f = p->row_next[e];
    if (p->col_length[p->col[e]] < p->col_length[p->col[f]] ||
        (p->col_length[p->col[e]] == p->col_length[p->col[f]] &&
         fabs(p->value[e]) > fabs(p->value[f]))) {
        int other = e;
        e = f;
        f = other;
    }
    int j = p->col[e], k = p->col[f]; /* j stays */
    double a = p->value[e], b = p->value[f], side = p->row_lower[r];
    if (fabs(b) < PIVOT * fabs(a) || fabs(a) < PIVOT * fabs(b) || loses_digits(p, r, k, b))
        return false;
    bool falls = a / b > 0.0; /* x_j falls where x_k rises */
    double low = (side - b * (falls ? p->upper[k] : p->lower[k])) / a;
    double high = (side - b * (falls ? p->lower[k] : p->upper[k])) / a;
    double lower = p->lower[j], upper = p->upper[j];
    if (lp_presolve_contradicts(low, upper, 0.0) || lp_presolve_contradicts(lower, high, 0.0)) {
        p->failed = true;
        return true;
    }
    lp_record *record = lp_presolve_record(p, LP_DOUBLETON, r, k);
    record->other = j;
    record->a = a;
    record->b = b;
    record->side = side;
    record->cost = p->cost[k];
    record->lower = p->lower[k];
    record->upper = p->upper[k];
    record->low = low > lower;
    record->high = high < upper;
    bool raise = record->low, reduce = record->high;
    lp_presolve_keep_col(p, k, r);
    eliminate(p, r, k, b, side);
    if (raise)
        lp_presolve_set_lower(p, j, fmin(low, upper));
    if (reduce)
        lp_presolve_set_upper(p, j, fmax(high, p->lower[j]));
    return true;
}

/* ---- implied bounds ------------------------------------------------------------------- */

/* The bounds that the row of entry e implies for its column, up to rounding. */
static void implied_bounds(lp_presolve *p, int e, double *low, double *high)
{
    double min, max, size, value = p->value[e];
    int r = p->row[e];
    lp_presolve_rest(p, e, &min, &max, &size);
    double least = p->row_lower[r] - max, most = p->row_upper[r] - min; /* of value x */
    double rounding = ROUNDING * (size / fabs(value));
    *low = (value > 0.0 ? least : most) / value + rounding;
    *high = (value > 0.0 ? most : least) / value - rounding;
}

/* True when the rows keep column j within its bounds. */
static bool is_implied_free(lp_presolve *p, int j)
{
    bool low = p->lower[j] == -LP_INFINITY, high = p->upper[j] == LP_INFINITY;
    for (int e = p->col_first[j]; e >= 0 && !(low && high); e = p->col_next[e]) {
        double least, most;
        implied_bounds(p, e, &least, &most);
        low = low || least >= p->lower[j];
        high = high || most <= p->upper[j];
    }
    return low && high;
}

static double largest_in_row(const lp_presolve *p, int r)
{
    double largest = 0.0;
    for (int e = p->row_first[r]; e >= 0; e = p->row_next[e])
        largest = fmax(largest, fabs(p->value[e]));
    return largest;
}

/* x_k from row r at its lower or upper side (the same for an equation). */
static void substitute_by(lp_presolve *p, int e, bool upper_side)
{
    int r = p->row[e], k = p->col[e];
    double pivot = p->value[e], side = upper_side ? p->row_upper[r] : p->row_lower[r];
    lp_record *record = lp_presolve_record(p, LP_SUBSTITUTED, r, k);
    record->b = pivot;
    record->side = side;
    record->cost = p->cost[k];
    record->low = p->row_lower[r] == p->row_upper[r];
    record->high = upper_side;
    lp_presolve_keep_row(p, r, k);
    lp_presolve_keep_col(p, k, r);
    eliminate(p, r, k, pivot, side);
}

bool lp_presolve_substitute(lp_presolve *p, int j)
{
    int best = -1, others = p->col_length[j] - 1;
    for (int e = p->col_first[j]; e >= 0; e = p->col_next[e]) {
        int r = p->row[e], length = p->row_length[r];
        if (p->row_lower[r] != p->row_upper[r] || (length - 1) * others > length + others)
            continue;
        lp_presolve_count(p, length);
        if (fabs(p->value[e]) < PIVOT * largest_in_row(p, r))
            continue;
        if (best < 0 || length < p->row_length[p->row[best]])
            best = e;
    }
    if (best < 0 || !is_implied_free(p, j) || loses_digits(p, p->row[best], j, p->value[best]))
        return false;
    substitute_by(p, best, false);
    return true;
}

/* ---- column singletons ------------------------------------------------------------------ */

/* Column k, of row r alone, becomes part of the row's sides. In an equation its cost goes to
 * the other columns. */
static void slack(lp_presolve *p, int e)
{
    int r = p->row[e], k = p->col[e];
    double b = p->value[e], lower = p->row_lower[r], upper = p->row_upper[r];
    double l = p->lower[k], u = p->upper[k];
    lp_record *record = lp_presolve_record(p, LP_SLACK, r, k);
    record->b = b;
    record->cost = p->cost[k];
    record->lower = l;
    record->upper = u;
    record->other_lower = lower;
    record->other_upper = upper;
    lp_presolve_keep_row(p, r, k);
    if (p->cost[k] != 0.0) {
        assert(lower == upper);
        for (int f = p->row_first[r]; f >= 0; f = p->row_next[f])
            if (f != e)
                p->cost[p->col[f]] =
                    lp_presolve_sum(p->cost[p->col[f]], -p->cost[k] * p->value[f] / b);
        p->offset += p->cost[k] * lower / b;
    }
    double least = lower - b * (b > 0.0 ? u : l), most = upper - b * (b > 0.0 ? l : u);
    lp_presolve_remove_col(p, k);
    lp_presolve_set_row_sides(p, r, least, most);
}

bool lp_presolve_col_singleton(lp_presolve *p, int j)
{
    int e = p->col_first[j], r = p->row[e];
    if (fabs(p->value[e]) < PIVOT * largest_in_row(p, r))
        return false;
    if (p->row_slacks[r] < SLACKS && (p->cost[j] == 0.0 || p->row_lower[r] == p->row_upper[r])) {
        p->row_slacks[r]++;
        slack(p, e);
        return true;
    }
    if (!is_implied_free(p, j))
        return false;
    bool upper_side = p->cost[j] / p->value[e] < 0.0; /* the sign of the multiplier */
    if (isinf(upper_side ? p->row_upper[r] : p->row_lower[r])) {
        p->failed = true;
        return true;
    }
    substitute_by(p, e, upper_side);
    return true;
}
