/* tests/oracle: how often each node has been computed again, as one number: four bits a node. */
#ifndef TESTS_ORACLE_COUNTS_H
#define TESTS_ORACLE_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

enum { COUNTS_NODES = 15, COUNTS_MOST = 15 };

typedef uint64_t counts;

static inline int counts_of(counts c, int i)
{
    return (int)(c >> 4 * i & 15);
}

/* With one more for each node of a set (bit i is node i). */
static inline counts counts_add(counts c, unsigned nodes)
{
    for (; nodes; nodes &= nodes - 1)
        c += UINT64_C(1) << 4 * __builtin_ctz(nodes);
    return c;
}

/* True if no node has more in a than in b. */
static inline bool counts_at_most(counts a, counts b)
{
    for (int i = 0; a >> 4 * i && i < COUNTS_NODES; i++)
        if (counts_of(a, i) > counts_of(b, i))
            return false;
    return true;
}

#endif
