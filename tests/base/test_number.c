/* Numbers as people write them: what is read, and everything that must be refused. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "tests/suite.h"

SUITE("strict");

static const struct {
    const char *text;
    bool good;
    int64_t value;
} integers[] = {
    {"0", true, 0},
    {"12", true, 12},
    {"+7", true, 7},
    {"-3", true, -3},
    {"9223372036854775807", true, INT64_MAX},
    {"9223372036854775808", false, 0},
    {"99999999999999999999999", false, 0},
    {"-11", false, 0},
    {"", false, 0},
    {" 5", false, 0},
    {"5 ", false, 0},
    {"12abc", false, 0},
    {"0x10", false, 0},
    {"1e3", false, 0},
    {"1.0", false, 0},
    {"nan", false, 0},
    {"-", false, 0},
    {"--5", false, 0},
};

LOOP_TEST(integer, LENGTH(integers))
{
    int64_t value = 77;
    base_error error = {""};
    int failed = base_number_integer(integers[_i].text, -10, INT64_MAX, &value, &error);
    ck_assert_msg((failed == 0) == integers[_i].good, "'%s': %s", integers[_i].text, error.text);
    if (integers[_i].good) {
        ck_assert_int_eq(value, integers[_i].value);
    } else {
        ck_assert_int_eq(value, 77);
        ck_assert_contains(error.text, integers[_i].text);
    }
}

static const struct {
    const char *text;
    bool good;
    double value;
} reals[] = {
    {"1", true, 1},         {"1.25", true, 1.25}, {".5", true, 0.5},   {"1e-3", true, 1e-3},
    {"1e100", true, 1e100}, {"7.6", true, 7.6},   {"0", false, 0},     {"-1", false, 0},
    {"nan", false, 0},      {"inf", false, 0},    {"1e400", false, 0}, {"1e-400", false, 0},
    {"0x1p3", false, 0},    {"12abc", false, 0},  {"", false, 0},      {"1e", false, 0},
    {"1,5", false, 0},      {"-1e400", false, 0},
};

LOOP_TEST(real, LENGTH(reals))
{
    double value = 77;
    base_error error = {""};
    int failed = base_number_real(reals[_i].text, DBL_MIN, DBL_MAX, &value, &error);
    ck_assert_msg((failed == 0) == reals[_i].good, "'%s': %s", reals[_i].text, error.text);
    ck_assert(value == (reals[_i].good ? reals[_i].value : 77));
}

/* whole: what a percentage is of. bytes -1: refused when read; -2: too many bytes. */
static const struct {
    const char *text;
    int64_t whole, bytes;
} amounts[] = {
    {"3000000", 0, 3000000},
    {"3e6", 0, 3000000},
    {"3.5e0", 0, 3},
    {"1.2M", 0, 1258291},
    {"64K", 0, 65536},
    {"64KiB", 0, 65536},
    {"64kB", 0, 64000},
    {"1.2MB", 0, 1200000},
    {"1.2MiB", 0, 1258291},
    {"1.5e3kB", 0, 1500000},
    {"2TB", 0, INT64_C(2000000000000)},
    {"1.GB", 0, 1000000000},
    {"0.0001kB", 0, 0},
    {"9.3e9GB", 0, -2},
    {"100B", 0, 100},
    {"0.001K", 0, 1},
    {".5K", 0, 512},
    {"5.K", 0, 5120},
    {"1.2m", 0, -1},
    {"64k", 0, -1},
    {"64KB", 0, -1},
    {"64Kb", 0, -1},
    {"64mb", 0, -1},
    {"64Mi", 0, -1},
    {"64kiB", 0, -1},
    {"5g", 0, -1},
    {"5MBx", 0, -1},
    {"5 MB", 0, -1},
    {"12.9", 0, 12},
    {"2G", 0, INT64_C(2) << 30},
    {"1T", 0, INT64_C(1) << 40},
    {"50%", 7416, 3708},
    {"45%", 7416, 3337},
    {"70%", 10, 7}, /* 0.7 * 10 in doubles is 7, 0.7 * 2465830 is below the whole number */
    {"70%", 2465830, 1726081},
    {"12.5%", 1000, 125},
    {"49.99%", 26, 12},
    {"3.8461538461538461%", 26, 0}, /* just below 1/26 */
    {"3.8461538461538462%", 26, 1}, /* just above */
    {"29%", 100, 29},               /* 0.29 * 100 is 28.999999999999996 in doubles */
    {"99.999999999999999%", 26, 25},
    {"99.9999999999999%", INT64_C(1) << 61, INT64_C(2305843009213691646)}, /* beyond doubles */
    {"100%", INT64_C(1) << 62, INT64_C(1) << 62},
    {"110%", 10, 11},
    {"0.1%", 999, 0},
    {"1e-30%", 999, 0},
    {"00100.00", 0, 100},
    {"9223372036854775807", 0, -1}, /* more digits than it takes */
    {"9.22337203685477580e18", 0, INT64_C(9223372036854775800)},
    {"9.3e18", 0, -2},
    {"1e300", 0, -2},
    {"1e99999999999999999999", 0, -2},
    {"16777216T", 0, -2},
    {"1000%", INT64_C(1) << 62, -2},
    {"", 0, -1},
    {".", 0, -1},
    {"0", 0, -1},
    {"0.5", 0, -1}, /* 50%? */
    {"0.0001K", 0, 0},
    {"0.0K", 0, -1},
    {"0%", 0, -1},
    {"-5", 0, -1},
    {"-5%", 0, -1},
    {"nan", 0, -1},
    {"inf", 0, -1},
    {"12abc", 0, -1},
    {"12Mx", 0, -1},
    {"12X", 0, -1},
    {"5%%", 0, -1},
    {"5M%", 0, -1},
    {"1e", 0, -1},
    {"1e+", 0, -1},
    {"1.2.3", 0, -1},
    {" 1", 0, -1},
    {"1 ", 0, -1},
    {"0x10", 0, -1},
};

LOOP_TEST(amount, LENGTH(amounts))
{
    base_error error = {""};
    base_amount read;
    int64_t bytes = 77;
    const char *text = amounts[_i].text;
    int failed = base_number_amount(text, true, &read, &error);
    ck_assert_msg((failed != 0) == (amounts[_i].bytes == -1), "'%s': %s", text, error.text);
    if (failed) {
        ck_assert_contains(error.text, text);
        return;
    }
    failed = base_amount_bytes(&read, amounts[_i].whole, &bytes, &error);
    ck_assert_msg((failed != 0) == (amounts[_i].bytes == -2), "'%s': %" PRId64, text, bytes);
    if (!failed)
        ck_assert_int_eq(bytes, amounts[_i].bytes);
}

TEST(parts_are_asked_about)
{
    base_error error = {""};
    base_amount read;
    ck_assert_int_ne(base_number_amount("0.125", true, &read, &error), 0);
    ck_assert_contains(error.text, "'0.125': less than a byte; was 12.5% meant?");
    ck_assert_int_eq(base_number_amount("0.125", false, &read, &error), 0);
}

/* What might be of 1000 or of 1024 is refused with both in the message. */
TEST(ambiguous_units)
{
    static const char *const texts[] = {"1.2m", "64KB", "5kib", "3Gi"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        base_error error = {""};
        base_amount read;
        ck_assert_int_ne(base_number_amount(texts[k], k % 2, &read, &error), 0);
        ck_assert_ptr_nonnull(strstr(error.text, "of 1024 (K, M, G, T or KiB, MiB, GiB, TiB) or of "
                                                 "1000 (kB, MB, GB, TB), got '"));
    }
}

TEST(percent_not_allowed)
{
    base_error error = {""};
    base_amount read;
    ck_assert_int_ne(base_number_amount("50%", false, &read, &error), 0);
    ck_assert_contains(error.text, "50%");
}

/* Doubles of every exponent come back, and none with fewer digits. */
TEST(shortest_decimals_come_back)
{
    static const char *const same[] = {"0.1", "1.0005", "1e+300", "-2.5", "1.1052631578947367",
                                       "0"};
    enum { ROUNDS = 20000 };
    base_rng rng = {.state = 1};
    int wrong = 0;
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        ck_assert_str_eq(base_number_shortest(strtod(same[k], NULL)).text, same[k]);
    for (int round = 0; round < ROUNDS; round++) {
        char fewer[32];
        const uint64_t bits = base_rng_next(&rng);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        wrong += strtod(base_number_shortest(value).text, NULL) != value;
        snprintf(fewer, sizeof fewer, "%.15g", value);
        wrong +=
            strtod(fewer, NULL) == value && strcmp(base_number_shortest(value).text, fewer) != 0;
    }
    ck_assert_int_eq(wrong, 0);
}
