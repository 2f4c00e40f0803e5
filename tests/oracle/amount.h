/* tests/oracle: costs as integers in units of a power of two, so that sums and comparisons are
 * exact whatever the doubles are. */
#ifndef TESTS_ORACLE_AMOUNT_H
#define TESTS_ORACLE_AMOUNT_H

#include "problem/graph.h"

/* Joules or seconds in units of a power of two, which is one for each of them. */
typedef __int128 amount;

enum { AMOUNT_NODES = 14 }; /* the most of a graph */

/* What a node costs: to compute, to page in, to page out. */
enum { COSTS = 3, COMPUTE = 0, PAGEIN = 1, PAGEOUT = 2 };

/* The costs of the nodes of a problem; sums of 3 n^2 of them, n <= AMOUNT_NODES, do not overflow.
 */
typedef struct amounts {
    amount joules[COSTS][AMOUNT_NODES], seconds[COSTS][AMOUNT_NODES];
    int joule_unit; /* the exponent of the unit */
    bool timed;     /* there is a deadline; else all seconds are 0 */
    amount slack;   /* in units of the seconds: problem_slack_seconds, rounded down */
} amounts;

/* Seconds of transfers are 0 where the deadline does not include them. Aborts when the costs are
 * too far apart. */
amounts amounts_of(const problem *p);

double amount_joules(const amounts *a, amount joules);

#endif
