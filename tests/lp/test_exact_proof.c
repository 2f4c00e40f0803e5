/* The judge of exact answers: it believes what is exactly so, and nothing else. */
#include "lp/exact_proof.h"
#include "lp/rational.h"
#include "tests/lp/open_models.h"
#include "tests/lp/sample.h"
#include "tests/lp/suites.h"

enum { MODELS = 300 };

/* Adds 2^-200 to the first number of a vector that is not zero; false: there is none. */
static bool spoil(mpq_t *v, int extent)
{
    mpq_t little;
    int k = 0;
    while (v && k < extent && mpq_sgn(v[k]) == 0)
        k++;
    if (!v || k == extent)
        return false;
    mpq_init(little);
    mpq_set_si(little, 1, 1);
    mpq_div_2exp(little, little, 200);
    mpq_add(v[k], v[k], little);
    mpq_clear(little);
    return true;
}

/* Every answer holds as it is, and not as another one. */
START_TEST(exact_answers_hold)
{
    const lp_status statuses[] = {LP_OPTIMAL, LP_INFEASIBLE, LP_UNBOUNDED};
    int seen[3] = {0};
    base_rng rng = {4711};
    for (int k = 0; k < MODELS; k++) {
        lp_model *m = sample_model(&rng, (sample_family)(k % SAMPLE_FAMILIES), 6, 7);
        lp_answer *a = lp_rational_solve(m, NULL, NULL, INFINITY);
        for (int s = 0; s < 3; s++) {
            const bool holds = lp_exact_proof_holds(m, statuses[s], a->exact_proof);
            ck_assert_int_eq(holds, a->status == statuses[s]);
            seen[s] += holds;
        }
        ck_assert(!lp_exact_proof_holds(m, LP_CUTOFF, a->exact_proof));
        lp_answer_free(a);
        lp_model_free(m);
    }
    for (int s = 0; s < 3; s++)
        ck_assert_int_gt(seen[s], MODELS / 20);
}
END_TEST

/* Of an optimum and of a ray that free columns leave no room. */
START_TEST(least_changes_are_noticed)
{
    lp_model *m = open_model(OPEN_STAIRCASE, 12, 3);
    lp_answer *a = lp_rational_solve(m, NULL, NULL, INFINITY);
    lp_exact_proof *copy = lp_exact_proof_copy(a->exact_proof);
    ck_assert_int_eq(a->status, LP_OPTIMAL);
    ck_assert(lp_exact_proof_holds(m, LP_OPTIMAL, copy));
    ck_assert(spoil(copy->x, m->cols));
    ck_assert(!lp_exact_proof_holds(m, LP_OPTIMAL, copy));
    lp_exact_proof_free(copy);
    copy = lp_exact_proof_copy(a->exact_proof);
    ck_assert(spoil(copy->y, m->rows));
    ck_assert(!lp_exact_proof_holds(m, LP_OPTIMAL, copy));
    lp_exact_proof_free(copy);
    lp_answer_free(a);
    lp_model_free(m);
    m = open_infeasible(OPEN_REGRESSION, 12, 1e-6, 3);
    a = lp_rational_solve(m, NULL, NULL, INFINITY);
    ck_assert_int_eq(a->status, LP_INFEASIBLE);
    ck_assert(lp_exact_proof_holds(m, LP_INFEASIBLE, a->exact_proof));
    ck_assert(spoil(a->exact_proof->y, m->rows)); /* free columns allow no other multipliers */
    ck_assert(!lp_exact_proof_holds(m, LP_INFEASIBLE, a->exact_proof));
    lp_answer_free(a);
    lp_model_free(m);
}
END_TEST

START_TEST(rounding_down_is_down)
{
    mpq_t value, back;
    mpq_inits(value, back, NULL);
    for (int k = -9; k <= 9; k++) {
        mpq_set_si(value, k, 7);
        const double down = lp_exact_round_down(value);
        mpq_set_d(back, down);
        ck_assert_int_le(mpq_cmp(back, value), 0);
        mpq_set_d(back, nextafter(down, LP_INFINITY));
        ck_assert_int_gt(mpq_cmp(back, value), 0);
    }
    mpq_set_si(value, -1, 1);
    mpq_mul_2exp(value, value, 2000);
    ck_assert_double_eq(lp_exact_round_down(value), -LP_INFINITY);
    mpq_neg(value, value);
    ck_assert(isfinite(lp_exact_round_down(value)));
    mpq_clears(value, back, NULL);
}
END_TEST

Suite *suite_exact_proof(void)
{
    Suite *suite = suite_create("exact proof");
    TCase *tests = tcase_create("exact proof");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, exact_answers_hold);
    tcase_add_test(tests, least_changes_are_noticed);
    tcase_add_test(tests, rounding_down_is_down);
    suite_add_tcase(suite, tests);
    return suite;
}
