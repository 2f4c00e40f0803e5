/* Draws the families of models for the suites of the simplex. */
#include "simplex_models.h"

#include <math.h>

typedef struct maker {
    base_rng rng;
    lp_model *m;
    int *row; /* entries of the column under construction */
    double *value;
    int count;
} maker;

static int below(maker *k, int n)
{
    return (int)base_rng_below(&k->rng, (uint64_t)n);
}

static double uniform(maker *k, double low, double high)
{
    return low + (high - low) * base_rng_double(&k->rng);
}

static int integer(maker *k, int low, int high)
{
    return low + below(k, high - low + 1);
}

static bool chance(maker *k, double p)
{
    return base_rng_double(&k->rng) < p;
}

static void entry(maker *k, int row, double value)
{
    for (int e = 0; e < k->count; e++)
        if (k->row[e] == row)
            return;
    k->row[k->count] = row;
    k->value[k->count++] = value;
}

static void column(maker *k, double cost, double lower, double upper)
{
    lp_model_add_col(k->m, cost, lower, upper, false, k->count, k->row, k->value, NULL);
    k->count = 0;
}

/* Bounds of every type. */
static void any_bounds(maker *k, double *lower, double *upper)
{
    double a = integer(k, -5, 5);
    *lower = 0.0;
    *upper = LP_INFINITY;
    switch (below(k, 9)) {
    case 0:
        *upper = integer(k, 1, 10);
        break;
    case 1:
        *lower = -LP_INFINITY;
        break;
    case 2:
        *lower = -LP_INFINITY;
        *upper = a;
        break;
    case 3:
        *lower = *upper = a;
        break;
    case 4:
        *lower = a;
        *upper = a + integer(k, 0, 6);
        break;
    default:
        break;
    }
}

/* What a row allows and the sign of its multiplier that goes with it. */
static void any_row(maker *k, bool tight, double *below_by, double *above_by, double *y)
{
    double slack = tight ? 0.0 : integer(k, 0, 4), size = integer(k, 0, 3);
    *below_by = *above_by = LP_INFINITY;
    *y = 0.0;
    switch (below(k, 6)) {
    case 0:
        *below_by = *above_by = 0.0;
        *y = chance(k, 0.5) ? size : -size;
        break;
    case 1:
        *below_by = slack;
        *y = slack == 0.0 ? size : 0.0;
        break;
    case 2:
        *below_by = slack;
        *above_by = integer(k, 0, 4);
        *y = slack == 0.0 ? size : *above_by == 0.0 ? -size : 0.0;
        break;
    case 3:
        break;
    default:
        *above_by = slack;
        *y = slack == 0.0 ? -size : 0.0;
        break;
    }
}

/* Sparse columns with the given coefficients. Rows lie around the activity of a hidden point, so
 * that most models are feasible, and most costs are such that the point is optimal or a
 * hidden dual solution exists. */
static void general(maker *k, int rows, int cols, double density, bool real, bool degenerate,
                    bool wild)
{
    double *activity = base_calloc((size_t)rows + 1, sizeof *activity);
    double *below_by = base_calloc((size_t)rows + 1, sizeof *below_by);
    double *above_by = base_calloc((size_t)rows + 1, sizeof *above_by);
    double *y = base_calloc((size_t)rows + 1, sizeof *y);
    bool bounded = chance(k, 0.8), feasible = chance(k, 0.85);
    for (int r = 0; r < rows; r++) {
        lp_model_add_row(k->m, 0.0, 0.0, NULL);
        any_row(k, degenerate, &below_by[r], &above_by[r], &y[r]);
    }
    for (int j = 0; j < cols; j++) {
        double lower = 0.0, upper = 1.0, x, cost = 0.0;
        if (!degenerate)
            any_bounds(k, &lower, &upper);
        x = lower > -LP_INFINITY ? lower : upper < LP_INFINITY ? upper : 0.0;
        if (!degenerate && upper > x + 1.0)
            x += integer(k, 0, 1);
        for (int r = 0; r < rows; r++) {
            if (!chance(k, density))
                continue;
            double a = real         ? uniform(k, -3.0, 3.0)
                       : degenerate ? (chance(k, 0.5) ? 1.0 : -1.0)
                                    : integer(k, 1, 9) * (chance(k, 0.5) ? 1.0 : -1.0);
            if (wild)
                a *= pow(10.0, integer(k, -4, 4));
            entry(k, r, a);
            activity[r] += a * x;
            cost += a * y[r];
        }
        double d = integer(k, 0, 8);
        if (!bounded)
            cost = integer(k, -4, 8);
        else if (lower > -LP_INFINITY)
            cost += d;
        else if (upper < LP_INFINITY)
            cost -= d;
        if (degenerate && !bounded)
            cost = integer(k, 0, 3);
        column(k, cost, lower, upper);
    }
    for (int r = 0; r < rows; r++) {
        double around = activity[r] + (feasible ? 0 : integer(k, -9, 9));
        k->m->row_lower[r] = around - below_by[r];
        k->m->row_upper[r] = around + above_by[r];
    }
    base_free_all(activity, below_by, above_by, y);
}

static void transport(maker *k, int n)
{
    int total = 0;
    for (int r = 0; r < 2 * n; r++) {
        int amount = integer(k, 1, 5);
        if (r == 2 * n - 1)
            amount = total > 0 ? total : 1;
        total += r < n ? amount : -amount;
        if (r < n)
            lp_model_add_row(k->m, -LP_INFINITY, amount + 5, NULL);
        else
            lp_model_add_row(k->m, amount, amount, NULL);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            entry(k, i, 1.0);
            entry(k, n + j, 1.0);
            column(k, integer(k, 1, 4), 0.0, chance(k, 0.2) ? 3.0 : LP_INFINITY);
        }
    }
}

static void staircase(maker *k, int periods)
{
    for (int t = 0; t < 3 * periods; t++) {
        double demand = integer(k, 1, 5);
        lp_model_add_row(k->m, t % 3 == 0 ? demand : -LP_INFINITY, t % 3 == 0 ? demand : 10.0,
                         NULL);
    }
    for (int t = 0; t < periods; t++) {
        for (int j = 0; j < 4; j++) {
            entry(k, 3 * t, integer(k, 1, 3));
            entry(k, 3 * t + 1 + below(k, 2), 1.0);
            if (t + 1 < periods)
                entry(k, 3 * t + 3, -integer(k, 1, 3));
            column(k, uniform(k, -2.0, 2.0), 0.0, chance(k, 0.5) ? 8.0 : LP_INFINITY);
        }
    }
}

static void covering(maker *k, int rows, int cols)
{
    for (int r = 0; r < rows; r++)
        lp_model_add_row(k->m, 1.0, LP_INFINITY, NULL);
    for (int j = 0; j < cols; j++) {
        for (int e = 0; e < 4; e++)
            entry(k, below(k, rows), 1.0);
        column(k, integer(k, 1, 3), 0.0, 1.0);
    }
}

/* Chains x1 <= x2 + x3 with a few long knapsacks, as the project's own relaxations. */
static void precedence(maker *k, int rows, int cols)
{
    int knapsacks = rows / 10 + 1;
    for (int r = 0; r < rows; r++)
        lp_model_add_row(k->m, -LP_INFINITY,
                         r < knapsacks    ? cols / 8.0
                         : chance(k, 0.1) ? -1
                                          : 0,
                         NULL);
    for (int j = 0; j < cols; j++) {
        for (int r = 0; r < knapsacks; r++)
            if (chance(k, 0.3))
                entry(k, r, uniform(k, 0.01, 1.0));
        entry(k, knapsacks + below(k, rows - knapsacks), 1.0);
        for (int e = 0; e < 4; e++)
            entry(k, knapsacks + below(k, rows - knapsacks), -1.0);
        column(k, chance(k, 0.5) ? 0.0 : uniform(k, 0.0, 10.0), 0.0, 1.0);
    }
}

/* Rows that repeat one another up to 1e-7. */
static void nearly_singular(maker *k, int rows, int cols)
{
    general(k, rows, cols, 0.4, false, false, false);
    lp_model *m = k->m;
    const int old = m->rows;
    lp_by_rows a = lp_model_by_rows(m);
    for (int e = 0; e < a.start[old]; e++)
        if (chance(k, 0.3))
            a.value[e] *= 1.0 + 1e-7 * integer(k, -1, 1);
    double *lower = base_malloc((size_t)old + 1, sizeof *lower);
    double *upper = base_malloc((size_t)old + 1, sizeof *upper);
    for (int r = 0; r < old; r++) {
        lower[r] = m->row_lower[r] - 1e-3;
        upper[r] = m->row_upper[r] + 1e-3;
    }
    lp_model_add_rows(m, old, lower, upper, a.start, a.col, a.value, NULL);
    lp_by_rows_free(&a);
    base_free_all(lower, upper);
}

const char *simplex_model_family_name(int family)
{
    static const char *const names[SIMPLEX_MODEL_FAMILIES] = {
        "dense",    "sparse",     "degenerate",      "real", "wild",    "transport", "staircase",
        "covering", "precedence", "nearly singular", "tall", "few rows"};
    return names[family];
}

lp_model *simplex_model(int family, int size, uint64_t seed)
{
    maker k = {.rng = {seed * 1000003u + (uint64_t)family}, .m = lp_model_create()};
    k.row = base_malloc(100000, sizeof *k.row);
    k.value = base_malloc(100000, sizeof *k.value);
    int a = 1 + size * integer(&k, 1, 6), b = 1 + size * integer(&k, 1, 9);
    double thin = fmin(1.0, 3.0 / a);
    switch (family) {
    case 0:
        general(&k, a, b, 0.7, false, false, false);
        break;
    case 1:
        general(&k, 2 * a, 2 * b, thin, false, false, false);
        break;
    case 2:
        general(&k, 2 * a, 2 * b, thin, false, true, false);
        break;
    case 3:
        general(&k, a, b, fmin(1.0, 6.0 / a), true, false, false);
        break;
    case 4:
        general(&k, a, b, fmin(1.0, 6.0 / a), false, false, true);
        break;
    case 5:
        transport(&k, 1 + size + below(&k, size));
        break;
    case 6:
        staircase(&k, 2 + 3 * size);
        break;
    case 7:
        covering(&k, 3 + 4 * a, 4 + 6 * b);
        break;
    case 8:
        precedence(&k, 12 + 5 * a, 5 + 4 * b);
        break;
    case 9:
        nearly_singular(&k, a, b);
        break;
    case 10:
        general(&k, 5 * b, b, fmin(1.0, 3.0 / b), false, false, false);
        break;
    default:
        general(&k, 1 + below(&k, 2), 6 * b, 0.8, false, false, false);
        break;
    }
    base_free_all(k.row, k.value);
    return k.m;
}
