/* Runs the suites of tests/base. */
#include <check.h>
#include <stdlib.h>

#include "tests/base/suites.h"

/* Under the sanitizers malloc may fail as it does elsewhere. */
const char *__asan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__asan_default_options(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return "allocator_may_return_null=1";
}

const char *__tsan_default_options(void); /* NOLINT(bugprone-reserved-identifier) */
const char *__tsan_default_options(void)  /* NOLINT(bugprone-reserved-identifier) */
{
    return "allocator_may_return_null=1";
}

int main(void)
{
    SRunner *runner = srunner_create(memory_suite());
    srunner_add_suite(runner, guard_suite());
    srunner_add_suite(runner, parallel_suite());
    srunner_add_suite(runner, turns_suite());
    srunner_add_suite(runner, file_suite());
    srunner_add_suite(runner, outside_suite());
    srunner_add_suite(runner, misc_suite());
    srunner_add_suite(runner, params_suite());
    srunner_add_suite(runner, number_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
