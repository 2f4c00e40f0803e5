/* What several suites of the room share. */
#ifndef TESTS_EXACT_SUPPORT_H
#define TESTS_EXACT_SUPPORT_H

#include "problem/graph.h"
#include "tests/oracle/random_instance.h"

/* A scattered graph of 60 nodes, to be freed, and its problem without paging, at so many percent of
 * what keeping everything takes. */
graph *scattered_problem(uint64_t seed, int percent, problem *p);

/* A small instance for label searches: without a deadline and a limit on computations; at
 * most two of three have paging. */
random_instance unlimited_instance_make(uint64_t seed);

#endif
