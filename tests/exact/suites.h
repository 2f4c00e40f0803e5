/* The suites of the room exact. */
#ifndef TESTS_EXACT_SUITES_H
#define TESTS_EXACT_SUITES_H

#include <check.h>

Suite *agree_suite(void);
Suite *status_suite(void);
Suite *known_suite(void);
Suite *cuts_suite(void);
Suite *efforts_suite(void);
Suite *coarse_suite(void);
Suite *cases_suite(void);
Suite *nested_suite(void);
Suite *labels_suite(void);
Suite *traps_suite(void);
Suite *large_suite(void);
Suite *least_suite(void);
Suite *neighbour_suite(void);
Suite *turns_suite(void);

#endif
