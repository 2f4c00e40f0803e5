/* The suites of the room certificate. */
#ifndef TESTS_CERTIFICATE_SUITES_H
#define TESTS_CERTIFICATE_SUITES_H

#include <check.h>

Suite *holds_suite(void);
Suite *tamper_suite(void);
Suite *rows_suite(void);
Suite *round_suite(void);
Suite *total_suite(void);
Suite *timeline_suite(void);
Suite *witness_suite(void);
Suite *forge_suite(void);
Suite *exchange_suite(void);
Suite *cases_suite(void);

#endif
