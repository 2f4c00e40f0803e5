/* The models against the brute-force oracle, and solution vectors against schedules. */
#include <ctype.h>
#include <math.h>

#include "formulation/total.h"
#include "tests/formulation/agree.h"
#include "tests/formulation/support.h"
#include "tests/lp/owned.h"
#include "tests/oracle/bait_instance.h"
#include "tests/oracle/oracle.h"
#include "tests/problem/owned.h"
#include "tests/suite.h"

SUITE("models", .seconds = 120);

enum { BNB_NODES = 20000 };

/* `count` instances, seeds first, first + step, ..., each with a draw of features; at least `least`
 * have an optimum that is not free. */
static void compare_some(model_kind kind, uint64_t first, int count, uint64_t step, int max_nodes,
                         int least)
{
    int interesting = 0, unfinished = 0;
    count = MANY(count);
    for (uint64_t seed = first; seed < first + (uint64_t)count * step; seed += step) {
        OWNED(random_instance) r = any_instance_make(seed, max_nodes);
        oracle_result o = oracle_solve(&r.problem);
        model_case c = model_case_draw(kind, seed);
        bool open;
        const char *fault = model_fault(&r.problem, &c, &o, BNB_NODES, &open);
        if (fault)
            ck_abort_msg("seed %llu, %s model, features %#x: %s (%.9g J); %s",
                         (unsigned long long)seed, model_kind_name(kind), c.features, fault,
                         o.overhead_joules, saved_failure(&r.problem, model_case_fails, &c));
        interesting += o.feasible && o.overhead_joules > 0;
        unfinished += open;
        schedule_free(o.schedule);
    }
    ck_assert_int_ge(interesting, MANY(least));
    ck_assert_int_le(unfinished, count / 50);
}

/* All families in turn. */
static void compare(model_kind kind, uint64_t first, int count, int max_nodes, int least)
{
    compare_some(kind, first, count, 1, max_nodes, least);
}

/* Mutants only, the last family. */
TEST(where_mistakes_were)
{
    compare_some(MODEL_PLAIN, ANY_FAMILIES - 1, 1100, ANY_FAMILIES, 12, 450);
    compare_some(MODEL_CANONICAL, ANY_FAMILIES - 1, 1600, ANY_FAMILIES, 12, 650);
}

TEST(plain_model_has_the_optimum)
{
    compare(MODEL_PLAIN, 0, 1600, 7, 800);
}

TEST(canonical_model_is_as_stated)
{
    compare(MODEL_CANONICAL, 10000, 1600, 8, 850);
    compare(MODEL_CANONICAL, 20000, 500, 10, 250);
}

TEST(coarse_model_is_never_above)
{
    compare(MODEL_COARSE, 30000, 2000, 9, 1000);
}

TEST(published_model_has_the_optimum)
{
    compare(MODEL_PUBLISHED, 40000, 250, 6, 100);
}

TEST(features_have_names)
{
    int count;
    const formulation_feature_info *feature = formulation_features(&count);
    ck_assert_int_gt(count, 5);
    for (int k = 0; k < count; k++)
        ck_assert_uint_eq(formulation_feature_by_name(feature[k].name), feature[k].bit);
    ck_assert_uint_eq(formulation_feature_by_name("no such feature"), 0);
}

static int check_names(char *const *name, int count)
{
    for (int k = 0; k < count; k++)
        ck_assert_msg(isalpha((unsigned char)name[k][0]), "%s", name[k]);
    return count;
}

/* Whatever kinds of rows and columns there are, each has a name. */
TEST(rows_and_columns_have_names)
{
    int named = 0;
    for (uint64_t seed = 0; seed < 300; seed++) {
        OWNED(random_instance) r = any_instance_make(seed, 8);
        for (int kind = MODEL_PLAIN; kind <= MODEL_CANONICAL; kind++) {
            const model_case c = model_case_draw((model_kind)kind, seed);
            OWNED(lp_model) *m = formulation_export(&r.problem, false, false, false, c.features);
            named += check_names(m->row_name, m->rows) + check_names(m->col_name, m->cols);
        }
    }
    ck_assert_int_gt(named, 1000);
}

/* A relaxation is never above, and has no integers. */
TEST(relaxed_models_bound_from_below)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 6);
        oracle_result o = oracle_solve(&r.problem);
        for (int published = 0; published < 2 && o.feasible; published++) {
            OWNED(lp_model) *m =
                formulation_export(&r.problem, published, true, false, FORMULATION_DEFAULT);
            for (int j = 0; j < m->cols; j++)
                ck_assert(!m->integer[j]);
            ck_assert_double_le(model_optimum(m, NULL) - graph_base_joules(r.graph),
                                o.overhead_joules + 1e-6);
        }
        schedule_free(o.schedule);
    }
}

/* x to schedule to x: the same integral cells, the same cost, all rows met. */
TEST(vectors_and_schedules)
{
    base_rng rng = {5};
    int points = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 7);
        unsigned features =
            FORMULATION_DEFAULT | (seed % 2 ? FORMULATION_TOTALS | FORMULATION_UNITS : 0);
        OWNED(uint8_t) *mask = formulation_mask_full(&r.problem, features);
        OWNED(formulation) *f = formulation_build(&r.problem, features, mask, 3.0);
        OWNED(double) *x = random_point(f, &rng); /* checks validity and rows */
        if (x) {
            points++;
            OWNED(schedule) *s = formulation_extract(f, x);
            validation v;
            ck_assert_int_eq(schedule_validate(&r.problem, s, &v, NULL), 0);
            ck_assert_double_eq_tol(lp_model_objective(f->model, x), 3.0 * v.overhead_joules,
                                    1e-9 * (1 + v.overhead_joules));
            double *again = base_malloc((size_t)f->model->cols, sizeof *again);
            ck_assert(formulation_vector(f, s, again));
            for (int j = 0; j < f->model->cols; j++)
                ck_assert_double_eq_tol(again[j], x[j], 1e-12);
            base_free(again);
            /* What the validator refuses is no vector: with room for one node only. */
            if (v.recompute_count > 0) {
                for (int t = 0; t < s->n; t++)
                    for (int i = 0; i < t; i++)
                        s->S[schedule_cell(s, t, i)] = 0;
                OWNED(double) *none = base_malloc((size_t)f->model->cols, sizeof *none);
                bool valid = schedule_validate(&r.problem, s, NULL, NULL) == 0;
                ck_assert(valid || !formulation_vector(f, s, none));
            }
        }
    }
    ck_assert_int_gt(points, 100);
}

/* The largest sum of two columns in the relaxation. */
static double largest_sum(const formulation *f, int a, int b)
{
    OWNED(lp_model) *m = lp_model_copy(f->model);
    for (int j = 0; j < m->cols; j++)
        m->cost[j] = j == a || j == b ? -1 : 0;
    OWNED(lp_solver) *lp = lp_solver_create(m, NULL);
    lp_status status = lp_solve(lp);
    double sum = status == LP_OPTIMAL ? -lp_objective(lp) : 0;
    ck_assert(status == LP_OPTIMAL || status == LP_INFEASIBLE);
    return sum;
}

/* Even in part: what is in RAM right after its first computation is not written out later. */
TEST(what_is_kept_is_written_out_at_once)
{
    int pairs = 0;
    for (uint64_t seed = 0; seed < 150; seed++) {
        OWNED(random_instance) r = mixed_instance(seed, 7);
        uint8_t *mask = formulation_mask_full(&r.problem, FORMULATION_DEFAULT);
        OWNED(formulation) *f = formulation_build(&r.problem, FORMULATION_DEFAULT, mask, 1);
        size_t n = (size_t)r.graph->n;
        for (size_t i = 0; i + 2 < n; i++) {
            size_t t = i + 2 + seed % (n - i - 2);
            int kept = f->cell[CELL_C][(i + 1) * n + i], out = f->cell[CELL_OUT][t * n + i];
            if (kept < 0 || out < 0)
                continue;
            ck_assert_double_le(largest_sum(f, kept, out), 1 + 1e-6);
            pairs++;
        }
        base_free(mask);
    }
    ck_assert_int_gt(pairs, 50);
}

/* Every cost is an integer multiple of its total's unit; each is in one total of equal costs, and
 * in at most one of multiples, where the largest sets come first. */
TEST(totals_by_cost)
{
    double cost[] = {3, 0.75, 6, 0, 7, 12, 3, 14, 2.5, 7, 1.5};
    enum { COSTS = sizeof cost / sizeof *cost };
    int64_t bytes[COSTS];
    for (int i = 0; i < COSTS; i++)
        bytes[i] = 1000 + 7 * i; /* no multiples */
    const graph g = {.n = COSTS, .joules = cost, .bytes = bytes};
    formulation_total *total;
    int count = formulation_totals(&g, &total), equal = 0, multiples = 0;
    for (int k = 0; k < count; k++) {
        if (total[k].kind != CELL_R)
            continue;
        double unit = INFINITY;
        int64_t sum = 0;
        for (int i = 0; i < COSTS; i++)
            if (total[k].weight[i] > 0)
                unit = fmin(unit, cost[i]);
        for (int i = 0; i < COSTS; i++)
            if (total[k].weight[i] > 0) {
                ck_assert_double_eq((double)total[k].weight[i] * unit, cost[i]);
                sum += total[k].weight[i];
            }
        equal += !total[k].leading;
        if (!total[k].leading)
            continue;
        /* 0.75, 1.5, 3, 3, 6, 12; then 7, 7, 14. 2.5 is no multiple. */
        ck_assert_int_eq(sum, multiples == 0 ? 1 + 2 + 4 + 4 + 8 + 16 : 1 + 1 + 2);
        multiples++;
    }
    ck_assert_int_eq(equal, 8);
    ck_assert_int_eq(multiples, 2);
    ck_assert_int_eq(count, equal + multiples + 2 + COSTS); /* page-ins, page-outs, each size */
    ck_assert_double_eq(formulation_total_unit(&g), 0.75);
    formulation_totals_free(total, count);
}

/* Page-outs are counted by size: each tensor once, with all of its size and no other, beside the
 * count of all and the bytes in units. */
TEST(totals_by_size)
{
    double cost[] = {1, 2, 3, 4, 5, 6};
    int64_t bytes[] = {100, 400, 100, 700, 400, 0};
    enum { NODES = sizeof cost / sizeof *cost };
    const graph g = {.n = NODES, .joules = cost, .bytes = bytes};
    formulation_total *total;
    int count = formulation_totals(&g, &total), sizes = 0, times[NODES] = {0};
    for (int k = 0; k < count; k++) {
        if (total[k].kind != CELL_OUT || total[k].leading)
            continue;
        sizes++;
        int64_t size = 0;
        for (int i = 0; i < NODES; i++)
            if (total[k].weight[i] > 0) {
                ck_assert_int_eq(total[k].weight[i], 1);
                ck_assert(size == 0 || size == bytes[i]);
                size = bytes[i];
                times[i]++;
            }
    }
    ck_assert_int_eq(sizes, 3);
    for (int i = 0; i < NODES; i++)
        ck_assert_int_eq(times[i], bytes[i] > 0);
    formulation_totals_free(total, count);
}
