/* Runs the suites of tests/lp. */
#include <check.h>
#include <stdlib.h>

#include "tests/lp/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(suite_model());
    srunner_add_suite(runner, suite_mps());
    srunner_add_suite(runner, suite_lpfile());
    srunner_add_suite(runner, suite_write());
    srunner_add_suite(runner, suite_safe());
    srunner_add_suite(runner, suite_repair());
    srunner_add_suite(runner, suite_refine());
    srunner_add_suite(runner, suite_factor());
    srunner_add_suite(runner, suite_simplex());
    srunner_add_suite(runner, suite_simplex_changes());
    srunner_add_suite(runner, suite_weights());
    srunner_add_suite(runner, suite_push());
    srunner_add_suite(runner, suite_simplex_limits());
    srunner_add_suite(runner, suite_hard());
    srunner_add_suite(runner, suite_data());
    srunner_add_suite(runner, suite_open());
    srunner_add_suite(runner, suite_fuzz());
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
