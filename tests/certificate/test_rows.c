/* The checker's rows, which it builds from the problem alone, against those of the formulation. */
#include <math.h>

#include "certificate/record_internal.h"
#include "tests/certificate/canonical.h"
#include "tests/certificate/owned.h"
#include "tests/certificate/support.h"
#include "tests/formulation/support.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/canonical.h"
#include "tests/oracle/scramble.h"
#include "tests/suite.h"

SUITE("rows", .seconds = 300);

static int column_of(const cert_model *m, formulation_key key)
{
    const graph *g = m->g;
    if (key.kind < CELL_KINDS)
        return cert_cell(m, (cert_kind)key.kind, key.t, key.i);
    if (key.kind == COLUMN_LOAD)
        return cert_load(m, key.t);
    if (key.kind == COLUMN_TWICE)
        return cert_cell(m, CERT_TWICE, key.t, key.i);
    if (key.k < 0)
        return cert_cell(m, CERT_EARLY, key.t, key.i);
    return cert_free(m, key.t, graph_edge(g, key.i, key.k));
}

/* Columns that the formulation leaves out are 0 for the checker. */
static bool is_zero(const cert_model *m, int col)
{
    cert_factor factor[2];
    const int factors = cert_factors(m, col, factor);
    for (int k = 0; k < factors; k++) {
        const int *cell = factor[k].cell;
        if (m->value[m->same[cell[0]]] == 0 && (cell[1] < 0 || m->value[m->same[cell[1]]] == 0))
            return true;
    }
    return factors == 0 && m->value[m->same[col]] == 0;
}

/* The checker's row times scale is the one of these columns of the formulation up to `near`. coef:
 * scratch, all 0; extent m->cols. */
static void same_row(const formulation *f, const cert_model *m, const cert_row *row, double scale,
                     const int *col, const double *value, int count, double near, double *coef,
                     const char *what)
{
    for (int e = 0; e < row->count; e++) /* the formulation's loads are scaled */
        coef[row->col[e]] +=
            scale * row->coef[e] / (row->col[e] >= cert_load(m, 0) ? f->byte_scale : 1);
    for (int e = 0; e < count; e++)
        coef[column_of(m, f->column[col[e]])] -= value[e];
    for (int e = 0; e < row->count; e++) {
        ck_assert_msg(is_zero(m, row->col[e]) || fabs(coef[row->col[e]]) <= near, "%s", what);
        coef[row->col[e]] = 0;
    }
    for (int e = 0; e < count; e++)
        ck_assert_msg(coef[column_of(m, f->column[col[e]])] == 0, "%s", what);
}

static void compare_rows(const problem *p, const formulation *f, const cert_model *m)
{
    OWNED(cert_row) row = {0};
    OWNED(double) *coef = base_calloc((size_t)m->cols, sizeof *coef);
    lp_by_rows a = lp_model_by_rows(f->model);
    ck_assert_int_eq(m->budget, f->budget);
    for (int i = 0; i < p->graph->n; i++)
        ck_assert_int_eq(m->bytes[i], f->bytes[i]);
    for (int r = 0; r < f->model->rows; r++) {
        double scale;
        cert_key key = record_key(f, NULL, r, &scale);
        ck_assert_int_ne(key.kind, CERT_ROW_KINDS);
        ck_assert(cert_row_make(m, key, false, &row));
        char what[80];
        snprintf(what, sizeof what, "%s %d %d %d", cert_row_names[key.kind].word, key.t, key.i,
                 key.k);
        same_row(f, m, &row, scale, a.col + a.start[r], a.value + a.start[r],
                 a.start[r + 1] - a.start[r], 1e-12, coef, what);
        double side = f->model->row_upper[r];
        ck_assert_msg(fabs(side - scale * row.rhs) <= 1e-12 * fmax(1, fabs(side)), "%s", what);
        ck_assert_int_eq(row.equality, f->model->row_lower[r] == side);
    }
    lp_by_rows_free(&a);
}

/* By the rules alone (0), and for canonical schedules (1). */
LOOP_TEST(rows_agree_with_the_formulation, 2)
{
    base_error error;
    int compared = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        OWNED(random_instance) i = draw_instance(seed, 8);
        const problem *p = &i.problem;
        unsigned features = FORMULATION_DEFAULT & ~(unsigned)FORMULATION_MERGE;
        if (_i == 0)
            features &= ~(unsigned)FORMULATION_CANONICAL;
        OWNED(uint8_t) *mask = formulation_mask_full(p, features);
        OWNED(formulation) *f =
            formulation_build(p, features, mask, formulation_default_scale(p->graph));
        OWNED(cert_model) *m = cert_model_create(p, _i == 0 ? CERT_RULES : CERT_EXCHANGES, &error);
        ck_assert(m != NULL);
        cert_settle(m);
        if (!m->empty) /* else nothing is settled */
            compare_rows(p, f, m);
        compared += !m->empty;
    }
    ck_assert_int_ge(compared, 400);
}

/* The row of one source cut in both. */
static void compare_cut(const formulation *f, const cert_model *m, event_cut *cut, double *coef)
{
    OWNED(cert_row) row = {0};
    cert_cut same = {.source = true,
                     .t = cut->t,
                     .k = cut->k,
                     .last = cut->last,
                     .count = cut->depth,
                     .tensor = cut->path,
                     .kept = cut->kept,
                     .stored = cut->stored};
    ck_assert_ptr_null(cert_cut_fault(m, &same));
    ck_assert(event_cut_express(f, cut));
    cert_cut_row(m, &same, &row);
    ck_assert_double_eq(row.rhs, cut->upper);
    char what[120];
    snprintf(what, sizeof what, "source %d %d %d%s %d.. of %d, stored %u", cut->k, cut->t,
             cut->last, cut->kept ? " kept" : "", cut->path[0], cut->depth, cut->stored);
    same_row(f, m, &row, 1, cut->col, cut->value, cut->count, 0, coef, what);
}

/* An event cut with random coefficients in both, by the rules alone: the row is the same but for
 * the scale. */
static void compare_event(const formulation *f, const cert_model *m, base_rng *rng, double *coef)
{
    enum { MOST = 12 };
    const int n = m->n, t = (int)base_rng_below(rng, (uint64_t)n);
    int tensor[MOST];
    double there[MOST], made[MOST];
    int64_t whole_there[MOST], whole_made[MOST];
    event_cut cut = {.t = t, .tensor = tensor, .coef = there, .made = made};
    cert_cut same = {.t = t, .tensor = tensor, .coef = whole_there, .made = whole_made};
    OWNED(cert_row) row = {0};
    cut.k = same.k = (int)base_rng_below(rng, (uint64_t)t + 1);
    cut.conditional = same.conditional = cut.k < t && base_rng_below(rng, 2);
    for (int i = 0; i < t; i++) {
        if (base_rng_below(rng, 3) == 0 || f->bytes[i] == 0)
            continue;
        tensor[same.count] = i;
        there[same.count] = (double)(whole_there[same.count] = (int64_t)base_rng_below(rng, 9) - 2);
        made[same.count] = (double)(whole_made[same.count] = (int64_t)base_rng_below(rng, 9) - 2);
        cut.tensors = ++same.count;
    }
    if (event_cut_express(f, &cut)) {
        cert_cut_row(m, &same, &row);
        same_row(f, m, &row, event_cut_scale(&cut), cut.col, cut.value, cut.count, 0, coef,
                 "event");
    }
    base_free_all(cut.col, cut.value);
}

TEST(event_cuts_agree_with_the_formulation)
{
    base_error error;
    int compared = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        OWNED(random_instance) i = draw_instance(seed, 10);
        base_rng rng = {seed};
        const unsigned features =
            FORMULATION_DEFAULT & ~(unsigned)(FORMULATION_MERGE | FORMULATION_CANONICAL);
        OWNED(uint8_t) *mask = formulation_mask_full(&i.problem, features);
        OWNED(formulation) *f = formulation_build(&i.problem, features, mask, 1);
        OWNED(cert_model) *m = cert_model_create(&i.problem, CERT_RULES, &error);
        cert_settle(m);
        OWNED(double) *coef = base_calloc((size_t)m->cols, sizeof *coef);
        for (int draw = 0; draw < 20 && !m->empty; draw++, compared++)
            compare_event(f, m, &rng, coef);
    }
    ck_assert_int_ge(compared, 1000);
}

/* A random path of inputs from k on; its length. */
static int draw_path(const graph *g, int k, base_rng *rng, int *path)
{
    int depth = 0, most = 1 + (int)base_rng_below(rng, SOURCE_DEPTH);
    while (depth < most && g->input_start[k + 1] > g->input_start[k]) {
        int count = g->input_start[k + 1] - g->input_start[k];
        k = g->input[g->input_start[k] + (int)base_rng_below(rng, (uint64_t)count)];
        path[depth++] = k;
    }
    return depth;
}

TEST(source_cuts_agree_with_the_formulation)
{
    base_error error;
    int compared[2] = {0, 0};
    for (uint64_t seed = 0; seed < 200; seed++) {
        OWNED(random_instance) i = draw_instance(seed, 10);
        const graph *g = i.problem.graph;
        base_rng rng = {seed};
        unsigned features = FORMULATION_DEFAULT & ~(unsigned)FORMULATION_MERGE;
        uint8_t *mask = formulation_mask_full(&i.problem, features);
        OWNED(formulation) *f = formulation_build(&i.problem, features, mask, 1);
        OWNED(cert_model) *m = cert_model_create(&i.problem, CERT_EXCHANGES, &error);
        cert_settle(m);
        double *coef = base_calloc((size_t)m->cols, sizeof *coef);
        event_cut cut = {0};
        for (int draw = 0; draw < 50 && g->n > 2 && !m->empty; draw++) {
            cut.k = 1 + (int)base_rng_below(&rng, (uint64_t)g->n - 2);
            cut.t = cut.k + 1 + (int)base_rng_below(&rng, (uint64_t)(g->n - cut.k - 1));
            cut.last = cut.t + (int)base_rng_below(&rng, (uint64_t)(g->n - cut.t));
            cut.depth = draw_path(g, cut.k, &rng, cut.path);
            cut.kept = base_rng_below(&rng, 2);
            cut.stored = (unsigned)base_rng_below(&rng, 1u << cut.depth);
            if (cut.depth == 0)
                continue;
            compare_cut(f, m, &cut, coef);
            compared[cut.stored != 0]++;
        }
        base_free_all(cut.col, cut.value, coef, mask);
    }
    ck_assert_int_ge(compared[0], 1000);
    ck_assert_int_ge(compared[1], 1000);
}

/* What the checker takes for granted holds for a canonical schedule, by the search from the
 * definition, and, by the rules alone, for any. */
TEST(schedules_meet_what_is_taken_for_granted)
{
    enum { WAYS = 300000 };
    int checked[2] = {0, 0};
    for (uint64_t seed = 0; seed < MANY(2000); seed++) {
        OWNED(random_instance) i = any_instance_make(seed, 7);
        const problem *p = &i.problem;
        base_rng rng = {seed};
        const oracle_result o = oracle_search(p, WAYS);
        const canonical_result c = canonical_least(p, seed, WAYS);
        const char *fault = NULL;
        checked[0] += o.schedule != NULL;
        checked[1] += c.schedule != NULL;
        if (o.schedule) {
            schedule_scramble(p, o.schedule, &rng);
            fault = checker_fault(p, o.schedule, CERT_RULES, seed);
        }
        if (c.schedule && !fault)
            fault = checker_fault(p, c.schedule, CERT_EXCHANGES, seed);
        ck_assert_msg(!fault, "seed %llu (%s): %s", (unsigned long long)seed,
                      any_family_name(any_family(seed)), fault);
        schedule_free(o.schedule);
        schedule_free(c.schedule);
    }
    ck_assert_int_ge(checked[0], MANY(1500));
    ck_assert_int_ge(checked[1], MANY(1500));
}
