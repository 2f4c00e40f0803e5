/* Errors, random numbers against reference values, limits, the clock. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "tests/suite.h"

SUITE("misc");

TEST(errors_have_text)
{
    base_error error;
    ck_assert_int_eq(base_fail(&error, "node %d: %s", 3, "bad"), -1);
    ck_assert_str_eq(error.text, "node 3: bad");
    ck_assert_int_eq(base_fail(NULL, "x"), -1);
    char long_text[3000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    base_fail(&error, "%s", long_text);
    ck_assert_uint_eq(strlen(error.text), sizeof error.text - 1);
}

/* First outputs of splitmix64 from Vigna's reference code for seed 1234567. */
TEST(splitmix64_reference)
{
    const uint64_t expected[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                 4593380528125082431u, 16408922859458223821u};
    base_rng rng = {1234567};
    for (int i = 0; i < 5; i++)
        ck_assert_uint_eq(base_rng_next(&rng), expected[i]);
}

TEST(doubles_are_53_bits)
{
    base_rng a = {99}, b = {99};
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        double x = base_rng_double(&a);
        ck_assert(x == ldexp((double)(base_rng_next(&b) >> 11), -53));
        ck_assert(x >= 0 && x < 1);
        sum += x;
    }
    ck_assert_double_eq_tol(sum / 10000, 0.5, 0.02);
}

TEST(below_is_uniform)
{
    base_rng rng = {5};
    int count[3] = {0};
    for (int i = 0; i < 30000; i++) {
        uint64_t x = base_rng_below(&rng, 3);
        ck_assert_uint_lt(x, 3);
        count[x]++;
    }
    for (int k = 0; k < 3; k++)
        ck_assert_int_lt(abs(count[k] - 10000), 500);
    ck_assert_uint_eq(base_rng_below(&rng, 1), 0);
    /* With plain `next % bound` numbers below 2^62 would come twice as often. */
    const uint64_t bound = UINT64_C(3) << 62;
    int low = 0;
    for (int i = 0; i < 3000; i++)
        low += base_rng_below(&rng, bound) < UINT64_C(1) << 62;
    ck_assert_int_lt(abs(low - 1000), 150);
}

TEST(limits_stop)
{
    ck_assert_int_eq(base_limits_check(NULL), BASE_GO);
    base_limits limits = {0};
    ck_assert_int_eq(base_limits_check(&limits), BASE_GO);
    limits.deadline = base_seconds() + 3600;
    ck_assert_int_eq(base_limits_check(&limits), BASE_GO);
    limits.deadline = base_seconds() - 1;
    ck_assert_int_eq(base_limits_check(&limits), BASE_STOP_TIME);
    limits.deadline = base_seconds() + 3600;
    base_limits_keep_back(&limits, 3500e9);
    ck_assert_int_eq(base_limits_check(&limits), BASE_GO);
    base_limits_keep_back(&limits, 101e9);
    ck_assert_int_eq(base_limits_check(&limits), BASE_STOP_TIME);
    limits.deadline = 0; /* there is none */
    base_limits_keep_back(&limits, 1e9);
    ck_assert_int_eq(base_limits_check(&limits), BASE_GO);
    void *block = base_malloc(5000, 1);
    limits = (base_limits){.memory_bytes = base_memory_used()};
    ck_assert_int_eq(base_limits_check(&limits), BASE_GO);
    limits.memory_bytes--;
    ck_assert_int_eq(base_limits_check(&limits), BASE_STOP_MEMORY);
    base_free(block);
    base_flag interrupt = 0;
    limits = (base_limits){.interrupt = &interrupt};
    ck_assert_int_eq(base_limits_check(&limits), BASE_GO);
    interrupt = 1;
    ck_assert_int_eq(base_limits_check(&limits), BASE_STOP_INTERRUPT);
}

TEST(clock_moves)
{
    double start = base_seconds(), now = start;
    while (now - start < 0.002)
        ck_assert((now = base_seconds()) >= start);
    ck_assert(now - start < 2);
}

TEST(counted_things)
{
    static const struct {
        int64_t number;
        const char *what, *text;
    } cases[] = {{1, "node", "1 node"},
                 {0, "cut", "0 cuts"},
                 {1, "entry", "1 entry"},
                 {12, "entry", "12 entries"},
                 {-3, "LP iteration", "-3 LP iterations"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        ck_assert_str_eq(base_text_counted(cases[k].number, cases[k].what).text, cases[k].text);
}
