/* Runs the suites of tests/runtime. */
#include <stdlib.h>

#include "tests/runtime/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(suite_plans());
    srunner_add_suite(runner, suite_damage());
    srunner_add_suite(runner, suite_kernels());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
