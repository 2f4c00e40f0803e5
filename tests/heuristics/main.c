/* Runs the suites of tests/heuristics. */
#include <stdlib.h>

#include "tests/heuristics/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(anneal_suite());
    srunner_add_suite(runner, networks_suite());
    srunner_add_suite(runner, order_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
