/* Error analysis. Everything is a sum of products of doubles, computed in x87 long
 * double: unit roundoff u = 2^-64, and no product or sum of doubles over- or
 * underflows there, so every operation is exact up to a factor 1 + e, |e| <= u.
 * A sum of n products then has an absolute error of at most
 * gamma(n+1) * (sum of |products|), gamma(k) = k u / (1 - k u) (Higham, Accuracy and
 * Stability, sections 3.1 and 4.2). The factors `n + 8` below leave room for the
 * second-order terms (n < 2^31) and for the roundings of the bound itself. */
#include "lp/safe/safe_duals.h"

#include <assert.h>
#include <float.h>
#include <string.h>

#include "lp/safe.h"
#include "lp/safe/safe_rational.h"
#include "lp/safe/safe_repair.h"

enum { SINGLE_ROUNDS = 2 };

/* Of the terms of a reduced cost: what shifts are to leave it, from the least to the most. */
#define LEAST_MARGIN 0x1p-50
#define MOST_MARGIN 0x1p-30
#define MARGIN_GROWTH 0x1p+6
#define GOOD 1e-8 /* relative: a bound that is worse than it could be by more is mended too */

_Static_assert(LDBL_MANT_DIG >= 64, "lp/safe/safe_duals.c needs the extended precision of x86-64");

static const long double unit = 0x1p-64L;

/* A sum that knows how far it may be from the truth. */
typedef struct bounded_sum {
    long double value;
    long double magnitude; /* sum of the terms' absolute values */
    long double error;     /* errors that the terms brought along */
    long terms;
} bounded_sum;

static inline void bounded_sum_add(bounded_sum *s, long double term, long double error)
{
    s->value += term;
    s->magnitude += fabsl(term);
    s->error += error;
    s->terms++;
}

/* A double that the true sum does not fall below. */
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

/* d = cost - a_j'y and a bound on its error; 0 when no row with y_r != 0 is met. */
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

/* The same with the rounding errors themselves summed up (Ogita, Rump and Oishi's
 * Dot2): hundreds of times more precise, and exact with error 0 where nothing is
 * rounded, as with small integers. Slower: for columns with an infinite bound. */
static long double reduced_cost_precise(const lp_model *m, const double *y, int j, double cost,
                                        long double *error)
{
    long double sum = cost, correction = 0.0L, magnitude = 0.0L;
    for (int k = m->start[j]; k < m->start[j + 1]; k++) {
        const long double a = -m->value[k], b = y[m->index[k]];
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
    const int count = m->start[j + 1] - m->start[j];
    *error = magnitude == 0.0L
                 ? 0.0L
                 : (long double)(2 * count + 8) * unit * magnitude + 2.0L * unit * fabsl(d);
    return d;
}

/* y_r where it points at a finite side of row r, else 0. */
static inline double usable_dual(const lp_model *m, int r, double y)
{
    if (!isfinite(y) ||
        (y > 0.0 ? m->row_lower[r] == -LP_INFINITY : m->row_upper[r] == LP_INFINITY))
        return 0.0;
    return y;
}

static inline double larger_magnitude(double a, double b)
{
    return fmax(fabs(a), fabs(b));
}

/* Adds min over [lower, upper] of d x, d within error of d. False when it is, or
 * cannot be told from, -infinity. */
static inline bool add_column(bounded_sum *sum, long double d, long double error, double lower,
                              double upper)
{
    if (fabsl(d) > error) { /* the sign is known: only one bound matters */
        const double x = d > 0.0L ? lower : upper;
        if (isinf(x))
            return false;
        bounded_sum_add(sum, d * x, error * fabs(x));
        return true;
    }
    if (error == 0.0L)
        return true; /* d is exactly 0 */
    const double x = larger_magnitude(lower, upper);
    if (isinf(x))
        return false;
    bounded_sum_add(sum, d * (d > 0.0L ? lower : upper), error * x);
    return true;
}

/* What is to be bounded from below, offset + cost'x, and how far that has come. */
typedef struct problem {
    const lp_model *m;
    const double *lower, *upper; /* extent cols */
    const double *cost;          /* NULL: zeros */
    double offset;
    lp_inward *inward;           /* NULL: there is none to ask */
    lp_activity_bounds *implied; /* NULL: not asked for yet */
    bool rows_help;              /* bounds that are implied count */
    const double
        *reach;       /* extent rows: the multipliers are so far from those tried at most; NULL */
    const bool *zero; /* extent cols: exactly so that these reduced costs are 0; NULL */
    double bound;     /* the best so far */
    double *best_y;   /* extent rows: multipliers in doubles, and what they prove by themselves */
    double own;
    int *bad, bad_count; /* extent cols: columns in the way of a finite one, the last time */
    double wanted;       /* no bound will be better by much */
} problem;

static const lp_activity_bounds *implied_bounds(problem *p)
{
    if (!p->implied)
        p->implied = lp_activity_bounds_create(p->m, p->lower, p->upper);
    return p->implied;
}

static bool is_good(const problem *p)
{
    return p->bound >= p->wanted;
}

static void take_bound(problem *p, double bound)
{
    p->bound = fmax(p->bound, bound);
}

/* What is good enough where no more than `naive` is to be had. A proof of infeasibility is one or
 * is none. */
static double wanted_bound(const problem *p, double naive)
{
    if (p->cost)
        return naive - GOOD * (1.0 + fabs(naive));
    return naive > 0.0 ? DBL_MIN : -LP_INFINITY;
}

/* Adds the terms of the rows. False where a multiplier may have the wrong sign. */
static bool add_rows(const problem *p, const double *y, bounded_sum *sum)
{
    const lp_model *m = p->m;
    for (int r = 0; r < m->rows; r++) {
        const double low = m->row_lower[r], high = m->row_upper[r];
        const double reach = p->reach ? p->reach[r] : 0.0;
        if (reach == 0.0) {
            if (y[r] != 0.0)
                bounded_sum_add(sum, (long double)y[r] * (y[r] > 0.0 ? low : high), 0.0L);
            continue;
        }
        if (isfinite(low) && isfinite(high))
            bounded_sum_add(sum, (long double)y[r] * (y[r] > 0.0 ? low : high),
                            (long double)reach * larger_magnitude(low, high));
        else if (fabs(y[r]) > reach)
            bounded_sum_add(sum, (long double)y[r] * (y[r] > 0.0 ? low : high),
                            (long double)reach * fabs(y[r] > 0.0 ? low : high));
        else
            return false;
    }
    return true;
}

/* What the reach of the multipliers makes of the reduced cost of column j, at most. */
static long double reach_of_column(const problem *p, int j)
{
    const lp_model *m = p->m;
    long double sum = 0.0L;
    for (int k = m->start[j]; p->reach && k < m->start[j + 1]; k++)
        sum += fabsl((long double)m->value[k] * p->reach[m->index[k]]);
    return sum * (1.0L + 0x1p-30L);
}

/* Tries y. Columns whose term is -infinity at first sight are tried again with precise sums and
 * bounds implied by the rows. */
static void try_duals(problem *p, const double *y, double *d)
{
    const lp_model *m = p->m;
    bounded_sum sum = {0.0L, 0.0L, 0.0L, 0};
    long double implied = 0.0L; /* the terms of bounds implied */
    p->bad_count = 0;
    base_work_count(10 * (size_t)m->start[m->cols]);
    bounded_sum_add(&sum, p->offset, 0.0L);
    if (!add_rows(p, y, &sum))
        return;
    for (int j = 0; j < m->cols; j++) {
        const double c = p->cost ? p->cost[j] : 0.0;
        double low = p->lower[j], high = p->upper[j];
        long double error;
        if (p->zero && p->zero[j])
            continue;
        const long double reach = reach_of_column(p, j);
        long double dj = reduced_cost(m, y, j, c, &error);
        if (d)
            d[j] = (double)dj;
        if (add_column(&sum, dj, error + reach, low, high))
            continue;
        dj = reduced_cost_precise(m, y, j, c, &error);
        error += reach;
        if (add_column(&sum, dj, error, low, high))
            continue;
        if (p->rows_help)
            lp_activity_imply(implied_bounds(p), j, &low, &high);
        const long double before = sum.value;
        if (!add_column(&sum, dj, error, low, high))
            p->bad[p->bad_count++] = j;
        implied += sum.value - before;
    }
    if (d)
        p->wanted = wanted_bound(p, (double)(sum.value - implied));
    if (p->bad_count > 0)
        return;
    const double bound = bounded_sum_down(&sum);
    take_bound(p, bound);
    if (!p->reach && bound > p->own) {
        p->own = bound;
        if (p->best_y != y)
            memcpy(p->best_y, y, (size_t)m->rows * sizeof *y);
    }
}

/* The bounds that count. */
static const double *lower_bounds(problem *p)
{
    return p->rows_help ? lp_activity_lower(implied_bounds(p)) : p->lower;
}

static const double *upper_bounds(problem *p)
{
    return p->rows_help ? lp_activity_upper(implied_bounds(p)) : p->upper;
}

/* Tries y corrected in rational arithmetic: for the columns in the way, or for all free ones. */
static void try_corrected(problem *p, const double *y)
{
    const lp_model *m = p->m;
    if (p->bad_count == 0)
        return;
    const double bound = lp_rational_bound(m, lower_bounds(p), upper_bounds(p), y, p->cost,
                                           p->offset, p->bad, p->bad_count);
    take_bound(p, bound);
    if (bound > -LP_INFINITY)
        return;
    double *reach = base_malloc((size_t)m->rows + 1, sizeof *reach);
    bool *zero = base_malloc((size_t)m->cols + 1, sizeof *zero);
    if (lp_dual_free_columns(m, lower_bounds(p), upper_bounds(p), p->cost, y, reach, zero)) {
        p->reach = reach;
        p->zero = zero;
        try_duals(p, y, NULL);
        p->reach = NULL;
        p->zero = NULL;
    }
    base_free(reach);
    base_free(zero);
}

/* Tries y shifted in place by one row's multiplier for each column that is in the way. */
static void try_shifted_singly(problem *p, double *y)
{
    for (int round = 0; round < SINGLE_ROUNDS && p->bad_count > 0; round++) {
        if (!lp_dual_shift(p->m, p->lower, p->upper, p->cost, y, p->bad, p->bad_count, round))
            break;
        try_duals(p, y, NULL);
    }
}

/* The same for y shifted for all columns together, by more and more. */
static void try_shifted_together(problem *p, double *y)
{
    for (double margin = LEAST_MARGIN; margin <= MOST_MARGIN && !is_good(p);
         margin *= MARGIN_GROWTH) {
        if (!lp_dual_shift_all(p->m, lower_bounds(p), upper_bounds(p), p->cost, y, margin))
            break;
        try_duals(p, y, NULL);
        if (!is_good(p))
            try_corrected(p, y);
    }
}

/* The same for y moved, by more and more, in the direction in which no column is in the way. */
static void try_moved_inside(problem *p, const double *y)
{
    const lp_model *m = p->m;
    double *inside = base_malloc((size_t)m->rows + 1, sizeof *inside);
    double *moved = base_malloc((size_t)m->rows + 1, sizeof *moved);
    const bool found = p->inward(m, lower_bounds(p), upper_bounds(p), p->cost, y, inside);
    for (double margin = LEAST_MARGIN; found && margin <= MOST_MARGIN && !is_good(p);
         margin *= MARGIN_GROWTH) {
        for (int r = 0; r < m->rows; r++) {
            moved[r] = y[r] + margin * inside[r];
            if (!lp_dual_is_allowed(m, r, moved[r]))
                moved[r] = 0.0;
        }
        try_duals(p, moved, NULL);
        if (!is_good(p))
            try_corrected(p, moved);
    }
    base_free(inside);
    base_free(moved);
}

/* Tries multipliers next to y: as cheap as can be first. */
static void mend(problem *p, const double *y)
{
    const size_t size = (size_t)p->m->rows * sizeof *y;
    double *shifted = base_malloc((size_t)p->m->rows + 1, sizeof *shifted);
    p->rows_help = false;
    try_duals(p, y, NULL);
    memcpy(shifted, y, size);
    try_shifted_singly(p, shifted);
    for (int help = 1; help >= 0 && !is_good(p); help--) { /* without: those implied may be far */
        p->rows_help = help;
        memcpy(shifted, y, size);
        try_shifted_together(p, shifted);
    }
    p->rows_help = true;
    if (p->bound == -LP_INFINITY && p->inward)
        try_moved_inside(p, y);
    for (int help = 1; help >= 0 && !is_good(p); help--) {
        p->rows_help = help;
        try_duals(p, y, NULL);
        try_corrected(p, y);
    }
    base_free(shifted);
}

static void reduced_costs(const lp_model *m, const double *y, const double *cost, double *d)
{
    long double error;
    for (int j = 0; j < m->cols; j++)
        d[j] = (double)reduced_cost(m, y, j, cost ? cost[j] : 0.0, &error);
}

double lp_duals_prove(const lp_model *m, const double *lower, const double *upper, double *y,
                      const double *cost, double offset, lp_inward *inward, double *d, double *own)
{
    const size_t size = (size_t)m->rows + 1;
    double *usable = base_malloc(size, sizeof *usable);
    for (int r = 0; r < m->rows; r++)
        y[r] = usable[r] = usable_dual(m, r, y[r]);
    problem p = {.m = m,
                 .lower = lower ? lower : m->lower,
                 .upper = upper ? upper : m->upper,
                 .cost = cost,
                 .offset = offset,
                 .inward = inward,
                 .rows_help = true,
                 .bound = -LP_INFINITY,
                 .best_y = y,
                 .own = -LP_INFINITY};
    p.bad = base_malloc((size_t)m->cols + 1, sizeof *p.bad);
    try_duals(&p, usable, d);
    if (!is_good(&p)) {
        mend(&p, usable);
        reduced_costs(m, y, cost, d);
    }
    lp_activity_bounds_free(p.implied);
    base_free(p.bad);
    base_free(usable);
    *own = p.own;
    return p.bound;
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
    double own, *copy = base_malloc((size_t)m->rows + 1, sizeof *copy);
    double *d = base_malloc((size_t)m->cols + 1, sizeof *d);
    memcpy(copy, y, (size_t)m->rows * sizeof *y);
    const double bound = lp_duals_prove(m, lower, upper, copy, NULL, 0.0, NULL, d, &own);
    base_free(d);
    base_free(copy);
    return bound > 0.0;
}
