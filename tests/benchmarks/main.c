/* The programs that compare poetbnb with others and with itself. The paper's experiments have tests
 * of their own, in tests/bench. */
#include <check.h>
#include <stdlib.h>

#include "tests/benchmarks/suites.h"

int main(void)
{
    Suite *s = suite_create("benchmarks");
    suite_add_tcase(s, solvers_case());
    suite_add_tcase(s, cases_case());
    suite_add_tcase(s, tools_case());
    suite_add_tcase(s, arguments_case());
    SRunner *runner = srunner_create(s);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
