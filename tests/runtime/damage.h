/* tests/runtime: damaged plans. */
#ifndef TESTS_RUNTIME_DAMAGE_H
#define TESTS_RUNTIME_DAMAGE_H

#include "base/base.h"

/* Counts of the damaged plans up to now. */
typedef struct damage_counts {
    long run, accepted;
    long status[16]; /* by poet_status */
} damage_counts;

/* Damages the plan of a random instance in `count` ways, most of them with the right checksum, and
 * runs each with the runtime: on exactly the memory that the plan needs, so that the sanitizers see
 * every access outside. NULL, or what was wrong: a kernel ran although the plan was refused, a
 * value was not the one of its node, a plan was accepted that plan_execute refuses, or the other
 * way round. The same for the same seed. */
const char *damage_run(uint64_t seed, int count, damage_counts *counts);

#endif
