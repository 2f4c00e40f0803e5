/* The suites of the room formulation. */
#ifndef TESTS_FORMULATION_SUITES_H
#define TESTS_FORMULATION_SUITES_H

#include <check.h>

Suite *models_suite(void);
Suite *knapsack_suite(void);
Suite *cuts_suite(void);
Suite *masks_suite(void);
Suite *extend_suite(void);
Suite *coarse_suite(void);
Suite *canonical_suite(void);
Suite *check_suite(void);
Suite *book_suite(void);

#endif
