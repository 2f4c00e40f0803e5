/* The suites of the room base. */
#ifndef TESTS_BASE_SUITES_H
#define TESTS_BASE_SUITES_H

#include <check.h>

Suite *memory_suite(void);
Suite *guard_suite(void);
Suite *parallel_suite(void);
Suite *turns_suite(void);
Suite *file_suite(void);
Suite *outside_suite(void);
Suite *misc_suite(void);
Suite *params_suite(void);
Suite *number_suite(void);

#endif
