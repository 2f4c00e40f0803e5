/* What several suites of the room share. */
#ifndef TESTS_EXACT_SUPPORT_H
#define TESTS_EXACT_SUPPORT_H

#include "exact/engine.h"
#include "tests/oracle/random_instance.h"

/* A scattered graph of 60 nodes, to be freed, and its problem without paging, at so many percent of
 * what keeping everything takes. */
graph *scattered_problem(uint64_t seed, int percent, problem *p);

/* A small instance for label searches: without a deadline and a limit on computations; at
 * most two of three have paging. */
random_instance unlimited_instance_make(uint64_t seed);

/* True if s computes node i again or pages it in. */
bool is_away(const schedule *s, int i);

/* The oracle's optimum with node i kept; INFINITY: none. */
double optimum_keeping(const problem *p, int i);

/* An engine without a mask and without anything found yet. */
engine engine_for(const problem *p, const exact_params *params, exact_result *result);

/* Clears all that the engine's efforts hold, its mask and the result. */
void engine_end(engine *e);

#endif
