/* tests/oracle: seeded instances that tempt an argument about schedules: a recomputation or a
 * transfer pays there for a reason that one easily forgets. */
#ifndef TESTS_ORACLE_BAIT_INSTANCE_H
#define TESTS_ORACLE_BAIT_INSTANCE_H

#include "tests/oracle/random_instance.h"

typedef enum bait_family {
    BAIT_LEAVES,   /* a gradient chain beside weight gradients that nobody reads */
    BAIT_PAST_USE, /* users close to their inputs, many stages after the last one */
    BAIT_PAGING,   /* transfers cheap or free, the budget tight */
    BAIT_LOAD,     /* few large tensors, the budget a sum of some: page-ins fill a stage's load */
    BAIT_SCALES,   /* sizes from 1 to 10^7 bytes, the budget a sum of some */
    BAIT_EDGE,     /* a deadline that some choice of costs meets exactly */
    BAIT_RELEASE,  /* small cheap readers of large tensors: to compute them again releases */
    BAIT_EMPTY,    /* most tensors have no bytes */
    BAIT_TIES,     /* equal costs, chains and skips */
    BAIT_BRANCHY,  /* several chains that join, gradients over the same edges */
    BAIT_UNEVEN,   /* costs are any doubles: sums round */
    BAIT_BLOCKED,  /* large nodes that leave room for little: late page-outs (blocked.h) */
    BAIT_TIGHT,    /* any of those before, less what its best schedule uses up (blocked.h) */
    BAIT_MUTANT,   /* a trap that was found once, a little changed */
    BAIT_FAMILIES,
    BAIT_WIDE = BAIT_FAMILIES /* of its own (wide_instance_make) */
} bait_family;

const char *bait_family_name(bait_family family);

/* An instance with at most max_nodes >= 6 nodes, the same for the same arguments on every machine;
 * but for BAIT_UNEVEN and half of BAIT_WIDE costs are small multiples of 1/8.
 * Options, permissions and deadlines come up in all families. The graph is owned. */
random_instance bait_instance_make(bait_family family, uint64_t seed, int max_nodes);

/* Sizes of 1 to 9 bytes beside others up to 2^42, budgets to the byte; with workspaces and pins.
 * Not among the families that take turns: some are too hard for the solver. */
random_instance wide_instance_make(uint64_t seed, int max_nodes);

/* Instance number seed of all families in turn: random_instance_make, special_instance_make and
 * bait_instance_make, with workspaces and pins (node_kinds.h). max_nodes >= 6. */
random_instance any_instance_make(uint64_t seed, int max_nodes);
enum { ANY_FAMILIES = 1 + 6 + BAIT_FAMILIES };
int any_family(uint64_t seed); /* 0 .. ANY_FAMILIES-1 */
const char *any_family_name(int family);

#endif
