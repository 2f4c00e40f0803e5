/* The suites of the room heuristics. */
#ifndef TESTS_HEURISTICS_SUITES_H
#define TESTS_HEURISTICS_SUITES_H

#include <check.h>

Suite *frontier_suite(void);
Suite *room_bound_suite(void);
Suite *search_suite(void);
Suite *race_suite(void);
Suite *networks_suite(void);
Suite *repair_suite(void);
Suite *anneal_suite(void);
Suite *order_suite(void);

#endif
