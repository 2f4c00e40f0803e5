#include "tests/certificate/suites.h"
#include "tests/certificate/support.h"
Suite *tamper_suite(void)
{
    return suite_create("tampered certificates");
}
