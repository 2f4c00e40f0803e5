/* Runs the suites of tests/library. */
#include <check.h>
#include <stdlib.h>

#include "tests/library/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(library_suite());
    srunner_add_suite(runner, callbacks_suite());
    srunner_add_suite(runner, outputs_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
