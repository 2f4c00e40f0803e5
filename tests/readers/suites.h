/* The suites of the room readers. */
#ifndef TESTS_READERS_SUITES_H
#define TESTS_READERS_SUITES_H

#include <check.h>

Suite *suite_mutants(void);
Suite *suite_hostile(void);

#endif
