/* The suites of the room lp; each file of tests makes one. */
#ifndef TESTS_LP_SUITES_H
#define TESTS_LP_SUITES_H

#include <check.h>

Suite *suite_model(void);
Suite *suite_mps(void);
Suite *suite_lpfile(void);
Suite *suite_write(void);
Suite *suite_safe(void);
Suite *suite_repair(void);
Suite *suite_refine(void);
Suite *suite_open(void);
Suite *suite_fuzz(void);
Suite *suite_data(void);
Suite *suite_factor(void);
Suite *suite_simplex(void);
Suite *suite_simplex_changes(void);
Suite *suite_weights(void);
Suite *suite_push(void);
Suite *suite_simplex_limits(void);
Suite *suite_hard(void);

#endif
