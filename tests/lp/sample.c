/* Draws matrices of each family, then sides, bounds and costs around a point. */
#include "tests/lp/sample.h"

#include <stdio.h>

#include "tests/owned.h"

typedef struct matrix {
    int rows, cols;
    double *value; /* extent rows * cols, by columns: small models only */
} matrix;

const char *sample_family_name(sample_family family)
{
    static const char *const names[SAMPLE_FAMILIES] = {
        "sparse",    "dense",           "degenerate", "covering", "network",  "infeasible",
        "unbounded", "nearly-singular", "scaled",     "boxed",    "reducible"};
    return names[family];
}

static bool chance(base_rng *rng, double probability)
{
    return base_rng_double(rng) < probability;
}

static int between(base_rng *rng, int low, int high)
{
    return low + (int)base_rng_below(rng, (uint64_t)high - (uint64_t)low + 1);
}

/* A nonzero number: mostly small integers, some decimals. */
static double coefficient(base_rng *rng)
{
    const double sign = chance(rng, 0.5) ? 1.0 : -1.0;
    if (chance(rng, 0.7))
        return sign * between(rng, 1, 9);
    return sign * (0.01 + floor(base_rng_double(rng) * 1e4) / 1e3);
}

static double *entry(matrix *a, int r, int j)
{
    return &a->value[(size_t)j * (size_t)a->rows + (size_t)r];
}

static void fill(base_rng *rng, sample_family family, matrix *a)
{
    const double density = family == SAMPLE_DENSE ? 0.9 : fmin(1.0, 3.0 / a->rows + 0.1);
    for (int j = 0; j < a->cols; j++) {
        for (int r = 0; r < a->rows; r++) {
            if (family == SAMPLE_NETWORK || !chance(rng, density))
                continue;
            if (family == SAMPLE_COVERING)
                *entry(a, r, j) = 1.0;
            else if (family == SAMPLE_DEGENERATE)
                *entry(a, r, j) = chance(rng, 0.6) ? 1.0 : -1.0;
            else
                *entry(a, r, j) = coefficient(rng);
        }
        if (family == SAMPLE_NETWORK && a->rows > 1) {
            const int from = between(rng, 0, a->rows - 1);
            const int to = (from + between(rng, 1, a->rows - 1)) % a->rows;
            *entry(a, from, j) = -1.0;
            *entry(a, to, j) = 1.0;
        }
    }
}

/* Half of the rows become multiples of others, with noise in some entries. */
static void nearly_repeat(base_rng *rng, matrix *a)
{
    for (int r = 1; r < a->rows; r++) {
        if (!chance(rng, 0.5))
            continue;
        const int like = between(rng, 0, r - 1);
        const double factor = coefficient(rng);
        const double noise = ldexp(1.0, -between(rng, 10, 30));
        for (int j = 0; j < a->cols; j++) {
            *entry(a, r, j) = factor * *entry(a, like, j);
            if (chance(rng, 0.3))
                *entry(a, r, j) *= 1.0 + noise;
        }
    }
}

/* Bounds of a column and a point within them. */
static double bounds(base_rng *rng, sample_family family, double *lower, double *upper)
{
    int kind = between(rng, 0, 9);
    if (family == SAMPLE_COVERING || family == SAMPLE_NETWORK)
        kind = chance(rng, 0.8) ? 0 : 5;
    if (family == SAMPLE_BOXED)
        kind = between(rng, 4, 7);
    if (family == SAMPLE_UNBOUNDED && chance(rng, 0.4))
        kind = 9;
    *lower = 0.0;
    *upper = LP_INFINITY;
    switch (kind) {
    case 4:
        *upper = 1.0;
        break;
    case 5:
        *upper = between(rng, 1, 20);
        break;
    case 6:
        *lower = between(rng, -10, 10);
        *upper = *lower + between(rng, 0, 10);
        break;
    case 7:
        *lower = -coefficient(rng);
        *upper = *lower + fabs(coefficient(rng));
        break;
    case 8:
        *lower = -LP_INFINITY;
        *upper = between(rng, -5, 5);
        break;
    case 9:
        *lower = -LP_INFINITY;
        break;
    default:
        break;
    }
    const double low = fmax(*lower, fmin(0.0, *upper) - 10.0);
    const double high = fmin(*upper, low + 10.0);
    if (chance(rng, 0.6))
        return isfinite(*lower) ? *lower : isfinite(*upper) ? *upper : 0.0;
    return low + floor((high - low) * base_rng_double(rng) * 8.0) / 8.0;
}

/* Sides of a row whose activity is `at` at the point that the model is built around. */
static void sides(base_rng *rng, sample_family family, double at, double *lower, double *upper)
{
    const double room = chance(rng, 0.5) ? 0.0 : between(rng, 1, 10);
    int kind = between(rng, 0, 9);
    *lower = -LP_INFINITY;
    *upper = LP_INFINITY;
    if (family == SAMPLE_COVERING) {
        *lower = 1.0;
        return;
    }
    if (family == SAMPLE_NETWORK)
        kind = 7;
    if (family == SAMPLE_DEGENERATE && chance(rng, 0.7))
        at = 0.0;
    if (kind <= 3) {
        *upper = at + room;
    } else if (kind <= 6) {
        *lower = at - room;
    } else if (kind == 8) {
        *lower = at - room;
        *upper = at + between(rng, 0, 10);
    } else if (kind == 7 || chance(rng, 0.5)) {
        *lower = *upper = at;
    }
}

/* The activity that row r may have at most, made finite. */
static double upper_side(lp_model *m, int r)
{
    if (isinf(m->row_upper[r]))
        m->row_upper[r] = isinf(m->row_lower[r]) ? 5.0 : m->row_lower[r] + 3.0;
    return m->row_upper[r];
}

/* Adds a combination of two rows with a side beyond what they allow. */
static void contradict(base_rng *rng, lp_model *m)
{
    lp_by_rows a = lp_model_by_rows(m);
    const int r = between(rng, 0, m->rows - 1), s = between(rng, 0, m->rows - 1);
    const double beyond = chance(rng, 0.3) ? 1e-4 : between(rng, 1, 9);
    OWNED(double) *sum = base_calloc((size_t)m->cols, sizeof *sum);
    OWNED(int) *cols = base_malloc((size_t)m->cols, sizeof *cols);
    for (int k = a.start[r]; k < a.start[r + 1]; k++)
        sum[a.col[k]] += 2.0 * a.value[k];
    for (int k = a.start[s]; k < a.start[s + 1]; k++)
        sum[a.col[k]] += a.value[k];
    for (int j = 0; j < m->cols; j++)
        cols[j] = j;
    const double low = 2.0 * upper_side(m, r) + upper_side(m, s) + beyond, high = LP_INFINITY;
    const int span[2] = {0, m->cols};
    lp_model_add_rows(m, 1, &low, &high, span, cols, sum, NULL);
    lp_by_rows_free(&a);
}

static void scale(base_rng *rng, lp_model *m)
{
    OWNED(double) *row = base_malloc((size_t)m->rows, sizeof *row);
    for (int r = 0; r < m->rows; r++) {
        row[r] = ldexp(1.0, between(rng, -20, 20));
        m->row_lower[r] *= row[r];
        m->row_upper[r] *= row[r];
    }
    for (int j = 0; j < m->cols; j++) {
        const double factor = ldexp(1.0, between(rng, -10, 10));
        m->cost[j] *= factor;
        m->lower[j] /= factor;
        m->upper[j] /= factor;
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            m->value[k] *= factor * row[m->index[k]];
    }
}

/* A cost that mostly pushes towards a finite bound; else nearly all would be unbounded. */
static double cost_of(base_rng *rng, sample_family family, double lower, double upper)
{
    const double cost = chance(rng, 0.2) ? 0.0 : coefficient(rng);
    if (family == SAMPLE_UNBOUNDED || chance(rng, 0.1))
        return cost;
    if (isinf(lower) && isinf(upper))
        return chance(rng, 0.5) ? 0.0 : cost;
    return isinf(upper) ? fabs(cost) : isinf(lower) ? -fabs(cost) : cost;
}

/* ---- what presolve finds -------------------------------------------------------- */

/* Adds a row with entries over cols, which ascend, its sides around the point. */
static void add_row(base_rng *rng, lp_model *m, const double *point, int count, const int *cols,
                    const double *values, bool equation)
{
    double at = 0.0, low, high;
    const int span[2] = {0, count};
    for (int k = 0; k < count; k++)
        at += values[k] * point[cols[k]];
    sides(rng, SAMPLE_SPARSE, at, &low, &high);
    if (equation)
        low = high = at;
    lp_model_add_rows(m, 1, &low, &high, span, cols, values, NULL);
}

/* Adds a column with entries in rows; the sides of these move so that the point, to which
 * x belongs, meets them as before. */
static void add_col(lp_model *m, double *point, double x, double cost, double lower, double upper,
                    int count, const int *rows, const double *values)
{
    for (int k = 0; k < count; k++) {
        m->row_lower[rows[k]] += values[k] * x;
        m->row_upper[rows[k]] += values[k] * x;
    }
    point[m->cols] = x;
    lp_model_add_col(m, cost, lower, upper, false, count, rows, values, NULL);
}

/* A power of two: multiples by it are exact, so that they are multiples to exact solvers. */
static double exact_factor(base_rng *rng)
{
    return (chance(rng, 0.5) ? 1.0 : -1.0) * ldexp(1.0, between(rng, -2, 3));
}

static void add_multiple_of_row(base_rng *rng, lp_model *m, const double *point)
{
    int *cols = base_malloc((size_t)m->cols, sizeof *cols), count = 0;
    double *values = base_malloc((size_t)m->cols, sizeof *values);
    const int r = between(rng, 0, m->rows - 1);
    const double factor = exact_factor(rng);
    for (int j = 0; j < m->cols; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            if (m->index[k] == r) {
                cols[count] = j;
                values[count++] = factor * m->value[k];
            }
    add_row(rng, m, point, count, cols, values, chance(rng, 0.2));
    base_free_all(cols, values);
}

static void add_multiple_of_col(base_rng *rng, lp_model *m, double *point)
{
    const int j = between(rng, 0, m->cols - 1), count = m->start[j + 1] - m->start[j];
    const double factor = exact_factor(rng);
    int *rows = base_malloc((size_t)count + 1, sizeof *rows);
    double *values = base_malloc((size_t)count + 1, sizeof *values), lower, upper;
    const double x = bounds(rng, SAMPLE_SPARSE, &lower, &upper);
    for (int k = 0; k < count; k++) {
        rows[k] = m->index[m->start[j] + k];
        values[k] = factor * m->value[m->start[j] + k];
    }
    const double cost = factor * m->cost[j] + (chance(rng, 0.7) ? 0.0 : coefficient(rng));
    add_col(m, point, x, cost, lower, upper, count, rows, values);
    base_free_all(rows, values);
}

/* A row of one or two columns, or a column of one or two rows. */
static void add_short(base_rng *rng, lp_model *m, double *point, bool row)
{
    const int extent = row ? m->cols : m->rows, first = between(rng, 0, extent - 1);
    const int second = between(rng, 0, extent - 1), count = first == second ? 1 : 2;
    const int index[2] = {first < second ? first : second, first < second ? second : first};
    const double values[2] = {coefficient(rng), coefficient(rng)};
    double lower, upper;
    if (row) {
        add_row(rng, m, point, count, index, values, chance(rng, 0.5));
        return;
    }
    const double x =
        bounds(rng, chance(rng, 0.3) ? SAMPLE_UNBOUNDED : SAMPLE_SPARSE, &lower, &upper);
    const double cost = chance(rng, 0.4) ? 0.0 : cost_of(rng, SAMPLE_SPARSE, lower, upper);
    add_col(m, point, x, cost, lower, upper,
            chance(rng, 0.1)   ? 0
            : chance(rng, 0.5) ? 1
                               : count,
            index, values);
}

/* Adds rows and columns up to these extents. point: extent cols, the present ones' values. */
static void add_reducible(base_rng *rng, lp_model *m, double *point, int rows, int cols)
{
    while (m->rows < rows || m->cols < cols) {
        const bool row = m->rows < rows && (m->cols >= cols || chance(rng, 0.5));
        const bool multiple = chance(rng, 0.4);
        if (!multiple)
            add_short(rng, m, point, row);
        else if (row)
            add_multiple_of_row(rng, m, point);
        else
            add_multiple_of_col(rng, m, point);
    }
}

lp_model *sample_model(base_rng *rng, sample_family family, int rows, int cols)
{
    matrix a = {between(rng, 1, rows), between(rng, 1, cols), NULL};
    const int all_rows = a.rows, all_cols = a.cols;
    if (family == SAMPLE_UNBOUNDED || family == SAMPLE_REDUCIBLE)
        a.rows = (a.rows + 1) / 2;
    if (family == SAMPLE_REDUCIBLE)
        a.cols = (a.cols + 1) / 2;
    a.value = base_calloc((size_t)a.rows * (size_t)a.cols, sizeof *a.value);
    fill(rng, family, &a);
    if (family == SAMPLE_NEARLY_SINGULAR)
        nearly_repeat(rng, &a);
    lp_model *m = lp_model_create();
    double *activity = base_calloc((size_t)a.rows, sizeof *activity);
    double *point = base_calloc((size_t)all_cols, sizeof *point);
    int *all = base_malloc((size_t)a.rows, sizeof *all);
    for (int r = 0; r < a.rows; r++) {
        all[r] = r;
        lp_model_add_row(m, 0.0, 0.0, NULL);
    }
    for (int j = 0; j < a.cols; j++) {
        double lower, upper;
        const double x = point[j] = bounds(rng, family, &lower, &upper);
        for (int r = 0; r < a.rows; r++)
            activity[r] += x * *entry(&a, r, j);
        lp_model_add_col(m, cost_of(rng, family, lower, upper), lower, upper, false, a.rows, all,
                         entry(&a, 0, j), NULL);
    }
    for (int r = 0; r < a.rows; r++)
        sides(rng, family, activity[r], &m->row_lower[r], &m->row_upper[r]);
    m->offset = chance(rng, 0.3) ? coefficient(rng) : 0.0;
    if (family == SAMPLE_SCALED)
        scale(rng, m);
    if (family == SAMPLE_REDUCIBLE)
        add_reducible(rng, m, point, all_rows, all_cols);
    if (family == SAMPLE_INFEASIBLE || (family == SAMPLE_REDUCIBLE && chance(rng, 0.15)))
        contradict(rng, m);
    base_free_all(point, a.value, activity, all);
    return m;
}

static char **make_names(base_rng *rng, int count, const char *prefix, int capacity)
{
    static const char *const tails[] = {"", "_long_name_of_more_than_eight", ".5", "(1,2)", "$x"};
    char **names = base_malloc((size_t)capacity, sizeof *names);
    for (int k = 0; k < count; k++) {
        char text[64];
        snprintf(text, sizeof text, "%s%d%s", prefix, k, tails[between(rng, 0, 4)]);
        names[k] = base_strdup(text);
    }
    return names;
}

void sample_decorate(base_rng *rng, lp_model *m)
{
    for (int j = 0; j < m->cols; j++)
        m->integer[j] = chance(rng, 0.4);
    m->name = base_strdup("sample");
    m->row_name = make_names(rng, m->rows, "row", m->row_capacity);
    m->col_name = make_names(rng, m->cols, "col", m->col_capacity);
}
