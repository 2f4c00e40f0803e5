/* Sifting: its answers against those of the simplex on the whole model, and columns that only a
 * callback knows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lp/safe.h"
#include "lp/sift.h"
#include "tests/lp/certify.h"
#include "tests/lp/nearby.h"
#include "tests/lp/sample.h"
#include "tests/lp/suites.h"

#define RELAXED 1e-7 /* the simplex has it where rounding errors leave nothing within 1e-9 */

/* More seeds for a long run: LP_TEST_SEEDS=1000. */
static int seeds(int normal)
{
    const char *text = getenv("LP_TEST_SEEDS");
    return text ? atoi(text) : normal;
}

/* ---- random models ------------------------------------------------------------- */

static const char *certify_sift(const lp_model *m, const lp_sift_result *r)
{
    size_t rows = (size_t)m->rows + 1;
    lp_answer a = {.status = r->status, .objective = r->objective};
    double *activity = base_calloc(rows, sizeof *activity);
    for (int j = 0; r->status == LP_OPTIMAL && j < m->cols; j++)
        for (int e = m->start[j]; e < m->start[j + 1]; e++)
            activity[m->index[e]] += m->value[e] * r->x[j];
    double *d = base_calloc((size_t)m->cols + 1, sizeof *d);
    if (r->status == LP_OPTIMAL)
        lp_safe_bound(m, NULL, NULL, r->y, d);
    a.dual_objective = r->objective; /* the bound is looked at elsewhere */
    a.x = r->x;
    a.d = d;
    a.activity = activity;
    a.y = a.farkas = r->y;
    const char *fault = "";
    if (r->status == LP_UNBOUNDED && !lp_ray_is_proof(m, r->x))
        fault = "no ray";
    else if (r->status == LP_OPTIMAL ||
             (r->status == LP_INFEASIBLE && !lp_farkas_is_proof(m, NULL, NULL, r->y)))
        fault = certify_answer(m, &a, 1e-6);
    base_free(activity);
    base_free(d);
    return fault;
}

/* Small steps, so that there are many rounds. */
static lp_sift_params small_steps(base_rng *rng)
{
    lp_sift_params params = lp_sift_params_default();
    params.add_least = 1 + (int)base_rng_below(rng, 4);
    params.add_share = 0.1;
    params.whole_from = 1.1;
    params.drop_after = (int)base_rng_below(rng, 3);
    return params;
}

/* trouble: tiny reduced costs may leave no finite safe bound. Where rows nearly repeat one another
 * the answer may be far from the simplex's, which goes on in rational arithmetic there, if it is
 * the optimum of a model that differs by less than the tolerances. */
static void check_model(const lp_model *m, const bool *seed, const lp_sift_params *params,
                        const char *name, int number, bool trouble)
{
    lp_solver *whole = lp_solver_create(m, NULL);
    lp_status status = lp_solve(whole);
    lp_sift_result r = lp_sift_model(m, seed, params);
    ck_assert_msg(r.status == status, "%s %d: %s, the whole model is %s", name, number,
                  lp_status_name(r.status), lp_status_name(status));
    const char *fault = certify_sift(m, &r);
    ck_assert_msg(!*fault, "%s %d: %s", name, number, fault);
    if (status == LP_OPTIMAL) {
        double objective = lp_objective(whole), size = 1.0 + fabs(objective);
        ck_assert_msg(fabs(r.objective - objective) <= 1e-6 * size ||
                          is_optimum_nearby(m, r.x, r.y, RELAXED),
                      "%s %d: %.12g, not %.12g", name, number, r.objective, objective);
        ck_assert_msg(r.bound <= r.objective + (trouble ? 1e-6 : 1e-9) * size,
                      "%s %d: bound %.12g of %.12g", name, number, r.bound, r.objective);
        if (!trouble)
            ck_assert_msg(r.bound >= r.objective - 1e-6 * size, "%s %d: bound %.12g of %.12g", name,
                          number, r.bound, r.objective);
    }
    lp_sift_result_clear(&r);
    lp_solver_free(whole);
}

static void check_random(sample_family family, int k)
{
    base_rng rng = {.state = (uint64_t)(1000 * (int)family + k + 1)};
    int rows = 1 + (int)base_rng_below(&rng, 20), cols = 1 + (int)base_rng_below(&rng, 60);
    lp_model *m = sample_model(&rng, family, rows, cols);
    lp_sift_params params = small_steps(&rng);
    bool *seed = base_calloc((size_t)m->cols + 1, sizeof *seed);
    for (int j = 0; j < m->cols; j++)
        seed[j] = base_rng_below(&rng, 4) == 0;
    bool trouble = family == SAMPLE_NEARLY_SINGULAR || family == SAMPLE_REDUCIBLE;
    check_model(m, k % 3 == 0 ? NULL : seed, &params, sample_family_name(family), k, trouble);
    base_free(seed);
    lp_model_free(m);
}

START_TEST(random_models)
{
    for (int k = 0; k < seeds(40); k++)
        check_random((sample_family)_i, k);
}
END_TEST

/* Multipliers of 4e16, and 1e9, at the exact optimum, or none at all. */
START_TEST(far_from_exact)
{
    check_random(SAMPLE_NEARLY_SINGULAR, 755);
    check_random(SAMPLE_NEARLY_SINGULAR, 1053);
}
END_TEST

/* ---- equal columns ---------------------------------------------------------------- */

enum { STAGES = 30 };

/* Things kept from stage to stage: k[t][i] <= k[t-1][i] + b[t][i], needed at one stage only, room
 * for few. Between the first stage and the need nothing happens to thing i but that b[t][i] could
 * buy it again. */
static lp_model *keeping_model(base_rng *rng, int things, bool *seed)
{
    lp_model *m = lp_model_create();
    int *keep = base_malloc((size_t)STAGES * (size_t)things, sizeof *keep);
    for (int t = 0; t < STAGES; t++)
        lp_model_add_row(m, -LP_INFINITY, 1.0 + 0.35 * things, NULL); /* room at t */
    for (int i = 0; i < things; i++) {
        int need = 5 + i * (STAGES - 6) / things;
        for (int t = 0; t < STAGES; t++) {
            /* links of keep[t]: the row to the stage before, the row to the next one, and the
             * reverse */
            keep[t * things + i] = lp_model_add_row(m, -LP_INFINITY, 0.0, NULL);
            lp_model_add_row(m, -LP_INFINITY, 0.0, NULL);
        }
        int wanted = lp_model_add_row(m, 1.0, LP_INFINITY, NULL);
        for (int t = 0; t < STAGES; t++) {
            int link = keep[t * things + i], rows[6], count = 0;
            double values[6];
            rows[count] = t;
            values[count++] = 1.0;
            rows[count] = link; /* k[t] - k[t-1] - b[t] <= 0 */
            values[count++] = 1.0;
            if (t + 1 < STAGES) {
                rows[count] = keep[(t + 1) * things + i];
                values[count++] = -1.0;
                rows[count] = link + 1; /* k[t] - k[t+1] <= 0 but where it is needed */
                values[count++] = t < need ? 1.0 : 0.0;
            }
            if (t > 0 && t <= need) {
                rows[count] = keep[(t - 1) * things + i] + 1;
                values[count++] = -1.0;
            }
            if (t == need) {
                rows[count] = wanted;
                values[count++] = 1.0;
            }
            int col = lp_model_add_col(m, 0.0, 0.0, 1.0, false, count, rows, values, NULL);
            seed[col] = true;
            double cost = t == 0 ? 1.0 : 2.0 + (double)base_rng_below(rng, 9);
            int bought = link;
            double entry = -1.0;
            col = lp_model_add_col(m, cost, 0.0, 1.0, false, 1, &bought, &entry, NULL);
            seed[col] = t == 0 || t == need;
        }
    }
    base_free(keep);
    return m;
}

START_TEST(equal_columns_are_one)
{
    for (int k = 0; k < seeds(10); k++) {
        base_rng rng = {.state = (uint64_t)k + 7};
        int things = 4 + (int)base_rng_below(&rng, 12);
        bool seed[2 * STAGES * 16] = {false};
        lp_model *m = keeping_model(&rng, things, seed);
        check_model(m, seed, NULL, "keeping", k, false);
        lp_sift_params big_steps = lp_sift_params_default();
        big_steps.whole_from = 1.1;
        lp_sift_result r = lp_sift_model(m, seed, &big_steps);
        ck_assert_int_eq(r.status, LP_OPTIMAL);
        ck_assert_msg(r.columns < m->cols, "%d columns of %d", r.columns, m->cols);
        lp_sift_result_clear(&r);
        lp_sift_params params = small_steps(&rng);
        check_model(m, seed, &params, "keeping", k, false);
        lp_model_free(m);
    }
}
END_TEST

/* Where a round takes in few columns, those that improve the point only together come with the
 * direction that they make; one by one they take 59 rounds. */
START_TEST(directions_save_rounds)
{
    int rounds = 0;
    for (int k = 0; k < 10; k++) {
        base_rng rng = {.state = (uint64_t)k + 7};
        int things = 4 + (int)base_rng_below(&rng, 12);
        bool seed[2 * STAGES * 16] = {false};
        lp_model *m = keeping_model(&rng, things, seed);
        lp_sift_params params = small_steps(&rng);
        lp_sift_result r = lp_sift_model(m, seed, &params);
        ck_assert_int_eq(r.status, LP_OPTIMAL);
        ck_assert_double_eq_tol(r.bound, r.objective, 1e-6 * (1.0 + fabs(r.objective)));
        ck_assert_msg(r.columns < m->cols, "%d columns of %d", r.columns, m->cols);
        rounds += r.rounds;
        lp_sift_result_clear(&r);
        lp_model_free(m);
    }
    ck_assert_int_le(rounds, 36);
}
END_TEST

/* What column 0 lacks can be passed on to column 1, which nobody pays, or by way of column 2 to
 * column 3, which can afford it: no column is needed to prove that all are 0. */
START_TEST(dead_ends_give_back)
{
    static const struct {
        int low, high; /* x_low <= x_high */
    } order[] = {{0, 1}, {0, 2}, {2, 3}};
    static const double cost[] = {-1.0, 0.0, 0.0, 1.0};
    lp_model *m = lp_model_create();
    for (int r = 0; r < 3; r++)
        lp_model_add_row(m, -LP_INFINITY, 0.0, NULL);
    for (int j = 0; j < 4; j++) {
        int rows[3], count = 0;
        double values[3];
        for (int r = 0; r < 3; r++)
            if (order[r].low == j || order[r].high == j) {
                rows[count] = r;
                values[count++] = order[r].low == j ? 1.0 : -1.0;
            }
        lp_model_add_col(m, cost[j], 0.0, 1.0, false, count, rows, values, NULL);
    }
    lp_sift_result r = lp_sift_model(m, NULL, NULL);
    ck_assert_int_eq(r.status, LP_OPTIMAL);
    ck_assert_double_eq_tol(r.bound, 0.0, 1e-12);
    ck_assert_int_eq(r.columns, 0);
    lp_sift_result_clear(&r);
    lp_model_free(m);
}
END_TEST

/* ---- limits ------------------------------------------------------------------------ */

START_TEST(iterations_are_limited)
{
    base_rng rng = {.state = 7};
    bool seed[2 * STAGES * 16] = {false};
    lp_model *m = keeping_model(&rng, 8, seed);
    lp_sift_params params = small_steps(&rng);
    lp_sift_result whole = lp_sift_model(m, seed, &params);
    ck_assert_int_eq(whole.status, LP_OPTIMAL);
    for (long limit = 0; limit < whole.iterations; limit += 1 + limit / 16) {
        params.lp.iteration_limit = limit;
        lp_sift_result r = lp_sift_model(m, seed, &params);
        ck_assert_int_eq(r.status, LP_ITERATION_LIMIT);
        ck_assert_int_le(r.iterations, limit);
        ck_assert(r.bound <= whole.objective + 1e-9);
        lp_sift_result_clear(&r);
    }
    lp_sift_result_clear(&whole);
    lp_model_free(m);
}
END_TEST

START_TEST(interrupt_stops_it)
{
    base_flag stop = 1;
    base_rng rng = {.state = 3};
    lp_model *m = sample_model(&rng, SAMPLE_COVERING, 20, 60);
    lp_sift_params params = lp_sift_params_default();
    params.lp.limits.interrupt = &stop;
    lp_sift_result r = lp_sift_model(m, NULL, &params);
    ck_assert_int_eq(r.status, LP_INTERRUPTED);
    ck_assert(r.x == NULL && r.bound == -INFINITY);
    lp_sift_result_clear(&r);
    lp_model_free(m);
}
END_TEST

/* ---- a callback ------------------------------------------------------------------------ */

/* Cutting stock: rolls of width 100, patterns are columns, the knapsack is the pricing problem. */
enum { WIDTHS = 4, ROLL = 100 };
static const int width[WIDTHS] = {45, 36, 31, 14};
static const double demand[WIDTHS] = {97, 610, 395, 211};

static void price_pattern(void *context, const double *y, bool farkas, lp_column_list *out)
{
    double best[ROLL + 1] = {0};
    int last[ROLL + 1];
    int *calls = context;
    (*calls)++;
    for (int room = 0; room <= ROLL; room++) {
        last[room] = -1;
        for (int i = 0; i < WIDTHS; i++)
            if (width[i] <= room && best[room - width[i]] + y[i] > best[room] + 1e-9) {
                best[room] = best[room - width[i]] + y[i];
                last[room] = i;
            }
    }
    if (best[ROLL] <= (farkas ? 1e-9 : 1.0 + 1e-9))
        return;
    double piece[WIDTHS] = {0};
    for (int room = ROLL; last[room] >= 0; room -= width[last[room]])
        piece[last[room]] += 1.0;
    int rows[WIDTHS], count = 0;
    double values[WIDTHS];
    for (int i = 0; i < WIDTHS; i++)
        if (piece[i] > 0.0) {
            rows[count] = i;
            values[count++] = piece[i];
        }
    lp_column_list_add(out, 1.0, 0.0, LP_INFINITY, count, rows, values);
}

/* Gilmore and Gomory's example in Chvatal, Linear Programming (1983), chapter 13: 452.25 rolls. The
 * master begins without a column: infeasible. */
START_TEST(cutting_stock)
{
    lp_model *m = lp_model_create();
    for (int i = 0; i < WIDTHS; i++)
        lp_model_add_row(m, demand[i], LP_INFINITY, NULL);
    lp_solver *master = lp_solver_create(m, NULL);
    int calls = 0, rounds = 0;
    ck_assert_int_eq(lp_sift_columns(master, price_pattern, &calls, &rounds), LP_OPTIMAL);
    ck_assert_double_eq_tol(lp_objective(master), 452.25, 1e-7);
    ck_assert_int_eq(calls, rounds);
    ck_assert_int_eq(lp_solver_params(master)->method, LP_METHOD_DUAL);
    lp_solver_free(master);
    lp_model_free(m);
}
END_TEST

static void price_nothing(void *context, const double *y, bool farkas, lp_column_list *out)
{
    (void)y;
    (void)out;
    *(bool *)context = farkas;
}

START_TEST(infeasible_without_columns)
{
    lp_model *m = lp_model_create();
    lp_model_add_row(m, 1.0, LP_INFINITY, NULL);
    lp_solver *master = lp_solver_create(m, NULL);
    bool farkas = false;
    ck_assert_int_eq(lp_sift_columns(master, price_nothing, &farkas, NULL), LP_INFEASIBLE);
    ck_assert(farkas);
    lp_solver_free(master);
    lp_model_free(m);
}
END_TEST

Suite *suite_sift(void)
{
    Suite *suite = suite_create("sift");
    TCase *random = tcase_create("random");
    tcase_set_timeout(random, 600);
    tcase_add_loop_test(random, random_models, 0, SAMPLE_FAMILIES);
    tcase_add_test(random, far_from_exact);
    tcase_add_test(random, equal_columns_are_one);
    tcase_add_test(random, directions_save_rounds);
    tcase_add_test(random, dead_ends_give_back);
    suite_add_tcase(suite, random);
    TCase *rest = tcase_create("rest");
    tcase_add_test(rest, iterations_are_limited);
    tcase_add_test(rest, interrupt_stops_it);
    tcase_add_test(rest, cutting_stock);
    tcase_add_test(rest, infeasible_without_columns);
    suite_add_tcase(suite, rest);
    return suite;
}
