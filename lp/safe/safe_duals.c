/* Error analysis. Everything is a sum of products of doubles, computed in x87 long
 * double: unit roundoff u = 2^-64, and no product or sum of doubles over- or
 * underflows there, so every operation is exact up to a factor 1 + e, |e| <= u.
 * A sum of n products then has an absolute error of at most
 * gamma(n+1) * (sum of |products|), gamma(k) = k u / (1 - k u) (Higham, Accuracy and
 * Stability, sections 3.1 and 4.2). The factors `n + 8` below leave room for the
 * second-order terms (n < 2^31) and for the roundings of the bound itself. */
#include "lp/safe.h"

#include <float.h>
#include <string.h>

#include "lp/safe/safe_repair.h"

enum { SINGLE_ROUNDS = 2 };

/* A bound is mended if it may be improved by more than GOOD of itself; differences up to the
 * rounding of its terms do not count. */
#define GOOD 1e-10
#define GOOD_TERMS 0x1p-50

_Static_assert(LDBL_MANT_DIG >= 64, "lp/safe/safe_duals.c needs the extended precision of x86-64");

static const long double unit = 0x1p-64L;

/* A sum with its error bound. */
typedef struct bounded_sum {
    long double value;
    long double magnitude; /* sum of the terms' absolute values */
    long double error;     /* errors of the terms */
    long terms;
} bounded_sum;

static inline void bounded_sum_add(bounded_sum *s, long double term, long double error)
{
    s->value += term;
    s->magnitude += fabsl(term);
    s->error += error;
    s->terms++;
}

/* Returns a double that the true sum does not fall below. */
static double bounded_sum_down(const bounded_sum *s)
{
    const long double slack =
        s->error * (1.0L + 0x1p-30L) + (long double)(s->terms + 8) * unit * s->magnitude;
    const long double low = s->value - slack;
    double down = (double)low;
    if (isnan(low))
        return -LP_INFINITY;
    if ((long double)down > low || down == LP_INFINITY)
        down = nextafter(down, -LP_INFINITY);
    return down;
}

/* Returns d = cost - a_j'y; *error bounds its error and is 0 if a_j meets no row with y_r != 0. */
static inline long double reduced_cost(const lp_model *m, const double *y, int j, double cost,
                                       long double *error)
{
    const int first = m->start[j], end = m->start[j + 1];
    long double sum = 0.0L, magnitude = 0.0L;
    for (int k = first; k < end; k++) {
        const long double term = (long double)m->value[k] * y[m->index[k]];
        sum += term;
        magnitude += fabsl(term);
    }
    if (magnitude == 0.0L) {
        *error = 0.0L;
        return cost;
    }
    *error = (long double)(end - first + 8) * unit * (magnitude + fabs(cost));
    return cost - sum;
}

/* The same for multipliers y + low (low may be NULL), and sums up the rounding errors too (Dot2
 * of Ogita, Rump and Oishi). It is far more precise, and exact with error 0 if nothing is
 * rounded, as with small integers. Slower: for columns with an infinite bound. */
static long double reduced_cost_precise(const lp_model *m, const double *y, const double *low,
                                        int j, double cost, long double *error)
{
    long double sum = cost, correction = 0.0L, magnitude = 0.0L;
    const int first = m->start[j], entries = m->start[j + 1] - first;
    const int count = low ? 2 * entries : entries;
    for (int i = 0; i < count; i++) {
        const int k = first + (i < entries ? i : i - entries);
        const long double a = -m->value[k], b = (i < entries ? y : low)[m->index[k]];
        const long double product = a * b;
        const long double product_error = fmal(a, b, -product);
        const long double next = sum + product;
        const long double part = next - sum;
        const long double sum_error = (sum - (next - part)) + (product - part);
        sum = next;
        correction += product_error + sum_error;
        magnitude += fabsl(product_error) + fabsl(sum_error);
    }
    const long double d = sum + correction;
    *error = magnitude == 0.0L
                 ? 0.0L
                 : (long double)(2 * count + 8) * unit * magnitude + 2.0L * unit * fabsl(d);
    return d;
}

/* Returns y if it points at a finite side of row r, else 0. */
static inline double usable_dual(const lp_model *m, int r, double y)
{
    if (!isfinite(y) ||
        (y > 0.0 ? m->row_lower[r] == -LP_INFINITY : m->row_upper[r] == LP_INFINITY))
        return 0.0;
    return y;
}

/* Adds the minimum of d x over [lower, upper], where d is exact up to error. False if the minimum
 * is or may be -infinity. */
static inline bool add_column(bounded_sum *sum, long double d, long double error, double lower,
                              double upper)
{
    if (fabsl(d) > error) { /* the sign is certain: only one bound matters */
        const double x = d > 0.0L ? lower : upper;
        if (isinf(x))
            return false;
        bounded_sum_add(sum, d * x, error * fabs(x));
        return true;
    }
    if (error == 0.0L)
        return true; /* d is exactly 0 */
    const double x = fmax(fabs(lower), fabs(upper));
    if (isinf(x))
        return false;
    bounded_sum_add(sum, d * (d > 0.0L ? lower : upper), error * x);
    return true;
}

/* The expression to bound from below, offset + cost'x, and the best bound so far. */
typedef struct bound_search {
    const lp_model *m;
    const double *lower, *upper; /* extent cols */
    const double *cost;          /* NULL: zeros */
    const double *low;           /* extent rows: part of the multipliers below the last place */
    double offset;
    lp_activity_bounds *implied; /* NULL: not computed yet */
    bool rows_help;              /* implied bounds may be used */
    double bound;                /* best bound so far */
    double *best_y;              /* extent rows: multipliers that prove it */
    int *bad, bad_count;         /* extent cols: columns that made the last sum infinite */
    double wanted;               /* a bound of at least this is good enough; NAN: not known yet */
} bound_search;

static bound_search begin_search(const lp_model *m, const double *lower, const double *upper,
                                 const double *cost, double offset, double *best_y)
{
    return (bound_search){.m = m,
                          .lower = lower ? lower : m->lower,
                          .upper = upper ? upper : m->upper,
                          .cost = cost,
                          .offset = offset,
                          .rows_help = true,
                          .bound = -LP_INFINITY,
                          .wanted = NAN,
                          .best_y = best_y,
                          .bad = base_malloc((size_t)m->cols + 1, sizeof(int))};
}

static void end_search(bound_search *p)
{
    lp_activity_bounds_free(p->implied);
    base_free(p->bad);
}

static const lp_activity_bounds *implied_bounds(bound_search *p)
{
    if (!p->implied)
        p->implied = lp_activity_bounds_create(p->m, p->lower, p->upper);
    return p->implied;
}

/* Returns the bound that is good enough. `naive` is the sum without implied bounds, the most to
 * expect, and `size` the magnitude of its terms. For a proof of infeasibility any positive bound
 * is good; if naive is not positive no proof is possible, and any bound ends the search. */
static double wanted_bound(const bound_search *p, double naive, double size)
{
    if (p->cost)
        return naive - fmax(GOOD * fabs(naive), GOOD_TERMS * size);
    return naive > 0.0 ? DBL_MIN : -LP_INFINITY;
}

/* Adds the terms of the rows for multipliers y + low; low may be NULL. */
static void add_rows(const lp_model *m, const double *y, const double *low, bounded_sum *sum)
{
    for (int r = 0; r < m->rows; r++) {
        const double side = y[r] > 0.0 ? m->row_lower[r] : m->row_upper[r];
        if (y[r] != 0.0)
            bounded_sum_add(sum, (long double)y[r] * side, 0.0L);
        if (low && low[r] != 0.0)
            bounded_sum_add(sum, (long double)low[r] * side, 0.0L);
    }
}

/* Tries y. Columns with a term of -infinity are tried again with precise sums and with bounds
 * implied by the rows. */
static void try_duals(bound_search *p, const double *y, double *d)
{
    const lp_model *m = p->m;
    bounded_sum sum = {0.0L, 0.0L, 0.0L, 0};
    long double implied = 0.0L, implied_size = 0.0L; /* sum and magnitude of terms with implied
                                                        bounds */
    p->bad_count = 0;
    base_work_count(10 * (size_t)m->start[m->cols]);
    bounded_sum_add(&sum, p->offset, 0.0L);
    add_rows(m, y, p->low, &sum);
    for (int j = 0; j < m->cols; j++) {
        const double c = p->cost ? p->cost[j] : 0.0;
        double low = p->lower[j], high = p->upper[j];
        long double error;
        long double dj;
        if (!p->low) {
            dj = reduced_cost(m, y, j, c, &error);
            if (d)
                d[j] = (double)dj;
            if (add_column(&sum, dj, error, low, high))
                continue;
        }
        dj = reduced_cost_precise(m, y, p->low, j, c, &error);
        if (add_column(&sum, dj, error, low, high))
            continue;
        if (p->rows_help)
            lp_activity_imply(implied_bounds(p), j, &low, &high);
        const long double before = sum.value, size_before = sum.magnitude;
        if (!add_column(&sum, dj, error, low, high))
            p->bad[p->bad_count++] = j;
        implied += sum.value - before;
        implied_size += sum.magnitude - size_before;
    }
    if (isnan(p->wanted))
        p->wanted =
            wanted_bound(p, (double)(sum.value - implied), (double)(sum.magnitude - implied_size));
    if (p->bad_count > 0)
        return;
    const double bound = bounded_sum_down(&sum);
    if (bound > p->bound) {
        p->bound = bound;
        if (p->best_y != y)
            memcpy(p->best_y, y, (size_t)m->rows * sizeof *y);
    }
}

/* Tries y shifted in place, by the multiplier of one row for each column in p->bad. */
static void try_shifted_singly(bound_search *p, double *y)
{
    for (int round = 0; round < SINGLE_ROUNDS && p->bad_count > 0; round++) {
        if (!lp_dual_shift(p->m, p->lower, p->upper, p->cost, y, p->bad, p->bad_count, round))
            break;
        try_duals(p, y, NULL);
    }
}

/* Tries y and shifted multipliers with the bounds of the columns alone. If that is not good
 * enough, tries the shifted ones with implied bounds, which may be distant. */
static void try_shifted(bound_search *p, const double *y)
{
    double *shifted = base_copy(y, (size_t)p->m->rows, sizeof *y);
    p->rows_help = false;
    try_duals(p, y, NULL);
    try_shifted_singly(p, shifted);
    p->rows_help = true;
    if (!(p->bound >= p->wanted))
        try_duals(p, shifted, NULL);
    base_free(shifted);
}

/* Returns the best lower bound on offset + cost'x (cost NULL: zeros) from y, extent rows. y gets
 * the multipliers that prove it, d (extent cols; may be NULL) their reduced costs. */
static double find_bound(const lp_model *m, const double *lower, const double *upper, double *y,
                         const double *cost, double offset, double *d)
{
    const size_t size = (size_t)m->rows + 1;
    double *usable = base_malloc(size, sizeof *usable);
    for (int r = 0; r < m->rows; r++)
        y[r] = usable[r] = usable_dual(m, r, y[r]);
    bound_search p = begin_search(m, lower, upper, cost, offset, y);
    try_duals(&p, usable, d);
    if (!(p.bound >= p.wanted)) {
        try_shifted(&p, usable);
        long double error;
        for (int j = 0; d && j < m->cols; j++)
            d[j] = (double)reduced_cost(m, y, j, cost ? cost[j] : 0.0, &error);
    }
    end_search(&p);
    base_free(usable);
    return p.bound;
}

double lp_safe_bound_mend(const lp_model *m, const double *lower, const double *upper, double *y,
                          double *d)
{
    return find_bound(m, lower, upper, y, m->cost, m->offset, d);
}

double lp_safe_bound_fine(const lp_model *m, const double *lower, const double *upper,
                          const double *y, const double *low)
{
    const size_t size = (size_t)m->rows + 1;
    double *usable = base_malloc(size, sizeof *usable), *rest = base_malloc(size, sizeof *rest);
    for (int r = 0; r < m->rows; r++) {
        usable[r] = usable_dual(m, r, y[r]);
        rest[r] = usable[r] == 0.0 || !isfinite(low[r]) ? 0.0 : low[r];
    }
    bound_search p = begin_search(m, lower, upper, m->cost, m->offset, usable);
    p.low = rest;
    try_duals(&p, usable, NULL);
    end_search(&p);
    base_free(usable);
    base_free(rest);
    return p.bound;
}

double lp_safe_bound(const lp_model *m, const double *lower, const double *upper, const double *y,
                     double *d)
{
    double *copy = base_copy(y, (size_t)m->rows, sizeof *y);
    const double bound = lp_safe_bound_mend(m, lower, upper, copy, d);
    base_free(copy);
    return bound;
}

bool lp_farkas_is_proof(const lp_model *m, const double *lower, const double *upper,
                        const double *y)
{
    for (int j = 0; j < m->cols; j++)
        if ((lower ? lower : m->lower)[j] > (upper ? upper : m->upper)[j])
            return true;
    for (int r = 0; r < m->rows; r++)
        if (m->row_lower[r] > m->row_upper[r])
            return true;
    double *copy = base_copy(y, (size_t)m->rows, sizeof *y);
    const double bound = find_bound(m, lower, upper, copy, NULL, 0.0, NULL);
    base_free(copy);
    return bound > 0.0;
}
