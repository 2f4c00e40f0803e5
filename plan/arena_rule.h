/* Inside plan/: preferences of the runs of the exact search for addresses (plan/arena_search.c). */
#ifndef PLAN_ARENA_RULE_H
#define PLAN_ARENA_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum { ARENA_RULES = 6 }; /* run number r follows rule r % ARENA_RULES */

/* True if the run prefers buffers of the fullest section, as the search stands. */
bool arena_rule_is_dynamic(int run);

/* Preference of a run for a buffer of the sections first..last; the largest comes first. total: sum
 * of the sizes in each section, extent sections. O(last - first). */
double arena_rule_preference(int run, int first, int last, int64_t bytes, const double *total,
                             int sections);

/* Largest of value[first..last], which are not negative. */
double arena_largest(const double *value, int first, int last);

#endif
