/* Row activities with directed rounding, the bounds that they imply for unbounded columns, and
 * shifts of multipliers that push single reduced costs past zero. */
#include "lp/safe/safe_repair.h"

#include "lp/safe.h"

#include <assert.h>

/* Larger implied bounds are ignored: rounding errors times such a bound would dominate the
 * result. */
#define USEFUL 1e15

/* Returns the minimum of a x over [lower, upper], possibly -infinity. */
static long double least_term(double a, double lower, double upper)
{
    return (long double)a * (a > 0.0 ? lower : upper);
}

static void activity_add(lp_activity_sum *s, long double term)
{
    if (isinf(term)) {
        s->infinite++;
        return;
    }
    s->sum += term;
    s->magnitude += fabsl(term);
    s->terms++;
}

/* Replaces an infinite term by a finite one. */
static void activity_make_finite(lp_activity_sum *s, long double term)
{
    s->infinite--;
    activity_add(s, term);
}

/* Tightens the bounds of x_j by v x_j <= side - (activity of the other columns). s is the least
 * activity of the row, own the term of x_j in it. Bounds x_j from above if v > 0, from below
 * if v < 0. */
static void imply_one(const lp_activity_sum *s, long double own, double side, double v,
                      double *lower, double *upper)
{
    const int others_infinite = s->infinite - (isinf(own) ? 1 : 0);
    if (isinf(side) || others_infinite > 0)
        return;
    const long double others = isinf(own) ? s->sum : s->sum - own;
    const long double magnitude = s->magnitude + fabs(side);
    const long double room =
        (side - others) + (long double)(s->terms + 8) * 0x1p-64L * 2.0L * magnitude;
    const long double limit = room / v;
    /* Two steps to the neighbouring double are far more than the error of the division. */
    if (v > 0.0) {
        const double high = nextafter(nextafter((double)limit, LP_INFINITY), LP_INFINITY);
        *upper = fmin(*upper, high);
    } else {
        const double low = nextafter(nextafter((double)limit, -LP_INFINITY), -LP_INFINITY);
        *lower = fmax(*lower, low);
    }
}

/* Tightens the bounds of x_j by row r, which has the entry v in column j. */
static void imply_by_row(const lp_activity_bounds *a, int r, int j, double v, double *lower,
                         double *upper)
{
    const double l = a->lower[j], u = a->upper[j];
    imply_one(&a->least[r], least_term(v, l, u), a->m->row_upper[r], v, lower, upper);
    imply_one(&a->most[r], least_term(-v, l, u), -a->m->row_lower[r], -v, lower, upper);
}

/* ---- propagation ---------------------------------------------------------------------- */

static bool may_imply(const lp_activity_bounds *a, int r)
{
    return (a->least[r].infinite <= 1 && isfinite(a->m->row_upper[r])) ||
           (a->most[r].infinite <= 1 && isfinite(a->m->row_lower[r]));
}

static void enqueue(lp_activity_bounds *a, int r)
{
    if (a->is_queued[r] || !may_imply(a, r))
        return;
    a->is_queued[r] = true;
    a->queue[a->queued++] = r;
}

/* Stores finite bounds low and high of column j in place of infinite ones. */
static void set_finite_bounds(lp_activity_bounds *a, int j, double low, double high)
{
    const lp_model *m = a->m;
    const bool new_low = isfinite(low) && isinf(a->lower[j]);
    const bool new_high = isfinite(high) && isinf(a->upper[j]);
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const int r = m->index[k];
        const double v = m->value[k];
        if (new_low)
            activity_make_finite(v > 0.0 ? &a->least[r] : &a->most[r], fabsl((long double)v) * low);
        if (new_high)
            activity_make_finite(v > 0.0 ? &a->most[r] : &a->least[r],
                                 -fabsl((long double)v) * high);
        enqueue(a, r);
    }
    if (new_low)
        a->lower[j] = low;
    if (new_high)
        a->upper[j] = high;
}

/* Implies the missing bounds of the columns of row r. */
static void propagate_row(lp_activity_bounds *a, int r)
{
    for (int k = a->rows.start[r]; k < a->rows.start[r + 1]; k++) {
        const int j = a->rows.col[k];
        double low = a->lower[j], high = a->upper[j];
        if (isfinite(low) && isfinite(high))
            continue;
        imply_by_row(a, r, j, a->rows.value[k], &low, &high);
        low = fabs(low) <= USEFUL ? low : a->lower[j];
        high = fabs(high) <= USEFUL ? high : a->upper[j];
        if (isfinite(low) > isfinite(a->lower[j]) || isfinite(high) > isfinite(a->upper[j]))
            set_finite_bounds(a, j, low, high);
    }
}

/* Implies bounds until no row implies another one. Each infinite bound becomes finite at most
 * once. */
static void propagate(lp_activity_bounds *a)
{
    const lp_model *m = a->m;
    a->rows = lp_model_by_rows(m);
    a->queue = base_malloc((size_t)m->rows + 1, sizeof *a->queue);
    a->is_queued = base_calloc((size_t)m->rows + 1, sizeof *a->is_queued);
    for (int r = 0; r < m->rows; r++)
        enqueue(a, r);
    while (a->queued > 0) {
        const int r = a->queue[--a->queued];
        a->is_queued[r] = false;
        propagate_row(a, r);
    }
    lp_by_rows_free(&a->rows);
    base_free_all(a->queue, a->is_queued);
}

lp_activity_bounds *lp_activity_bounds_create(const lp_model *m, const double *lower,
                                              const double *upper)
{
    lp_activity_bounds *a = base_calloc(1, sizeof *a);
    a->m = m;
    a->lower = base_copy(lower, (size_t)m->cols, sizeof *lower);
    a->upper = base_copy(upper, (size_t)m->cols, sizeof *upper);
    a->least = base_calloc((size_t)m->rows + 1, sizeof *a->least);
    a->most = base_calloc((size_t)m->rows + 1, sizeof *a->most);
    for (int j = 0; j < m->cols; j++) {
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            const double v = m->value[k];
            activity_add(&a->least[m->index[k]], least_term(v, lower[j], upper[j]));
            activity_add(&a->most[m->index[k]], least_term(-v, lower[j], upper[j]));
        }
    }
    propagate(a);
    return a;
}

void lp_activity_bounds_free(lp_activity_bounds *a)
{
    if (!a)
        return;
    base_free_all(a->lower, a->upper, a->least, a->most, a);
}

void lp_activity_imply(const lp_activity_bounds *a, int j, double *lower, double *upper)
{
    const lp_model *m = a->m;
    *lower = fmax(*lower, a->lower[j]);
    *upper = fmin(*upper, a->upper[j]);
    for (int k = m->start[j]; k < m->start[j + 1]; k++)
        imply_by_row(a, m->index[k], j, m->value[k], lower, upper);
}

int lp_open_column(const lp_model *m)
{
    lp_activity_bounds *a = lp_activity_bounds_create(m, m->lower, m->upper);
    int open = -1;
    for (int j = 0; j < m->cols && open < 0; j++)
        if (isinf(a->lower[j]) || isinf(a->upper[j]))
            open = j;
    lp_activity_bounds_free(a);
    return open;
}

/* True if the multiplier of row r may be y: it points at a finite side, or is 0. */
static bool is_allowed(const lp_model *m, int r, double y)
{
    return y == 0.0 || !isinf(y > 0.0 ? m->row_lower[r] : m->row_upper[r]);
}

/* Moves the reduced cost of column j by at least `by` through the multiplier of one row. False if
 * no row allows it. */
static bool shift_column(const lp_model *m, int j, double by, double *y, int round)
{
    const int first = m->start[j], count = m->start[j + 1] - first;
    int best = -1;
    double best_size = 0.0;
    for (int i = 0; i < count; i++) {
        /* The first round takes the largest entry. Later rounds start elsewhere, so that columns
         * that undo each other's shifts choose different rows. */
        const int k = first + (int)((i + (long)round * 7919) % count);
        const double v = m->value[k];
        if (!is_allowed(m, m->index[k], y[m->index[k]] - by / v))
            continue;
        if (fabs(v) > best_size) {
            best = k;
            best_size = fabs(v);
            if (round > 0)
                break;
        }
    }
    if (best < 0)
        return false;
    const int r = m->index[best];
    const double moved = y[r] - by / m->value[best];
    /* Round away from y[r], so that even a shift below its precision has an effect. */
    y[r] = nextafter(moved, moved > y[r] ? LP_INFINITY : -LP_INFINITY);
    if (!is_allowed(m, r, y[r]))
        y[r] = moved;
    return true;
}

bool lp_dual_shift(const lp_model *m, const double *lower, const double *upper, const double *cost,
                   double *y, const int *bad, int count, int round)
{
    for (int i = 0; i < count; i++) {
        const int j = bad[i];
        if (isinf(lower[j]) && isinf(upper[j]))
            return false;
        long double d = cost ? cost[j] : 0.0, magnitude = fabsl(d);
        for (int k = m->start[j]; k < m->start[j + 1]; k++) {
            const long double term = (long double)m->value[k] * y[m->index[k]];
            d -= term;
            magnitude += fabsl(term);
        }
        const double sign = isinf(upper[j]) ? 1.0 : -1.0; /* the sign that d should have */
        const double margin = (double)(0x1p-60L * magnitude);
        const double lack = margin - sign * (double)d;
        if (lack <= 0.0)
            continue; /* an earlier shift was enough */
        if (lack > 1e-7 * (double)magnitude || !shift_column(m, j, sign * lack, y, round))
            return false;
    }
    return true;
}
