/* The checker's rows, which it builds from the problem alone, against those of the formulation. */
#include <math.h>

#include "certificate/record.h"
#include "tests/certificate/suites.h"
#include "tests/certificate/support.h"

static int column_of(const cert_model *m, formulation_key key)
{
    const graph *g = m->g;
    if (key.kind < CELL_KINDS)
        return cert_cell(m, (cert_kind)key.kind, key.t, key.i);
    if (key.kind == COLUMN_LOAD)
        return cert_load(m, key.t);
    if (key.k < 0)
        return cert_cell(m, CERT_EARLY, key.t, key.i);
    int e = g->user_start[key.i];
    while (g->user[e] != key.k)
        e++;
    return cert_free(m, key.t, e);
}

/* Columns that the formulation leaves out are 0 for the checker. */
static bool is_zero(const cert_model *m, int col)
{
    int master = cert_master(m, col);
    return m->value[m->same[master >= 0 ? master : col]] == 0;
}

static void compare_rows(const problem *p, const formulation *f, const cert_model *m)
{
    cert_row row = {0};
    double *coef = base_calloc((size_t)m->cols, sizeof *coef);
    int *start, *col;
    double *value;
    lp_model_by_rows(f->model, &start, &col, &value);
    ck_assert_int_eq(m->budget, f->budget);
    for (int i = 0; i < p->graph->n; i++)
        ck_assert_int_eq(m->bytes[i], f->bytes[i]);
    for (int r = 0; r < f->model->rows; r++) {
        double scale;
        cert_key key = record_key(f, r, &scale);
        ck_assert_int_ne(key.kind, CERT_ROW_KINDS);
        ck_assert(cert_row_make(m, key, false, &row));
        const char *word = cert_row_names[key.kind].word;
        for (int e = 0; e < row.count; e++)
            /* the formulation's loads are scaled */
            coef[row.col[e]] +=
                scale * row.coef[e] / (row.col[e] >= cert_load(m, 0) ? f->byte_scale : 1);
        for (int e = start[r]; e < start[r + 1]; e++)
            coef[column_of(m, f->column[col[e]])] -= value[e];
        for (int e = 0; e < row.count; e++) {
            if (!is_zero(m, row.col[e]))
                ck_assert_msg(fabs(coef[row.col[e]]) < 1e-12, "%s %d %d %d", word, key.t, key.i,
                              key.k);
            coef[row.col[e]] = 0;
        }
        for (int e = start[r]; e < start[r + 1]; e++)
            ck_assert_msg(coef[column_of(m, f->column[col[e]])] == 0, "%s %d %d %d", word, key.t,
                          key.i, key.k);
        double side = f->model->row_upper[r];
        ck_assert_msg(fabs(side - scale * row.rhs) <= 1e-12 * fmax(1, fabs(side)), "%s %d %d %d",
                      word, key.t, key.i, key.k);
        ck_assert_int_eq(row.equality, f->model->row_lower[r] == side);
    }
    base_free(start);
    base_free(col);
    base_free(value);
    base_free(coef);
    cert_row_clear(&row);
}

START_TEST(rows_agree_with_the_formulation)
{
    base_error error;
    int compared = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        random_instance i = draw_instance(seed, 8);
        const problem *p = &i.problem;
        unsigned features = FORMULATION_DEFAULT & ~(unsigned)FORMULATION_MERGE;
        uint8_t *mask = formulation_mask_full(p, features);
        formulation *f = formulation_build(p, features, mask, formulation_default_scale(p->graph));
        cert_model *m = cert_model_create(p, &error);
        ck_assert(m != NULL);
        cert_settle(m);
        if (!m->empty) /* else nothing is settled */
            compare_rows(p, f, m);
        compared += !m->empty;
        cert_model_free(m);
        formulation_free(f);
        base_free(mask);
        random_instance_free(&i);
    }
    ck_assert_int_ge(compared, 400);
}
END_TEST

/* What the checker calls 0 or equal agrees with an optimal schedule of the oracle, if that meets
 * the canonical rows. */
START_TEST(settled_cells_agree_with_optimal_schedules)
{
    base_error error;
    int checked = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        random_instance i = draw_instance(seed, 6);
        const problem *p = &i.problem;
        oracle_result o = oracle_solve(p);
        unsigned features = FORMULATION_DEFAULT & ~(unsigned)FORMULATION_MERGE;
        uint8_t *mask = formulation_mask_full(p, features);
        formulation *f = formulation_build(p, features, mask, 1);
        double *x = base_malloc((size_t)f->model->cols + 1, sizeof *x);
        cert_model *m = cert_model_create(p, &error);
        cert_settle(m);
        if (o.schedule)
            schedule_prune(p->graph, o.schedule);
        if (o.schedule && formulation_vector(f, o.schedule, x)) {
            double *value = base_calloc((size_t)m->cols, sizeof *value);
            ck_assert(!m->empty);
            checked++;
            for (int c = 0; c < f->model->cols; c++)
                value[column_of(m, f->column[c])] = x[c];
            for (int c = 0; c < (int)CERT_CELLS * m->n * m->n; c++) {
                ck_assert_double_eq(value[c], value[m->same[c]]);
                if (m->value[m->same[c]] != CERT_OPEN)
                    ck_assert_double_eq(value[c], m->value[m->same[c]]);
            }
            base_free(value);
        }
        cert_model_free(m);
        base_free(x);
        formulation_free(f);
        base_free(mask);
        schedule_free(o.schedule);
        random_instance_free(&i);
    }
    ck_assert_int_ge(checked, 300);
}
END_TEST

Suite *rows_suite(void)
{
    Suite *suite = suite_create("rows of the checker");
    TCase *tests = tcase_create("rows");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, rows_agree_with_the_formulation);
    tcase_add_test(tests, settled_cells_agree_with_optimal_schedules);
    suite_add_tcase(suite, tests);
    return suite;
}
