/* A safe bound by correcting multipliers exactly: a few columns' reduced costs are made zero by
 * moving as many rows' multipliers, whose shifts solve a small rational system; the bound is
 * then summed up in integers. */
#include "lp/safe/safe_rational.h"

#include <assert.h>
#include <string.h>

#include "lp/safe/dyadic.h"

enum {
    MOST_COLUMNS = 40, /* whose reduced costs are made zero */
    MOST_ROWS = 4000   /* that they touch */
};

/* Corrected multipliers (y_r D + n_r) / D, n_r = 0 but for the pivot rows. */
typedef struct rational {
    const lp_model *m;
    const double *lower, *upper, *y, *cost;
    double offset;
    int zero[MOST_COLUMNS]; /* columns whose reduced costs shall be zero */
    int zeros;
    int equation[MOST_COLUMNS], pivot_row[MOST_COLUMNS]; /* independent ones, and their rows */
    int pivots;
    mpq_t shift[MOST_COLUMNS];                  /* of pivot_row's multiplier */
    mpz_t numerator[MOST_COLUMNS], denominator; /* n_r, D */
    int *slot;                                  /* extent rows: place among the pivots, or -1 */
    bool *banned;                               /* rows whose multiplier would get the wrong sign */
    dyadic total, d, product;
} rational;

static double cost_of(const rational *s, int j)
{
    return s->cost ? s->cost[j] : 0.0;
}

/* How well a row's multiplier may be moved: freely, or only while it keeps its sign. */
static double freedom(const rational *s, int r)
{
    const bool low = isfinite(s->m->row_lower[r]), high = isfinite(s->m->row_upper[r]);
    if ((!low && !high) || s->banned[r])
        return 0.0;
    return (low && high) || s->y[r] != 0.0 ? 1.0 : 1e-4;
}

/* Gathers the rows of the zero columns into row[] and the dense matrix of their entries,
 * each times its row's freedom: a[i * *rows + q]. NULL if there are too many. */
static double *gather(const rational *s, int *row, int *rows)
{
    const lp_model *m = s->m;
    *rows = 0;
    for (int i = 0; i < s->zeros; i++) {
        for (int k = m->start[s->zero[i]]; k < m->start[s->zero[i] + 1]; k++) {
            const int r = m->index[k];
            if (s->slot[r] >= 0 || freedom(s, r) == 0.0)
                continue;
            if (*rows == MOST_ROWS)
                return NULL;
            s->slot[r] = *rows;
            row[(*rows)++] = r;
        }
    }
    double *a = base_calloc((size_t)(s->zeros * *rows) + 1, sizeof *a);
    for (int i = 0; i < s->zeros; i++)
        for (int k = m->start[s->zero[i]]; k < m->start[s->zero[i] + 1]; k++)
            if (s->slot[m->index[k]] >= 0)
                a[i * *rows + s->slot[m->index[k]]] = m->value[k] * freedom(s, m->index[k]);
    return a;
}

/* Chooses independent equations and a pivot row for each, by elimination in floating
 * point: the numbers are only a guess, exact elimination follows. */
static bool choose_pivots(rational *s)
{
    int *row = base_malloc(MOST_ROWS, sizeof *row), rows;
    double *a = gather(s, row, &rows); /* uses s->slot for the places in row */
    for (int q = 0; q < rows; q++)
        s->slot[row[q]] = -1;
    s->pivots = 0;
    for (int i = 0; a && i < s->zeros; i++) {
        int best = -1;
        double largest = 0.0;
        for (int q = 0; q < rows; q++) {
            if (fabs(a[i * rows + q]) > 1e-9 && fabs(a[i * rows + q]) > largest) {
                best = q;
                largest = fabs(a[i * rows + q]);
            }
        }
        if (best < 0)
            continue; /* depends on the equations before it */
        for (int e = i + 1; e < s->zeros; e++) {
            const double factor = a[e * rows + best] / a[i * rows + best];
            for (int q = 0; q < rows && factor != 0.0; q++)
                a[e * rows + q] = q == best ? 0.0 : a[e * rows + q] - factor * a[i * rows + q];
        }
        s->equation[s->pivots] = s->zero[i];
        s->pivot_row[s->pivots++] = row[best];
    }
    const bool gathered = a != NULL;
    base_free(row);
    base_free(a);
    return gathered;
}

/* d_j for y as given, exactly, in s->d. */
static void exact_reduced_cost(rational *s, int j)
{
    dyadic_set_zero(&s->d);
    dyadic_add_product(&s->d, cost_of(s, j), 1.0);
    for (int k = s->m->start[j]; k < s->m->start[j + 1]; k++)
        dyadic_add_product(&s->d, -s->m->value[k], s->y[s->m->index[k]]);
}

static void set_dyadic(mpq_t q, const dyadic *s)
{
    mpq_set_z(q, s->mantissa);
    if (s->exponent >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)s->exponent);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-s->exponent);
}

/* row += -factor * pivot row over the columns from..n of an n x (n+1) system. */
static void eliminate(mpq_t *row, mpq_t *pivot, int from, int n, mpq_t factor, mpq_t product)
{
    for (int q = from; q <= n; q++) {
        if (mpq_sgn(pivot[q]) == 0)
            continue;
        mpq_mul(product, factor, pivot[q]);
        mpq_sub(row[q], row[q], product);
    }
}

/* Gauss-Jordan on the system a (n rows of n + 1), pivots on the diagonal, which the
 * choice in floating point has made nonzero unless it erred. */
static bool solve(mpq_t *a, int n)
{
    mpq_t factor, product;
    bool regular = true;
    mpq_inits(factor, product, NULL);
    for (int i = 0; i < n && regular; i++) {
        mpq_t *pivot = a + i * (n + 1);
        regular = mpq_sgn(pivot[i]) != 0;
        for (int e = 0; e < n && regular; e++) {
            mpq_t *row = a + e * (n + 1);
            if (e == i || mpq_sgn(row[i]) == 0)
                continue;
            mpq_div(factor, row[i], pivot[i]);
            eliminate(row, pivot, i, n, factor, product);
        }
    }
    mpq_clears(factor, product, NULL);
    return regular;
}

/* The shifts of the pivot rows' multipliers that make the equations' reduced costs 0. */
static bool find_shifts(rational *s)
{
    const int n = s->pivots;
    const size_t size = (size_t)n * ((size_t)n + 1);
    mpq_t *a = base_malloc(size + 1, sizeof *a);
    for (size_t k = 0; k < size; k++)
        mpq_init(a[k]);
    for (int p = 0; p < n; p++)
        s->slot[s->pivot_row[p]] = p;
    for (int i = 0; i < n; i++) {
        const int j = s->equation[i];
        for (int k = s->m->start[j]; k < s->m->start[j + 1]; k++)
            if (s->slot[s->m->index[k]] >= 0)
                mpq_set_d(a[i * (n + 1) + s->slot[s->m->index[k]]], s->m->value[k]);
        exact_reduced_cost(s, j);
        set_dyadic(a[i * (n + 1) + n], &s->d);
    }
    const bool regular = solve(a, n);
    mpz_set_ui(s->denominator, 1);
    for (int p = 0; p < n && regular; p++) {
        mpq_div(s->shift[p], a[p * (n + 1) + n], a[p * (n + 1) + p]);
        mpz_lcm(s->denominator, s->denominator, mpq_denref(s->shift[p]));
    }
    for (int p = 0; p < n && regular; p++) {
        mpz_divexact(s->numerator[p], s->denominator, mpq_denref(s->shift[p]));
        mpz_mul(s->numerator[p], s->numerator[p], mpq_numref(s->shift[p]));
    }
    for (size_t k = 0; k < size; k++)
        mpq_clear(a[k]);
    base_free(a);
    return regular;
}

/* Adds D y'_r times the side that y'_r points at; false if that is infinite. */
static bool add_row(rational *s, int r)
{
    const int p = s->slot[r];
    dyadic_set_zero(&s->d);
    dyadic_set_zero(&s->product);
    dyadic_add_product(&s->product, s->y[r], 1.0);
    dyadic_add_scaled(&s->d, &s->product, 1.0, s->denominator);
    if (p >= 0)
        dyadic_add(&s->d, s->numerator[p], 0);
    const int sign = dyadic_sign(&s->d);
    const double side = sign > 0 ? s->m->row_lower[r] : s->m->row_upper[r];
    if (sign == 0)
        return true;
    if (!isfinite(side))
        return false;
    dyadic_add_scaled(&s->total, &s->d, side, NULL);
    return true;
}

/* Whether d_j of the corrected multipliers is zero but for rounding, or for what the
 * correction itself has done. */
static bool is_noise(const rational *s, int j)
{
    long double d = cost_of(s, j), magnitude = fabsl(d), moved = 0.0L;
    for (int k = s->m->start[j]; k < s->m->start[j + 1]; k++) {
        const int r = s->m->index[k];
        const double shift = s->slot[r] >= 0 ? mpq_get_d(s->shift[s->slot[r]]) : 0.0;
        const long double term = (long double)s->m->value[k] * (s->y[r] + shift);
        d -= term;
        magnitude += fabsl(term);
        moved += fabsl((long double)s->m->value[k] * shift);
    }
    return fabsl(d) <= fmaxl(1e-9L * magnitude, 2.0L * moved);
}

/* Adds D min over [l_j, u_j] of d_j x_j, d of the corrected multipliers. False when that
 * is -infinity. */
static bool add_column(rational *s, int j)
{
    exact_reduced_cost(s, j);
    dyadic_set_zero(&s->product);
    dyadic_add_scaled(&s->product, &s->d, 1.0, s->denominator);
    for (int k = s->m->start[j]; k < s->m->start[j + 1]; k++) {
        const int p = s->slot[s->m->index[k]];
        long exponent;
        if (p < 0)
            continue;
        mpz_mul_si(s->d.term, s->numerator[p], dyadic_split(-s->m->value[k], &exponent));
        dyadic_add(&s->product, s->d.term, exponent);
    }
    const int sign = dyadic_sign(&s->product);
    const double x = sign > 0 ? s->lower[j] : s->upper[j];
    if (sign == 0)
        return true;
    if (!isfinite(x))
        return false;
    dyadic_add_scaled(&s->total, &s->product, x, NULL);
    return true;
}

/* total / D, rounded down. */
static double rounded_down(rational *s)
{
    mpq_t exact, rounded;
    mpq_inits(exact, rounded, NULL);
    set_dyadic(exact, &s->total);
    mpq_set_z(rounded, s->denominator);
    mpq_div(exact, exact, rounded);
    double value = mpq_get_d(exact);
    if (isfinite(value)) {
        mpq_set_d(rounded, value);
        if (mpq_cmp(rounded, exact) > 0)
            value = nextafter(value, -LP_INFINITY);
    } else {
        value = -LP_INFINITY;
    }
    mpq_clears(exact, rounded, NULL);
    return value;
}

/* One correction and the bound that follows. *again: it did not work out, but further
 * columns turned out to need reduced costs of 0, or a row to be left alone. */
static double try_once(rational *s, bool *again)
{
    const int zeros = s->zeros;
    bool finite = choose_pivots(s) && find_shifts(s);
    *again = false;
    dyadic_set_zero(&s->total);
    dyadic_set_zero(&s->product);
    dyadic_add_product(&s->product, s->offset, 1.0);
    dyadic_add_scaled(&s->total, &s->product, 1.0, s->denominator);
    for (int r = 0; r < s->m->rows && finite; r++) {
        if ((s->y[r] == 0.0 && s->slot[r] < 0) || add_row(s, r))
            continue;
        finite = false;
        *again = s->slot[r] >= 0;
        s->banned[r] = true;
    }
    for (int j = 0; j < s->m->cols && finite; j++) {
        if (add_column(s, j))
            continue;
        finite = s->zeros < MOST_COLUMNS && is_noise(s, j);
        for (int i = 0; i < zeros; i++)
            finite = finite && s->zero[i] != j; /* asked for and not obtained */
        if (finite)
            s->zero[s->zeros++] = j;
    }
    for (int p = 0; p < s->pivots; p++)
        s->slot[s->pivot_row[p]] = -1;
    *again = *again || (finite && s->zeros > zeros);
    return finite && !*again ? rounded_down(s) : -LP_INFINITY;
}

double lp_rational_bound(const lp_model *m, const double *lower, const double *upper,
                         const double *y, const double *cost, double offset, const int *bad,
                         int count)
{
    if (count > MOST_COLUMNS)
        return -LP_INFINITY;
    rational s = {.m = m,
                  .lower = lower,
                  .upper = upper,
                  .y = y,
                  .cost = cost,
                  .offset = offset,
                  .zeros = count};
    memcpy(s.zero, bad, (size_t)count * sizeof *bad);
    s.slot = base_malloc((size_t)m->rows + 1, sizeof *s.slot);
    s.banned = base_calloc((size_t)m->rows + 1, sizeof *s.banned);
    for (int r = 0; r < m->rows; r++)
        s.slot[r] = -1;
    mpz_init(s.denominator);
    for (int k = 0; k < MOST_COLUMNS; k++) {
        mpq_init(s.shift[k]);
        mpz_init(s.numerator[k]);
    }
    dyadic_init(&s.total);
    dyadic_init(&s.d);
    dyadic_init(&s.product);
    double bound = -LP_INFINITY;
    bool again = true;
    for (int round = 0; round < 12 && again; round++)
        bound = try_once(&s, &again);
    dyadic_clear(&s.total);
    dyadic_clear(&s.d);
    dyadic_clear(&s.product);
    for (int k = 0; k < MOST_COLUMNS; k++) {
        mpq_clear(s.shift[k]);
        mpz_clear(s.numerator[k]);
    }
    mpz_clear(s.denominator);
    base_free(s.slot);
    base_free(s.banned);
    return bound;
}
