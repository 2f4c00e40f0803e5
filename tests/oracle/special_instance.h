/* tests/oracle: seeded instances of the kinds on which dominance arguments break: the
 * families that random_instance_make rarely draws. */
#ifndef TESTS_ORACLE_SPECIAL_INSTANCE_H
#define TESTS_ORACLE_SPECIAL_INSTANCE_H

#include "tests/oracle/random_instance.h"

typedef enum special_family {
    SPECIAL_PEAKS,   /* few edges, stages that fill the RAM alternate with roomy ones */
    SPECIAL_EQUAL,   /* one size, the budget between its multiples */
    SPECIAL_FREE,    /* most costs zero: ties everywhere */
    SPECIAL_TINY,    /* some tensors so small that all of them fit beside the large ones */
    SPECIAL_READERS, /* a chain whose last nodes read many earlier ones */
    SPECIAL_SINKS,   /* nodes without users among the others, several ends */
    SPECIAL_FAMILIES
} special_family;

const char *special_family_name(special_family family);

/* An instance with at most max_nodes >= 3 nodes, the same for the same arguments on every
 * machine; costs and sizes are small integers or eighths, so that sums are exact. Paging and
 * recomputation are mostly allowed; the two options, a deadline and the least feasible budget
 * come up often. The graph is owned. */
random_instance special_instance_make(special_family family, uint64_t seed, int max_nodes);

#endif
