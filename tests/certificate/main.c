/* Runs the suites of tests/certificate. */
#include <stdlib.h>

#include "tests/certificate/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(holds_suite());
    srunner_add_suite(runner, tamper_suite());
    srunner_add_suite(runner, rows_suite());
    srunner_add_suite(runner, round_suite());
    srunner_add_suite(runner, total_suite());
    srunner_add_suite(runner, timeline_suite());
    srunner_add_suite(runner, witness_suite());
    srunner_add_suite(runner, forge_suite());
    srunner_add_suite(runner, exchange_suite());
    srunner_add_suite(runner, cases_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
