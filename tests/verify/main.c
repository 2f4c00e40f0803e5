/* The checker of certificates by itself. This runner links with no part of the solver: that it
 * links at all shows that the checker needs none. */
#include <stdlib.h>

#include "tests/verify/suites.h"

int main(void)
{
    SRunner *runner = srunner_create(files_suite());
    srunner_add_suite(runner, parts_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
