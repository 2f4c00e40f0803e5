/* The suites of the room problem. */
#ifndef TESTS_PROBLEM_SUITES_H
#define TESTS_PROBLEM_SUITES_H

#include <check.h>

Suite *graph_suite(void);
Suite *validate_suite(void);
Suite *schedule_suite(void);
Suite *network_suite(void);
Suite *autodiff_suite(void);
Suite *platform_suite(void);
Suite *json_suite(void);
Suite *schedule_json_suite(void);
Suite *oracle_suite(void);
Suite *lower_suite(void);
Suite *outputs_suite(void);
Suite *made_suite(void);

#endif
