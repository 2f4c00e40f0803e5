/* Runs the suites of tests/baselines. */
#include <stdlib.h>

#include "tests/baselines/suites.h"

int main(void)
{
    Suite *(*const suites[])(void) = {chen_suite,   revolve_suite,   dtr_suite,     capuchin_suite,
                                      pofo_suite,   checkmate_suite, figures_suite, registry_suite,
                                      random_suite, anneal_suite};
    SRunner *runner = srunner_create(policy_suite());
    for (size_t k = 0; k < sizeof suites / sizeof *suites; k++)
        srunner_add_suite(runner, suites[k]());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
