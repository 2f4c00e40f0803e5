/* Runs the suites of tests/exact. */
#include <stdlib.h>

#include "tests/exact/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(agree_suite());
    srunner_add_suite(runner, status_suite());
    srunner_add_suite(runner, known_suite());
    srunner_add_suite(runner, cuts_suite());
    srunner_add_suite(runner, efforts_suite());
    srunner_add_suite(runner, coarse_suite());
    srunner_add_suite(runner, cases_suite());
    srunner_add_suite(runner, nested_suite());
    srunner_add_suite(runner, labels_suite());
    srunner_add_suite(runner, traps_suite());
    srunner_add_suite(runner, large_suite());
    srunner_add_suite(runner, least_suite());
    srunner_add_suite(runner, neighbour_suite());
    srunner_add_suite(runner, turns_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
