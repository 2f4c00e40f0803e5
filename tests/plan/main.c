/* Runs the suites of tests/plan. */
#include <stdlib.h>

#include "tests/plan/support.h"

int main(void)
{
    SRunner *runner = srunner_create(suite_build());
    srunner_add_suite(runner, suite_arena());
    srunner_add_suite(runner, suite_execute());
    srunner_add_suite(runner, suite_files());
    srunner_add_suite(runner, suite_transfer());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
