/* Runs the suites of tests/formulation. */
#include <stdlib.h>

#include "tests/formulation/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(models_suite());
    srunner_add_suite(runner, knapsack_suite());
    srunner_add_suite(runner, cuts_suite());
    srunner_add_suite(runner, masks_suite());
    srunner_add_suite(runner, extend_suite());
    srunner_add_suite(runner, coarse_suite());
    srunner_add_suite(runner, canonical_suite());
    srunner_add_suite(runner, check_suite());
    srunner_add_suite(runner, book_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
