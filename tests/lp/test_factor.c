/* LU factors and Forrest-Tomlin updates: solves are checked by multiplying back. */
#include <math.h>
#include <string.h>

#include "lp/factor/factor.h"
#include "tests/lp/simplex_models.h"
#include "tests/owned.h"
#include "tests/suite.h"

SUITE("random", .seconds = 120);

#define ACCURACY 1e-9         /* relative to the terms of a sum */
#define ACCURACY_UPDATED 1e-6 /* after updates, which take the pivots they are given */

typedef struct bench {
    lp_model *m;
    lp_factor *f;
    int *head;
    lp_columns a;
    base_rng rng;
} bench;

static int below(bench *b, int n)
{
    return (int)base_rng_below(&b->rng, (uint64_t)n);
}

/* Random columns, logicals where a column was taken already. */
static bench make(int family, int size, int seed)
{
    bench b = {.m = simplex_model(family, size, (uint64_t)seed)};
    b.rng.state = (uint64_t)seed;
    lp_model *m = b.m;
    b.a = (lp_columns){m->rows, m->cols, m->start, m->index, m->value};
    b.f = lp_factor_create(m->rows);
    b.head = base_malloc((size_t)m->rows + 1, sizeof *b.head);
    OWNED(bool) *taken = base_calloc((size_t)m->cols + 1, sizeof *taken);
    for (int p = 0; p < m->rows; p++) {
        int j = m->cols > 0 ? below(&b, m->cols) : 0;
        b.head[p] = m->cols > 0 && !taken[j] && below(&b, 4) ? j : m->cols + p;
        if (b.head[p] < m->cols)
            taken[j] = true;
    }
    return b;
}

static void dispose(bench *b)
{
    lp_factor_free(b->f);
    base_free(b->head);
    lp_model_free(b->m);
}

/* y += x_p * column head[p] over all p, and the sizes of the terms. */
static void multiply(const bench *b, const double *x, double *y, double *size)
{
    for (int p = 0; p < b->a.rows; p++) {
        int j = b->head[p];
        if (j >= b->a.cols) {
            y[j - b->a.cols] += x[p];
            size[j - b->a.cols] += fabs(x[p]);
            continue;
        }
        for (int e = b->a.start[j]; e < b->a.start[j + 1]; e++) {
            y[b->a.index[e]] += x[p] * b->a.value[e];
            size[b->a.index[e]] += fabs(x[p] * b->a.value[e]);
        }
    }
}

static double dot_column(const bench *b, int p, const double *y, double *size)
{
    int j = b->head[p];
    *size = 1.0;
    if (j >= b->a.cols)
        return y[j - b->a.cols];
    double sum = 0.0;
    for (int e = b->a.start[j]; e < b->a.start[j + 1]; e++) {
        sum += b->a.value[e] * y[b->a.index[e]];
        *size += fabs(b->a.value[e] * y[b->a.index[e]]);
    }
    return sum;
}

static double largest(const lp_vector *v)
{
    double size = 0.0;
    for (int i = 0; i < v->size; i++)
        size = fmax(size, fabs(v->value[i]));
    return size;
}

static void check_list(const lp_vector *v)
{
    int nonzeros = 0;
    for (int i = 0; i < v->size; i++)
        nonzeros += v->value[i] != 0.0;
    ck_assert_int_eq(nonzeros, v->count);
    for (int k = 0; k < v->count; k++)
        ck_assert(v->value[v->index[k]] != 0.0);
}

/* Solves with few or many nonzeros on the right, by search and by loop. */
static void check_solves(bench *b, double accuracy)
{
    int rows = b->a.rows;
    lp_vector x, right;
    lp_vector_init(&x, rows);
    lp_vector_init(&right, rows);
    OWNED(double) *back = base_malloc((size_t)rows + 1, sizeof *back);
    OWNED(double) *size = base_malloc((size_t)rows + 1, sizeof *size);
    for (int k = 0; k < 6 && rows > 0; k++) {
        lp_vector_clear(&right);
        int count = k < 3 ? 1 : rows;
        for (int e = 0; e < count; e++)
            lp_vector_add(&right, below(b, rows), 1.0 + below(b, 5));
        lp_vector_copy(&x, &right);
        lp_expectation few = {0}; /* searches; else loops */
        lp_factor_ftran(b->f, &x, k % 2 ? NULL : &few, false);
        check_list(&x);
        memset(back, 0, (size_t)rows * sizeof *back);
        memset(size, 0, (size_t)rows * sizeof *size);
        multiply(b, x.value, back, size);
        for (int i = 0; i < rows; i++)
            ck_assert_double_eq_tol(back[i], right.value[i],
                                    accuracy * (1.0 + size[i] + largest(&x)));
        lp_vector_copy(&x, &right);
        few = (lp_expectation){0};
        lp_factor_btran(b->f, &x, k % 2 ? NULL : &few, false);
        check_list(&x);
        for (int p = 0; p < rows; p++) {
            double terms, dot = dot_column(b, p, x.value, &terms);
            ck_assert_double_eq_tol(dot, right.value[p], accuracy * (terms + largest(&x)));
        }
    }
    lp_vector_free(&x);
    lp_vector_free(&right);
}

LOOP_TEST(build_and_solve, SIMPLEX_MODEL_FAMILIES)
{
    for (int seed = 0; seed < 25; seed++) {
        bench b = make(_i, 1 + seed % 7, seed);
        lp_factor_build(b.f, &b.a, b.head, 0.1);
        check_solves(&b, ACCURACY);
        dispose(&b);
    }
}

/* The columns of a dependent basis that are kept and the logicals put in are a basis. */
TEST(dependent_columns_are_replaced)
{
    int replaced = 0;
    for (int seed = 0; seed < 40; seed++) {
        bench b = make(seed % SIMPLEX_MODEL_FAMILIES, 2, seed);
        int rows = b.a.rows;
        for (int k = 0; k < 2 && rows > 1; k++) { /* repeat columns */
            int p = below(&b, rows), q = below(&b, rows);
            if (b.head[p] < b.a.cols && b.head[q] < b.a.cols)
                b.head[p] = b.head[q];
        }
        replaced += lp_factor_build(b.f, &b.a, b.head, 0.1);
        bool *seen = base_calloc((size_t)(rows + b.a.cols) + 1, sizeof *seen);
        for (int p = 0; p < rows; p++) {
            ck_assert(!seen[b.head[p]]);
            seen[b.head[p]] = true;
        }
        base_free(seen);
        check_solves(&b, ACCURACY);
        dispose(&b);
    }
    ck_assert_int_gt(replaced, 0);
}

/* Not on the wild models: the simplex scales them before it factorises. */
LOOP_TEST(updates, SIMPLEX_MODEL_FAMILIES)
{
    if (strcmp(simplex_model_family_name(_i), "wild") == 0)
        return;
    int done = 0, rebuilt = 0;
    for (int seed = 0; seed < 12; seed++) {
        bench b = make(_i, 1 + seed % 6, seed);
        int rows = b.a.rows, vars = rows + b.a.cols;
        lp_factor_build(b.f, &b.a, b.head, 0.1);
        lp_factor *copy = lp_factor_create(rows);
        lp_vector column, row;
        lp_expectation expected = {0};
        lp_vector_init(&column, rows);
        lp_vector_init(&row, rows);
        bool *basic = base_calloc((size_t)vars + 1, sizeof *basic);
        for (int p = 0; p < rows; p++)
            basic[b.head[p]] = true;
        for (int k = 0; k < 60 && rows > 0; k++) {
            int j = below(&b, vars);
            if (basic[j])
                continue;
            lp_vector_clear(&column);
            if (j >= b.a.cols)
                lp_vector_add(&column, j - b.a.cols, 1.0);
            for (int e = j < b.a.cols ? b.a.start[j] : 0; j < b.a.cols && e < b.a.start[j + 1]; e++)
                lp_vector_add(&column, b.a.index[e], b.a.value[e]);
            lp_factor_ftran(b.f, &column, &expected, true);
            int p = -1;
            for (int e = 0; e < column.count; e++)
                if (p < 0 || fabs(column.value[column.index[e]]) > fabs(column.value[p]))
                    p = column.index[e];
            if (p < 0 || fabs(column.value[p]) < 0.1)
                continue;
            lp_vector_clear(&row);
            lp_vector_add(&row, p, 1.0);
            lp_factor_btran(b.f, &row, &expected, true);
            double error = lp_factor_update(b.f, p, column.value[p]);
            basic[b.head[p]] = false;
            basic[j] = true;
            b.head[p] = j;
            done++;
            if (error > 1e-10) { /* what the measure is for */
                ck_assert_int_eq(lp_factor_build(b.f, &b.a, b.head, 0.1), 0);
                rebuilt++;
            }
        }
        check_solves(&b, ACCURACY_UPDATED);
        lp_factor_copy(copy, b.f);
        lp_factor_free(b.f);
        b.f = copy;
        check_solves(&b, ACCURACY_UPDATED);
        lp_vector_free(&column);
        lp_vector_free(&row);
        base_free(basic);
        dispose(&b);
    }
    ck_assert_int_gt(done, 10 * rebuilt);
}

/* Updates of the identity, each of which doubles a column, until the factors are worn. */
static int updates_until_worn(int rows)
{
    const int start = 0;
    lp_factor *f = lp_factor_create(rows);
    int *head = base_malloc((size_t)rows, sizeof *head), count = 0;
    for (int r = 0; r < rows; r++)
        head[r] = r;
    const lp_columns none = {rows, 0, &start, NULL, NULL};
    ck_assert_int_eq(lp_factor_build(f, &none, head, 0.1), 0);
    lp_vector column, row;
    lp_vector_init(&column, rows);
    lp_vector_init(&row, rows);
    for (; count < rows && !lp_factor_is_worn(f); count++) {
        lp_vector_clear(&column);
        lp_vector_clear(&row);
        lp_vector_add(&column, count, 2.0);
        lp_vector_add(&row, count, 1.0);
        lp_factor_ftran(f, &column, NULL, true);
        lp_factor_btran(f, &row, NULL, true);
        ck_assert_double_le(lp_factor_update(f, count, column.value[count]), 1e-12);
    }
    lp_vector_free(&column);
    lp_vector_free(&row);
    base_free(head);
    lp_factor_free(f);
    return count;
}

/* Solves that cost nothing do not wear factors; but after enough updates, for the rows, all is
 * computed anew. */
TEST(large_factors_last_longer)
{
    ck_assert_int_eq(updates_until_worn(2000), 500);
    ck_assert_int_eq(updates_until_worn(200000), 800);
}
