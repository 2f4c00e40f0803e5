#include "tests/certificate/suites.h"
#include "tests/certificate/support.h"
Suite *checker_suite(void)
{
    return suite_create("checker");
}
