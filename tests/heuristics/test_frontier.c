/* The states of a stage: which of two alike is kept, dominance, strata. */
#include <math.h>
#include <string.h>

#include "base/bits.h"
#include "heuristics/frontier.h"
#include "tests/heuristics/suites.h"

enum { COMPUTE_LIMIT = 4, CAPACITY = 64 };

static int place(frontier *l, double joules, int64_t bytes, uint64_t keep)
{
    const frontier_state s = {
        .joules = joules, .estimate = joules, .bytes = bytes, .pattern = keep};
    const int index = frontier_place(l, &s, 0);
    if (index >= 0) {
        *frontier_keep(l, index) = keep;
        *frontier_pagein(l, index) = *frontier_paged(l, index) = 0;
    }
    return index;
}

static void select_all(frontier *l, int strata, int width, bool subsets)
{
    static const uint64_t all = ~UINT64_C(0);
    frontier_select(l, &(frontier_rule){.strata = strata,
                                        .width = width,
                                        .budget_bytes = 100,
                                        .slack_seconds = INFINITY,
                                        .active = &all,
                                        .subsets = subsets});
}

START_TEST(test_cheaper_of_two_alike)
{
    frontier l;
    frontier_init(&l, 1, COMPUTE_LIMIT, CAPACITY);
    ck_assert_int_eq(place(&l, 2, 10, 5), 0);
    ck_assert_int_eq(place(&l, 3, 10, 5), -1); /* dearer */
    ck_assert_int_eq(place(&l, 1, 10, 5), 0);  /* cheaper: the same place */
    ck_assert_int_eq(place(&l, 3, 11, 5), 1);  /* other bytes */
    ck_assert_int_eq(place(&l, 3, 10, 6), 2);  /* another pattern */
    ck_assert_double_eq(l.state[0].joules, 1);
    frontier_clear(&l);
    ck_assert_int_eq(place(&l, 9, 10, 5), 0); /* forgotten */
    frontier_free(&l);
}
END_TEST

START_TEST(test_pattern_dominance)
{
    frontier l;
    frontier_init(&l, 1, COMPUTE_LIMIT, CAPACITY);
    place(&l, 2, 20, 5); /* dearer than the next and no smaller: dominated */
    place(&l, 1, 20 - 5, 5);
    place(&l, 4, 10, 5); /* dearer but smaller */
    select_all(&l, 1, 10, false);
    ck_assert_int_eq(l.count, 2);
    ck_assert_double_eq(l.state[0].joules, 1);
    ck_assert_double_eq(l.state[1].joules, 4);
    /* The table knows the survivors. */
    ck_assert_int_eq(place(&l, 5, 10, 5), -1);
    frontier_free(&l);
}
END_TEST

START_TEST(test_subset_dominance)
{
    frontier l;
    frontier_init(&l, 1, COMPUTE_LIMIT, CAPACITY);
    place(&l, 1, 10, 3);
    place(&l, 2, 20, 7);  /* asks for more, at a higher cost */
    place(&l, 2, 20, 12); /* asks for something else */
    place(&l, 3, 5, 7);   /* asks for more nodes but fewer bytes */
    select_all(&l, 1, 10, true);
    ck_assert_int_eq(l.count, 3);
    for (int k = 0; k < l.count; k++)
        ck_assert(!(*frontier_keep(&l, k) == 7 && l.state[k].bytes == 20));
    frontier_free(&l);
}
END_TEST

START_TEST(test_strata)
{
    frontier l;
    frontier_init(&l, 1, COMPUTE_LIMIT, CAPACITY);
    for (int k = 0; k < 10; k++) {
        place(&l, 1 + k, 10, UINT64_C(1) << k); /* low stratum */
        place(&l, 50 + k, 90, UINT64_C(1024) << k);
    }
    select_all(&l, 2, 3, false);
    ck_assert_int_eq(l.count, 6);
    for (int k = 0; k < 6; k++)
        ck_assert_double_eq(l.state[k].joules, k < 3 ? 1 + k : 47 + k);
    frontier_free(&l);
}
END_TEST

START_TEST(test_bits_below)
{
    uint64_t a[2] = {0, 0}, b[2] = {0, 0};
    ck_assert_int_eq(bits_below(a, b, 128), -1);
    bits_add(a, 3);
    bits_add(b, 64);
    bits_add(b, 127);
    ck_assert_int_eq(bits_below(a, b, 128), 127);
    ck_assert_int_eq(bits_below(a, b, 127), 64);
    ck_assert_int_eq(bits_below(a, b, 64), 3);
    ck_assert_int_eq(bits_below(a, b, 3), -1);
    ck_assert_int_eq(bits_below(a, b, 0), -1);
}
END_TEST

Suite *frontier_suite(void)
{
    Suite *suite = suite_create("heuristics/frontier");
    TCase *tests = tcase_create("frontier");
    tcase_add_test(tests, test_cheaper_of_two_alike);
    tcase_add_test(tests, test_pattern_dominance);
    tcase_add_test(tests, test_subset_dominance);
    tcase_add_test(tests, test_strata);
    tcase_add_test(tests, test_bits_below);
    suite_add_tcase(suite, tests);
    return suite;
}
