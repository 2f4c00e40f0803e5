/* tests/oracle: instances on which an argument about schedules once went wrong, a little changed:
 * where one mistake was, its siblings are near. */
#ifndef TESTS_ORACLE_MUTANT_H
#define TESTS_ORACLE_MUTANT_H

#include "problem/graph.h"

/* A graph of at most max_nodes nodes (max_nodes >= 6), with the budget at which it was a trap,
 * or one byte more or less now and then. The caller frees the graph. */
graph *mutant_make(base_rng *rng, int max_nodes, int64_t *budget);

#endif
