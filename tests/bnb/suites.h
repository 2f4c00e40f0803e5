/* The suites of this room, run by main.c. */
#ifndef TESTS_BNB_SUITES_H
#define TESTS_BNB_SUITES_H

#include <check.h>

Suite *random_suite(void);
Suite *cut_suite(void);
Suite *search_suite(void);
Suite *basis_suite(void);
Suite *limits_suite(void);
Suite *fixing_suite(void);
Suite *infinite_suite(void);

#endif
