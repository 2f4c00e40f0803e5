#include "problem/budget.h"
#include "tests/problem/suites.h"
#include "tests/problem/support.h"

START_TEST(accepted)
{
    graph *g = five_nodes(); /* checkpoint-all peak 26 */
    const struct {
        const char *text;
        int64_t bytes;
    } cases[] = {
        {"3000000", 3000000},
        {"0", 0},
        {"007", 7},
        {"12.9", 12},
        {".5K", 512},
        {"5.K", 5120},
        {"1.2M", 1258291}, /* 1258291.2 */
        {"1.2m", 1258291},
        {"1K", 1024},
        {"1KB", 1024},
        {"1KiB", 1024},
        {"1kib", 1024},
        {"3B", 3},
        {"2 GB", INT64_C(2) << 30},
        {"1T", INT64_C(1) << 40},
        {"4194304T", INT64_C(1) << 62},
        {"50%", 13},
        {"49.99%", 12},
        {"100%", 26},
        {"3.8461538461538461%", 0}, /* just below 1/26 */
        {"3.8461538461538462%", 1}, /* just above */
        {"0.0001%", 0},
        {"250 %", 65},
        {"99.999999999999999%", 25},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t bytes = -1;
        base_error error = {""};
        int status = problem_parse_budget(cases[k].text, g, &bytes, &error);
        ck_assert_msg(status == 0, "%s", error.text);
        ck_assert_msg(bytes == cases[k].bytes, "%s: %ld", cases[k].text, (long)bytes);
    }
    graph_free(g);
}
END_TEST

/* Odd peaks round down, and fractions that doubles miss are met. */
START_TEST(percentages_are_exact)
{
    graph_node node = {.bytes = 7417};
    graph *g = graph_create("", &node, 1, NULL);
    int64_t bytes;
    ck_assert_int_eq(problem_parse_budget("50%", g, &bytes, NULL), 0);
    ck_assert_int_eq(bytes, 3708);
    graph_free(g);
    /* 0.29 * 100 is 28.999999999999996 in doubles. */
    node.bytes = 100;
    g = graph_create("", &node, 1, NULL);
    ck_assert_int_eq(problem_parse_budget("29%", g, &bytes, NULL), 0);
    ck_assert_int_eq(bytes, 29);
    graph_free(g);
    /* 2^61 * (1 - 1e-15): beyond what doubles hold. */
    node.bytes = GRAPH_MAX_BYTES;
    g = graph_create("", &node, 1, NULL);
    ck_assert_int_eq(problem_parse_budget("99.9999999999999%", g, &bytes, NULL), 0);
    ck_assert_int_eq(bytes, INT64_C(2305843009213691646));
    graph_free(g);
}
END_TEST

START_TEST(refused)
{
    graph *g = five_nodes();
    const char *const cases[] = {"",
                                 " ",
                                 ".",
                                 "-1",
                                 "+1",
                                 "1e6",
                                 "M",
                                 "%",
                                 "1MM",
                                 "1.2.3",
                                 "12X",
                                 "0x10",
                                 "1Mi",
                                 "1K B",
                                 "nan",
                                 "50%%",
                                 "50% ",
                                 "1iB",
                                 "5 0",
                                 "half",
                                 "1,5M",
                                 "1BK",
                                 "123456789012345678901",
                                 " 12",
                                 "12\n"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t bytes = -7;
        base_error error = {""};
        ck_assert_msg(problem_parse_budget(cases[k], g, &bytes, &error) == -1, "\"%s\" gave %ld",
                      cases[k], (long)bytes);
        ck_assert_int_eq(bytes, -7);
        ck_assert_contains(error.text, "is expected");
    }
    int64_t bytes;
    base_error error;
    ck_assert_int_eq(problem_parse_budget("4194304.1T", g, &bytes, &error), -1);
    ck_assert_contains(error.text, "larger than 2^62 bytes");
    ck_assert_int_eq(problem_parse_budget("4611686018427387905", g, &bytes, &error), -1);
    ck_assert_int_eq(problem_parse_budget("4398046511105M", g, &bytes, &error), -1);
    ck_assert_contains(error.text, "larger than 2^62 bytes");
    graph_free(g);
}
END_TEST

Suite *budget_suite(void)
{
    Suite *suite = suite_create("budgets");
    TCase *tests = tcase_create("budgets");
    tcase_add_test(tests, accepted);
    tcase_add_test(tests, percentages_are_exact);
    tcase_add_test(tests, refused);
    suite_add_tcase(suite, tests);
    return suite;
}
