/* The suites of the library. */
#ifndef TESTS_LIBRARY_SUITES_H
#define TESTS_LIBRARY_SUITES_H

#include <check.h>

Suite *library_suite(void);
Suite *callbacks_suite(void);
Suite *outputs_suite(void);

#endif
