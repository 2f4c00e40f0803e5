/* Runs the suites of tests/problem. */
#include <stdlib.h>

#include "tests/problem/suites.h"

int main(void)
{
    static Suite *(*const suites[])(void) = {validate_suite,      schedule_suite, network_suite,
                                             autodiff_suite,      platform_suite, json_suite,
                                             schedule_json_suite, oracle_suite,   lower_suite,
                                             outputs_suite,       made_suite};
    SRunner *runner = srunner_create(graph_suite());
    for (size_t k = 0; k < sizeof suites / sizeof *suites; k++)
        srunner_add_suite(runner, suites[k]());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
