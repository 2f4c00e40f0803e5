/* What the suites of this room share: random instances with random schedules. */
#ifndef TESTS_PLAN_SUPPORT_H
#define TESTS_PLAN_SUPPORT_H

#include <check.h>

#include "plan/plan.h"
#include "tests/oracle/random_instance.h"

OWNED_POINTER(plan, plan_free)
OWNED_VALUE(plan_timeline, plan_timeline_clear)

/* A random problem and a random schedule that obeys all its rules; the budget lies at or a
 * little above the schedule's peak. */
typedef struct sample {
    random_instance instance;
    problem problem; /* of the instance's graph */
    schedule *schedule;
    validation found;
} sample;

sample sample_make(uint64_t seed, int max_nodes);
void sample_free(sample *s);
OWNED_VALUE(sample, sample_free)

/* Six nodes in a chain, 0 .. 5, where node 5 reads node 0 too. All have 10 bytes, take 4
 * seconds to compute, 2 to page in and 1 to page out. */
graph *chain_of_six(void);

/* For it: node 0 is paged out in stage 2, leaves RAM after it, and is paged in in stage 4;
 * every other node stays until its reader has run. Peak 30. */
schedule *paged_schedule(void);

/* The plan of s, to be freed. Ends the program if there is none. */
plan *plan_of(const problem *p, const schedule *s, bool overlap);

#endif
