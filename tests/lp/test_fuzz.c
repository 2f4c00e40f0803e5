/* A short slice of the fuzzer; `make fuzz-lp` runs it for long. */
#include <stdio.h>

#include "tests/lp/compare.h"
#include "tests/lp/exact_lp.h"
#include "tests/lp/fuzz.h"
#include "tests/lp/owned.h"
#include "tests/suite.h"

SUITE("fuzz", .seconds = 120);

static void run_slice(uint64_t first, int count, int size, bool glpk, bool exact)
{
    const fuzz_options options = {
        .glpk = glpk, .exact = exact, .size = size, .seconds = 30.0, .folder = "/tmp"};
    int answered = 0, troubles = 0;
    for (uint64_t seed = first; seed < first + (uint64_t)count; seed++) {
        sample_family family;
        OWNED(lp_model) *m = fuzz_instance(seed, size, &family);
        const fuzz_report report = fuzz_check(m, seed, &options);
        ck_assert_msg(!report.failure[0], "seed %llu, size %d, %s: %s", (unsigned long long)seed,
                      size, sample_family_name(family), report.failure);
        answered += report.exact_answered;
        troubles += report.status == LP_NUMERICAL_TROUBLE;
    }
    ck_assert(!exact || answered + troubles > count / 2);
    ck_assert_int_le(troubles, 1); /* which claims nothing */
}

LOOP_TEST(random_models_carry_certificates, 4)
{
    run_slice(1000000 + 100 * (uint64_t)_i, 100, 25, false, false);
}

TEST(glpk_agrees)
{
    if (reference_installed("glpsol"))
        run_slice(2000000, 100, 20, true, false);
    else
        printf("skipped: glpsol (glpk-utils) is not installed\n");
}

TEST(exact_arithmetic_agrees)
{
    run_slice(3000000, 100, 20, false, true);
}

/* Nearly singular models on which the simplex was in trouble, warm and cold solves said different
 * things, or a reduced cost of less than the tolerance leads far off. */
LOOP_TEST(what_once_failed, 3)
{
    const uint64_t seeds[] = {57013425, 57019629, 31009876};
    run_slice(seeds[_i], 1, 30, false, true);
}

/* Two columns that are multiples of one another in binary: with numbers of which only the shortest
 * decimals were the same, 1e16 times both would cost nothing. */
TEST(exact_arithmetic_is_about_doubles)
{
    const int rows[] = {0, 1};
    const double one[] = {3.8794999999999997, 6.816}, two[] = {-2 * one[0], -2 * one[1]};
    OWNED(lp_model) *m = lp_model_create();
    lp_model_add_row(m, 1.0, LP_INFINITY, NULL);
    lp_model_add_row(m, 0.0, 164.0, NULL);
    lp_model_add_col(m, -8.0, -LP_INFINITY, 0.0, false, 2, rows, two, NULL);
    lp_model_add_col(m, -4.0, 0.0, LP_INFINITY, false, 2, rows, (double[]){-one[0], -one[1]}, NULL);
    exact_lp_answer a = exact_lp_solve(m);
    ck_assert_int_eq(a.status, LP_OPTIMAL);
    ck_assert_double_eq_tol(mpq_get_d(a.objective), 4.0 / one[0], 1e-12);
    exact_lp_clear(&a);
}

/* The shrinker: of a model that "fails" because of one row and column, little is left.
 * The failure is a time limit of zero, which every model exceeds. */
TEST(shrinking_keeps_the_failure)
{
    sample_family family;
    const fuzz_options options = {.size = 12, .seconds = 0.0, .folder = "/tmp"};
    OWNED(lp_model) *m = fuzz_instance(5, 12, &family);
    m = fuzz_shrink(m, 5, &options);
    ck_assert(!model_fault(m));
    const fuzz_report report = fuzz_check(m, 5, &options);
    ck_assert_msg(report.failure[0] == 'h', "%s", report.failure);
    ck_assert_int_le(m->rows, 2);
    ck_assert_int_le(m->cols, 2);
}
