/* The suites of the room heuristics. */
#ifndef TESTS_HEURISTICS_SUITES_H
#define TESTS_HEURISTICS_SUITES_H

#include <check.h>

Suite *anneal_suite(void);
Suite *networks_suite(void);
Suite *order_suite(void);

#endif
