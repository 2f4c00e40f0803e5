/* tests/oracle: schedules that obey the rules and nothing else. */
#ifndef TESTS_ORACLE_SCRAMBLE_H
#define TESTS_ORACLE_SCRAMBLE_H

#include "problem/schedule.h"

/* Changes random cells of s, which is valid for p, one at a time, where it stays valid: it computes
 * what nobody needs, keeps what it computes again, forgets what is on storage. */
void schedule_scramble(const problem *p, schedule *s, base_rng *rng);

#endif
