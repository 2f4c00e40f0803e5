/* The suites of the checker of certificates. */
#ifndef TESTS_VERIFY_SUITES_H
#define TESTS_VERIFY_SUITES_H

#include <check.h>

Suite *files_suite(void);
Suite *parts_suite(void);

#endif
