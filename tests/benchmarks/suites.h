/* tests/benchmarks: the cases that its files add to the suite. */
#ifndef TESTS_BENCHMARKS_SUITES_H
#define TESTS_BENCHMARKS_SUITES_H

#include <check.h>

/* Parts of the suite, one a file. */
TCase *solvers_case(void);   /* what other programs print */
TCase *cases_case(void);     /* graphs, models and lists of instances */
TCase *tools_case(void);     /* statistics, processes, kept results, tables */
TCase *arguments_case(void); /* what the command lines have in common */

#endif
