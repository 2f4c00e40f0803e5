/* Runs the suites of tests/cli. */
#include <stdlib.h>

#include "tests/cli/cli_test.h"

int main(void)
{
    SRunner *runner = srunner_create(suite_help());
    srunner_add_suite(runner, suite_manual());
    srunner_add_suite(runner, suite_import());
    srunner_add_suite(runner, suite_nodes());
    srunner_add_suite(runner, suite_engine());
    srunner_add_suite(runner, suite_rule());
    srunner_add_suite(runner, suite_limits());
    srunner_add_suite(runner, suite_problem());
    srunner_add_suite(runner, suite_sweep());
    srunner_add_suite(runner, suite_bad_input());
    srunner_add_suite(runner, suite_cross());
    srunner_add_suite(runner, suite_plan());
    srunner_add_suite(runner, suite_plot());
    srunner_add_suite(runner, suite_certificate());
    srunner_add_suite(runner, suite_outside());
    srunner_add_suite(runner, suite_parameters());
    srunner_add_suite(runner, suite_records());
    srunner_add_suite(runner, suite_log());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
