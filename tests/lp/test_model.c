/* Sparse models against a dense picture of them under random edits. */
#include <string.h>

#include "tests/lp/compare.h"
#include "tests/lp/owned.h"
#include "tests/lp/sample.h"
#include "tests/suite.h"

SUITE("model");

/* A dense picture of a model, kept by plain loops, against which it is compared. */
enum { MOST = 60 };
typedef struct picture {
    int rows, cols;
    double a[MOST][MOST], cost[MOST], lower[MOST], upper[MOST], low[MOST], high[MOST];
    bool integer[MOST];
    char row_name[MOST][16], col_name[MOST][16];
} picture;

static void assert_same(const lp_model *m, const picture *p)
{
    const char *fault = model_fault(m);
    ck_assert_msg(!fault, "%s", fault);
    ck_assert_int_eq(m->rows, p->rows);
    ck_assert_int_eq(m->cols, p->cols);
    for (int j = 0; j < m->cols; j++) {
        double column[MOST] = {0.0};
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            column[m->index[k]] = m->value[k];
        for (int r = 0; r < m->rows; r++)
            ck_assert_double_eq(column[r], p->a[r][j]);
        ck_assert_double_eq(m->cost[j], p->cost[j]);
        ck_assert_double_eq(m->lower[j], p->lower[j]);
        ck_assert_double_eq(m->upper[j], p->upper[j]);
        ck_assert_int_eq(m->integer[j], p->integer[j]);
        ck_assert_str_eq(m->col_name[j], p->col_name[j]);
    }
    for (int r = 0; r < m->rows; r++) {
        ck_assert_double_eq(m->row_lower[r], p->low[r]);
        ck_assert_double_eq(m->row_upper[r], p->high[r]);
        ck_assert_str_eq(m->row_name[r], p->row_name[r]);
    }
}

static double random_entry(base_rng *rng)
{
    return base_rng_below(rng, 3) ? 0.0 : (double)base_rng_below(rng, 9) - 4.0;
}

static void add_row(base_rng *rng, lp_model *m, picture *p)
{
    const int r = p->rows++;
    p->low[r] = base_rng_double(rng);
    p->high[r] = p->low[r] + 1.0;
    snprintf(p->row_name[r], sizeof p->row_name[r], "R%u", (unsigned)base_rng_below(rng, 1000));
    memset(p->a[r], 0, sizeof p->a[r]);
    ck_assert_int_eq(lp_model_add_row(m, p->low[r], p->high[r], p->row_name[r]), r);
}

/* The rows in a shuffled order, with zeros among the entries. */
static void add_col(base_rng *rng, lp_model *m, picture *p)
{
    int order[MOST];
    double value[MOST];
    const int j = p->cols++;
    for (int r = 0; r < p->rows; r++) {
        const int s = (int)base_rng_below(rng, (uint64_t)r + 1);
        order[r] = order[s];
        order[s] = r;
    }
    for (int r = 0; r < p->rows; r++)
        p->a[order[r]][j] = value[r] = random_entry(rng);
    p->cost[j] = random_entry(rng);
    p->lower[j] = -base_rng_double(rng);
    p->upper[j] = base_rng_below(rng, 2) ? LP_INFINITY : 3.0;
    p->integer[j] = base_rng_below(rng, 2);
    snprintf(p->col_name[j], sizeof p->col_name[j], "C%u", (unsigned)base_rng_below(rng, 1000));
    ck_assert_int_eq(lp_model_add_col(m, p->cost[j], p->lower[j], p->upper[j], p->integer[j],
                                      p->rows, order, value, p->col_name[j]),
                     j);
}

static void add_rows(base_rng *rng, lp_model *m, picture *p)
{
    static int cols[4 * MOST];
    static double values[4 * MOST];
    int start[5] = {0};
    double low[4], high[4];
    char *names[4];
    const int count = (int)base_rng_below(rng, 5);
    for (int i = 0; i < count; i++) {
        const int r = p->rows++;
        p->low[r] = low[i] = -LP_INFINITY;
        p->high[r] = high[i] = base_rng_double(rng);
        snprintf(p->row_name[r], sizeof p->row_name[r], "r%d", r);
        names[i] = p->row_name[r];
        start[i + 1] = start[i];
        for (int j = p->cols - 1; j >= 0; j--) {
            p->a[r][j] = random_entry(rng);
            if (p->a[r][j] == 0.0 && base_rng_below(rng, 2))
                continue;
            cols[start[i + 1]] = j;
            values[start[i + 1]++] = p->a[r][j];
        }
    }
    lp_model_add_rows(m, count, low, high, start, cols, values, names);
}

static void delete_rows(base_rng *rng, lp_model *m, picture *p)
{
    bool drop[MOST];
    int kept = 0;
    for (int r = 0; r < p->rows; r++) {
        drop[r] = base_rng_below(rng, 3) == 0;
        if (drop[r])
            continue;
        memmove(p->a[kept], p->a[r], sizeof p->a[r]);
        p->low[kept] = p->low[r];
        p->high[kept] = p->high[r];
        memmove(p->row_name[kept++], p->row_name[r], sizeof p->row_name[r]);
    }
    p->rows = kept;
    lp_model_delete_rows(m, drop);
}

static void delete_cols(base_rng *rng, lp_model *m, picture *p)
{
    bool drop[MOST];
    int kept = 0;
    for (int j = 0; j < p->cols; j++) {
        drop[j] = base_rng_below(rng, 3) == 0;
        if (drop[j])
            continue;
        for (int r = 0; r < p->rows; r++)
            p->a[r][kept] = p->a[r][j];
        p->cost[kept] = p->cost[j];
        p->lower[kept] = p->lower[j];
        p->upper[kept] = p->upper[j];
        p->integer[kept] = p->integer[j];
        memmove(p->col_name[kept++], p->col_name[j], sizeof p->col_name[j]);
    }
    p->cols = kept;
    lp_model_delete_cols(m, drop);
}

LOOP_TEST(random_edits_match_a_dense_picture, 20)
{
    static picture p;
    base_rng rng = {(uint64_t)_i};
    memset(&p, 0, sizeof p);
    lp_model *m = lp_model_create();
    for (int step = 0; step < 60; step++) {
        const int choice = (int)base_rng_below(&rng, 8);
        if (choice < 2 && p.rows < MOST - 5)
            add_row(&rng, m, &p);
        else if (choice < 5 && p.cols < MOST - 1)
            add_col(&rng, m, &p);
        else if (choice == 5 && p.rows < MOST - 5)
            add_rows(&rng, m, &p);
        else if (choice == 6)
            delete_rows(&rng, m, &p);
        else if (choice == 7)
            delete_cols(&rng, m, &p);
        assert_same(m, &p);
    }
    OWNED(lp_model) *copy = lp_model_copy(m);
    lp_model_free(m);
    assert_same(copy, &p);
    add_row(&rng, copy, &p);
    add_col(&rng, copy, &p);
    assert_same(copy, &p);
}

LOOP_TEST(rows_view_is_the_transpose, 10)
{
    base_rng rng = {(uint64_t)_i};
    OWNED(lp_model) *m = sample_model(&rng, (sample_family)(_i % SAMPLE_FAMILIES), 12, 12);
    lp_by_rows a = lp_model_by_rows(m);
    ck_assert_int_eq(a.start[0], 0);
    ck_assert_int_eq(a.start[m->rows], m->start[m->cols]);
    for (int r = 0; r < m->rows; r++) {
        for (int k = a.start[r]; k < a.start[r + 1]; k++) {
            ck_assert(k == a.start[r] || a.col[k - 1] < a.col[k]);
            int p = m->start[a.col[k]];
            while (p < m->start[a.col[k] + 1] && m->index[p] != r)
                p++;
            ck_assert_int_lt(p, m->start[a.col[k] + 1]);
            ck_assert_double_eq(a.value[k], m->value[p]);
        }
    }
    lp_by_rows_free(&a);
}

TEST(empty_model_has_empty_views)
{
    OWNED(lp_model) *m = lp_model_create();
    lp_by_rows a = lp_model_by_rows(m);
    ck_assert_int_eq(a.start[0], 0);
    ck_assert_double_eq(lp_model_objective(m, NULL), 0.0);
    lp_by_rows_free(&a);
    lp_model_free(NULL);
}

/* Terms whose double sum loses the small one. */
TEST(objective_is_summed_with_care)
{
    const double x[3] = {1.0, 1.0, 1.0};
    OWNED(lp_model) *m = lp_model_create();
    m->offset = 1e-3;
    lp_model_add_col(m, 9007199254740992.0, 0.0, 1.0, false, 0, NULL, NULL, NULL);
    lp_model_add_col(m, 1.0, 0.0, 1.0, false, 0, NULL, NULL, NULL);
    lp_model_add_col(m, -9007199254740992.0, 0.0, 1.0, false, 0, NULL, NULL, NULL);
    ck_assert_double_eq_tol(lp_model_objective(m, x), 1.001, 1e-3);
    ck_assert_double_gt(lp_model_objective(m, x), 1.0);
}

TEST(a_first_name_names_what_was_there)
{
    OWNED(lp_model) *m = lp_model_create();
    lp_model_add_row(m, 0.0, 1.0, NULL);
    lp_model_add_row(m, 0.0, 1.0, "second");
    lp_model_add_row(m, 0.0, 1.0, NULL);
    ck_assert_str_eq(m->row_name[0], "r1");
    ck_assert_str_eq(m->row_name[1], "second");
    ck_assert_str_eq(m->row_name[2], "r3");
    ck_assert_ptr_null(m->col_name);
}
