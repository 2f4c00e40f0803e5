/* The part of the command line that all programs share. */
#include <string.h>

#include "base/base.h"
#include "benchmarks/arguments.h"
#include "tests/benchmarks/suites.h"

static const struct argp_option own_options[] = {{"own", 'o', NULL, 0, "", 0}, {0}};
static const struct argp_child children[] = {{&bench_arguments_argp, 0, NULL, 0}, {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    bench_arguments *a = state->input;
    (void)text;
    if (key == 'o')
        a->alone = true;
    else if (key == ARGP_KEY_INIT)
        state->child_inputs[0] = a;
    else
        return ARGP_ERR_UNKNOWN;
    return 0;
}

static error_t take(int argc, char **argv, bench_arguments *a)
{
    const struct argp argp = {.options = own_options, .parser = parse, .children = children};
    *a = bench_arguments_default();
    return argp_parse(&argp, argc, argv, ARGP_NO_EXIT | ARGP_NO_ERRS, NULL, a);
}

START_TEST(what_is_given)
{
    char *argv[] = {"x", "-p", "1", "program", "folder", "--total-seconds=2.5", "a", "b", NULL};
    bench_arguments a;
    ck_assert_int_eq(take(8, argv, &a), 0);
    ck_assert_str_eq(a.program, "program");
    ck_assert_str_eq(a.folder, "folder");
    ck_assert_str_eq(a.names[0], "a");
    ck_assert_str_eq(a.names[1], "b");
    ck_assert_ptr_null(a.names[2]);
    ck_assert_int_eq(a.processor, 1);
    ck_assert_double_eq(a.total_seconds, 2.5);
    ck_assert(!bench_time_over(&a, base_seconds()));
    ck_assert(bench_time_over(&a, base_seconds() - 3));
}
END_TEST

START_TEST(what_is_not)
{
    char *program[] = {"x", "program", "folder", NULL}, *alone[] = {"x", "-o", NULL};
    bench_arguments a;
    ck_assert_int_eq(take(3, program, &a), 0);
    ck_assert_ptr_null(a.names[0]);
    ck_assert_int_eq(a.processor, -1);
    ck_assert(!bench_time_over(&a, base_seconds() - 1e6));
    ck_assert_int_eq(take(2, alone, &a), 0);
    ck_assert_ptr_null(a.program);
}
END_TEST

TCase *arguments_case(void)
{
    TCase *tcase = tcase_create("arguments");
    tcase_add_test(tcase, what_is_given);
    tcase_add_test(tcase, what_is_not);
    return tcase;
}
