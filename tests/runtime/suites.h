/* The suites of the room runtime. */
#ifndef TESTS_RUNTIME_SUITES_H
#define TESTS_RUNTIME_SUITES_H

#include <check.h>

Suite *suite_plans(void);
Suite *suite_damage(void);
Suite *suite_kernels(void);

#endif
