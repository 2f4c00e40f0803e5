/* Runs the suites of tests/bnb. */
#include <stdlib.h>

#include "suites.h"

int main(void)
{
    SRunner *runner = srunner_create(random_suite());
    srunner_add_suite(runner, cut_suite());
    srunner_add_suite(runner, search_suite());
    srunner_add_suite(runner, basis_suite());
    srunner_add_suite(runner, limits_suite());
    srunner_add_suite(runner, fixing_suite());
    srunner_add_suite(runner, infinite_suite());
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
