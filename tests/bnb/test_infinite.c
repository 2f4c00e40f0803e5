/* Integers without bounds, multipliers that rounding has spoilt, and reductions where large numbers
 * cancel: nothing may be claimed that is not so. */
#include "models.h"

#include <gmp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bnb/model/presolve.h"
#include "tests/bnb/mip_fuzz.h"
#include "tests/bnb/mip_judge.h"
#include "tests/lp/exact_bound.h"
#include "tests/lp/owned.h"
#include "tests/lp/reference.h"
#include "tests/suite.h"

SUITE("exactness", .seconds = 120);

static lp_model *model_of(const char *text)
{
    char path[] = "/tmp/poetbnb-model-XXXXXX.lp";
    const int descriptor = mkstemps(path, 3);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    base_error error;
    ck_assert(file != NULL && fputs(text, file) >= 0 && fclose(file) == 0);
    lp_model *m = lp_model_read(path, &error);
    unlink(path);
    ck_assert_msg(m != NULL, "%s", error.text);
    return m;
}

typedef struct known_model {
    const char *text;
    double optimum;
} known_model;

/* Global fixing by a reduced cost of zero, or of a column without that bound; reduced costs of
 * other multipliers than the bound's; the same and a division by zero. CBC, GLPK and exact
 * arithmetic agree on the optima. */
static const known_model known[] = {
    {"min 0.753 x2 + 0.146 x3 - 3.795 x4\n"
     "st r0: 2.497 x0 - 0.731 x1 - 1.325 x2 + 3.734 x3 + 1.826 x4 = -11.489999999999998\n"
     "r1: - 2.474 x0 - 0.655 x1 + 2.732 x2 - 4.747 x3 <= 17.71\n"
     "r2: 1.149 x0 - 3.529 x1 - 1.267 x2 + 0.166 x3 + 3.806 x4 <= -20.507\n"
     "bounds x0 free\n x1 <= 5\n x3 <= 1\n"
     "general x0 x2 x3 x4\nend\n",
     1.622},
    {"min - c1 - 18 c3\n"
     "st r1: - c1 - 40000 c2 + 70000 c3 <= -747500\n"
     "r2: 487500 c1 + 500000 c2 + c3 <= 0\n"
     "r3: 9000000 c1 - 4625000 c3 >= 0\n"
     "bounds c1 free\n -inf <= c3 <= 1\n"
     "general c1 c2 c3\nend\n",
     166.0},
    {"min 14.908000000000001 c1 + 11.019 c2 + 10.620000000000001 c3\n"
     "st r1: - 3 c1 - 4.072 c2 >= 0\n"
     "r2: 3.89 c1 + 3 c2 + 2.626 c3 = 1\n"
     "bounds c1 free\n"
     "general c1 c2 c3\nend\n",
     6.668},
    {"min 27 c4 + 15 c5\n"
     "st r1: 2.381 c2 - 3 c3 >= 11.232499999999998\n"
     "r2: 5 c1 - 1.619 c2 + 3 c3 + 3.58 c4 + 1.782 c5 >= 6.452500000000004\n"
     "r3: - 19.692 c1 - 20 c2 - 12 c3 + 8 c4 + 4.65 c5 >= 0\n"
     "bounds c1 free\n c2 free\n -1 <= c3 <= 0\n -inf <= c4 <= 0\n"
     "general c1 c4 c5\nend\n",
     171.0},
    {"min 10 c1 + 4 c2 + 15 c3 + 34 c4\n"
     "st r1: - 4 c1 + 0.25 c2 - 3 c3 - 8 c4 <= 0\n"
     "r2: - 2 c1 - c2 - 0.5 c3 - 9 c4 <= -76\n"
     "bounds -inf <= c1 <= 0\n c4 free\n"
     "general c1 c2 c3 c4\nend\n",
     220.0},
    /* The quotient of side and coefficient rounds to 97945, which misses the row by 3. */
    {"min c1\nst r1: 872473949445 c1 >= 8.545446097839053e16\ngeneral c1\nend\n", 97946.0},
    {"min - c1\nst r1: 872473949445 c1 <= -8.545446097839053e16\n"
     "bounds -inf <= c1 <= 0\ngeneral c1\nend\n",
     97946.0},
    {"min c1 + c2\nst r1: - 872473949445 c1 <= -8.545446097839053e16\n"
     "r2: c1 - c2 <= 97945\ngeneral c1 c2\nend\n",
     97947.0},
};

LOOP_TEST(known_optima, LENGTH(known))
{
    OWNED(lp_model) *m = model_of(known[_i].text);
    const double optimum = known[_i].optimum;
    bnb_params p = quiet_params();
    OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
    ck_assert_msg(r.status == BNB_OPTIMAL, "%s", bnb_status_name(r.status));
    ck_assert_double_eq_tol(r.objective, optimum, 1e-6);
    ck_assert_double_le(r.bound, optimum + 1e-9);
}

/* 7 c2 / 46.046 ... : next to parallel rows, whose direction is none in exact arithmetic. */
TEST(nearly_parallel_rows_are_not_unbounded)
{
    OWNED(lp_model) *m = model_of("min c2\n"
                                  "st r1: - 46.04599999999999 c1 + 7 c2 <= 1\n"
                                  "r2: - 227.23700999999994 c1 + 34.54500003217253 c2 = 1\n"
                                  "bounds c1 free\n c2 free\n"
                                  "general c1\nend\n");
    ck_assert_int_eq(mip_relaxation(m, 0.0), LP_OPTIMAL);
    bnb_params p = quiet_params();
    p.node_limit = 100;
    OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
    ck_assert_int_ne(r.status, BNB_UNBOUNDED);
    ck_assert_int_ne(r.status, BNB_INFEASIBLE);
}

/* Lots that are made and kept without bounds: more columns than a correction in rational arithmetic
 * takes have a reduced cost that is zero but for rounding. */
static lp_model *unbounded_lots(int products, int periods, base_rng *rng)
{
    lp_model *m = lp_model_create();
    for (int k = 0; k < products; k++) {
        int stock = -1;
        for (int t = 0; t < periods; t++) {
            const double need = (double)base_rng_below(rng, 5000) / 1000.0;
            const int balance = lp_model_add_row(m, need, need, NULL);
            const int link = lp_model_add_row(m, -LP_INFINITY, 0.0, NULL);
            const int rows[2] = {balance, link};
            const double rate = 0.5 + base_rng_double(rng), kept = 0.9 + 0.1 * base_rng_double(rng);
            const double make[2] = {rate, 1.0}, open[1] = {-100.3};
            lp_model_add_col(m, base_rng_double(rng), 0.0, LP_INFINITY, false, 2, rows, make, NULL);
            lp_model_add_col(m, 3.7, 0.0, 1.0, t % 4 == 0, 1, &link, open, NULL);
            if (stock >= 0) { /* from the period before */
                const int between[2] = {stock, balance};
                const double flow[2] = {-1.0, kept};
                lp_model_add_col(m, 0.1 + 0.1 * base_rng_double(rng), 0.0, LP_INFINITY, false, 2,
                                 between, flow, NULL);
            }
            stock = balance;
        }
    }
    return m;
}

LOOP_TEST(root_bound_is_that_of_the_lp, 3)
{
    base_rng rng = {(uint64_t)_i + 1};
    OWNED(lp_model) *m = unbounded_lots(12, 30, &rng);
    bnb_params p = quiet_params();
    p.tuning.presolve = p.tuning.cuts_gomory = p.tuning.cuts_mir = false;
    p.tuning.dive = p.tuning.rounding = p.tuning.rins = false;
    p.tuning.cut_rounds_root = 0;
    p.tuning.reliability = 0;
    p.tuning.propagation = p.tuning.reduced_cost_fixing = false;
    p.node_limit = 1;
    OWNED(bnb_result) r = bnb_solve(m, &p, NULL);
    OWNED(lp_solver) *s = lp_solver_create(m, NULL);
    ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
    ck_assert_double_le(r.root_bound, lp_objective(s) + 1e-9);
    ck_assert_double_ge(r.root_bound, lp_objective(s) - 1e-6 * fabs(lp_objective(s)));
}

/* ---- reduced costs ------------------------------------------------------------ */

/* Decimals, continuous columns without upper bounds, of which many are basic, and integer ones. */
static lp_model *unbounded_cover(base_rng *rng)
{
    enum { ROWS = 15, COLS = 30 };
    lp_model *m = lp_model_create();
    for (int r = 0; r < ROWS; r++)
        lp_model_add_row(m, 1.0 + base_rng_double(rng), LP_INFINITY, NULL);
    for (int j = 0; j < COLS; j++) {
        int row[ROWS], count = 0;
        double value[ROWS];
        for (int r = 0; r < ROWS; r++)
            if (base_rng_below(rng, 3) == 0) {
                row[count] = r;
                value[count++] = 0.1 + base_rng_double(rng);
            }
        const bool integer = j % 2 == 0;
        lp_model_add_col(m, 0.5 + base_rng_double(rng), 0.0, integer ? 3.0 : LP_INFINITY, integer,
                         count, row, value, NULL);
    }
    return m;
}

typedef struct fixing_check {
    const lp_model *m;
    double *lower, *upper;
    int fixings, unproven;
} fixing_check;

/* Each fixing at the root: beyond the new bound its multipliers prove the cutoff, exactly. */
static void check_fixing(void *user, long node, const bnb_deduction *step)
{
    fixing_check *k = user;
    if (node != 0 || step->kind != BNB_STEP_REDUCED_COST)
        return;
    double *near = step->upper ? &k->upper[step->col] : &k->lower[step->col];
    double *far = step->upper ? &k->lower[step->col] : &k->upper[step->col];
    const double old = *far;
    *far = step->upper ? step->value + 1.0 : step->value - 1.0;
    k->fixings++;
    k->unproven +=
        !exact_bound_at_least(k->m, k->lower, k->upper, step->multipliers->rows, step->cutoff);
    *far = old;
    *near = step->value;
}

TEST(fixings_are_proven_by_their_multipliers)
{
    base_rng rng = {17};
    fixing_check k = {0};
    const bnb_proof proof = {&k, NULL, ignore_branch, check_fixing, ignore_leaf};
    for (int trial = 0; trial < 60; trial++) {
        OWNED(lp_model) *m = unbounded_cover(&rng);
        OWNED(lp_solver) *s = lp_solver_create(m, NULL);
        ck_assert_int_eq(lp_solve(s), LP_OPTIMAL);
        bnb_params p = quiet_params();
        p.tuning.cuts_gomory = p.tuning.cuts_mir = p.tuning.propagation = false;
        p.tuning.reliability = 0;
        p.tuning.dive = p.tuning.rounding = p.tuning.rins = false;
        p.proof = &proof;
        p.cutoff = 1.05 * lp_objective(s);
        p.node_limit = 1;
        k.m = m;
        k.lower = base_malloc((size_t)m->cols, sizeof *k.lower);
        k.upper = base_malloc((size_t)m->cols, sizeof *k.upper);
        for (int j = 0; j < m->cols; j++) {
            k.lower[j] = m->lower[j];
            k.upper[j] = m->upper[j];
        }
        bnb_result r = bnb_solve(m, &p, NULL);
        bnb_result_clear(&r);
        base_free(k.lower);
        base_free(k.upper);
    }
    ck_assert_int_gt(k.fixings, 100);
    ck_assert_int_eq(k.unproven, 0);
}

/* ---- reductions -------------------------------------------------------------- */

/* True if x (extent cols, the model's) is within the row's sides, exactly. */
static bool meets_exactly(const lp_model *m, int row, const double *x, int cols)
{
    mpq_t sum, side;
    bool meets = true;
    mpq_inits(sum, side, NULL);
    ck_assert_int_eq(m->cols, cols);
    for (int j = 0; j < cols; j++)
        for (int k = m->start[j]; k < m->start[j + 1]; k++)
            if (m->index[k] == row)
                exact_add_product(sum, m->value[k], x[j]);
    if (isfinite(m->row_lower[row])) {
        mpq_set_d(side, m->row_lower[row]);
        meets = meets && mpq_cmp(sum, side) >= 0;
    }
    if (isfinite(m->row_upper[row])) {
        mpq_set_d(side, m->row_upper[row]);
        meets = meets && mpq_cmp(sum, side) <= 0;
    }
    mpq_clears(sum, side, NULL);
    return meets;
}

/* x <= big y, x <= u: with the coefficient tightened to u or a little more, x = u stays possible to
 * the last digit. */
TEST(tightened_coefficients_lose_nothing)
{
    base_rng rng = {7};
    int tightened = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const double u = 10.0 * base_rng_double(&rng), big = pow(10.0, 9.0 * base_rng_double(&rng));
        const double shift = floor(1e6 * base_rng_double(&rng)) * (trial % 2);
        OWNED(lp_model) *m = lp_model_create();
        const int row = lp_model_add_row(m, -LP_INFINITY, -big * shift, NULL);
        const double one = 1.0, minus = -big;
        lp_model_add_col(m, 0.0, 0.0, u, false, 1, &row, &one, NULL);
        lp_model_add_col(m, 1.0, shift, shift + 1.0, true, 1, &row, &minus, NULL);
        const double at_most[2] = {fmin(u, big), shift + 1.0}, nothing[2] = {0.0, shift};
        if (meets_exactly(m, row, at_most, 2) && meets_exactly(m, row, nothing, 2)) {
            tightened += bnb_presolve_coefficients(m);
            ck_assert(meets_exactly(m, row, at_most, 2));
            ck_assert(meets_exactly(m, row, nothing, 2));
        }
    }
    ck_assert_int_gt(tightened, 500);
}

/* A row of one column becomes bounds; columns that are fixed leave for the sides: what met the row
 * exactly is lost neither way. */
TEST(removed_columns_lose_nothing)
{
    enum { FIXED = 6 };
    base_rng rng = {11};
    int kept = 0;
    for (int trial = 0; trial < 2000; trial++) {
        OWNED(lp_model) *m = lp_model_create();
        const int row = lp_model_add_row(m, -LP_INFINITY, LP_INFINITY, NULL);
        double x[FIXED + 2] = {0.0};
        mpq_t sum;
        mpq_init(sum);
        for (int j = 0; j < FIXED + 2; j++) {
            const bool pair = j % 2 == 1 && j < FIXED; /* cancels all but the last digits */
            const double size = pow(10.0, 6.0 * base_rng_double(&rng));
            const double a = pair ? -m->value[m->start[j - 1]] : size * base_rng_double(&rng);
            x[j] = pair ? x[j - 1] * (1.0 + 0x1p-40) : size * base_rng_double(&rng);
            const bool fixed = j < FIXED;
            lp_model_add_col(m, 1.0, fixed ? x[j] : 0.0, fixed ? x[j] : LP_INFINITY, false, 1, &row,
                             &a, NULL);
            exact_add_product(sum, a, x[j]);
        }
        /* The nearest double that x does not exceed. */
        double side = mpq_get_d(sum);
        mpq_t value;
        mpq_init(value);
        for (mpq_set_d(value, side); mpq_cmp(value, sum) < 0; mpq_set_d(value, side))
            side = nextafter(side, LP_INFINITY);
        m->row_upper[row] = side;
        mpq_clears(sum, value, NULL);
        const base_limits limits = {0};
        bnb_presolved p = bnb_presolve(m, LP_INFINITY, false, false, &limits);
        ck_assert(p.model != NULL);
        if (p.model->rows == 1 && p.model->cols == 2) {
            double left[2] = {x[p.to_col[0]], x[p.to_col[1]]};
            ck_assert(meets_exactly(p.model, 0, left, 2));
            kept++;
        }
        bnb_presolved_clear(&p);
    }
    ck_assert_int_gt(kept, 500);
}

TEST(singleton_rows_lose_nothing)
{
    base_rng rng = {13};
    for (int trial = 0; trial < 5000; trial++) {
        const double size = pow(10.0, 24.0 * base_rng_double(&rng) - 12.0);
        const double a = (trial % 2 ? -1.0 : 1.0) * base_rng_double(&rng) * size;
        const double side = base_rng_double(&rng) - 0.5;
        OWNED(lp_model) *m = lp_model_create();
        bool drop[1] = {false};
        const int row = lp_model_add_row(m, side, LP_INFINITY, NULL);
        lp_model_add_col(m, 0.0, -LP_INFINITY, LP_INFINITY, false, 1, &row, &a, NULL);
        ck_assert_int_gt(bnb_presolve_rows(m, drop), 0);
        /* side / a lies within the bounds: a times the bound does not exceed the side. */
        const double bound = a > 0.0 ? m->lower[0] : m->upper[0];
        ck_assert(drop[0] && isfinite(bound));
        ck_assert(fma(a, bound, -side) <= 0.0);
    }
}

/* 0.1 and 0.3 are no multiples of 0.1 in binary: only small numbers make that next to nothing. */
TEST(objective_steps_need_bounds)
{
    for (int k = 0; k < 3; k++) {
        const double upper = k == 0 ? 5.0 : k == 1 ? 1e15 : LP_INFINITY;
        for (int exact = 0; exact < 2; exact++) {
            lp_model *m = lp_model_create();
            lp_model_add_col(m, exact ? 0.5 : 0.1, 0.0, upper, true, 0, NULL, NULL, NULL);
            lp_model_add_col(m, exact ? -1.5 : -0.3, 0.0, upper, true, 0, NULL, NULL, NULL);
            bnb_instance *in = bnb_instance_create(m, m->rows, m->cols, NULL, NULL, true);
            ck_assert(exact ? in->step == 0.5 : k == 0 ? in->step == 0.1 : in->step == 0.0);
            bnb_instance_free(in);
        }
    }
}

/* ---- a short slice of the fuzzer; `make fuzz-mip` runs it for long ----------------- */

static void run_slice(uint64_t first, int count, bool glpk, bool cbc)
{
    const mip_fuzz_options options = {
        .glpk = glpk, .cbc = cbc, .size = 7, .points = 50.0, .seconds = 0.5, .folder = "/tmp"};
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        mip_family family;
        OWNED(lp_model) *m = mip_instance(seed, options.size, &family);
        const mip_fuzz_report report = mip_fuzz_check(m, seed, &options);
        ck_assert_msg(!report.failure[0], "seed %llu, %s: %s", (unsigned long long)seed,
                      mip_family_name(family), report.failure);
    }
}

LOOP_TEST(random_models_are_judged, 3)
{
    run_slice(1000000 + 40 * (uint64_t)_i, 40, false, false);
}

TEST(others_find_nothing_better)
{
    run_slice(2000000, 24, reference_installed("glpsol"), reference_installed("cbc"));
}
