/* The suites of this room's runner. */
#ifndef TESTS_BASELINES_SUITES_H
#define TESTS_BASELINES_SUITES_H

#include <check.h>

Suite *policy_suite(void);
Suite *chen_suite(void);
Suite *revolve_suite(void);
Suite *dtr_suite(void);
Suite *capuchin_suite(void);
Suite *pofo_suite(void);
Suite *checkmate_suite(void);
Suite *figures_suite(void);
Suite *registry_suite(void);
Suite *random_suite(void);
Suite *anneal_suite(void);

#endif
