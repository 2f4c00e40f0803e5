/* tests/oracle: seeded instances at the edge of the range of inputs (problem/graph.h). */
#ifndef TESTS_ORACLE_EXTREME_INSTANCE_H
#define TESTS_ORACLE_EXTREME_INSTANCE_H

#include "tests/oracle/random_instance.h"

/* Takes an instance whose costs are small multiples of 1/8, and multiplies each cost by a power of
 * two of its own: joules, and likewise seconds, then spread over up to the whole of
 * GRAPH_MOST_RATIO, anywhere between GRAPH_LEAST_COST and GRAPH_MOST_COST. All sizes are multiplied
 * by the same power of two, up to a sum of GRAPH_MAX_BYTES, and the budget becomes odd. A deadline
 * is drawn anew where sets of recomputations just meet it or just miss it. The same for the same
 * seed on every machine. The instance must have been freed by nobody; its graph is replaced. */
void extreme_instance_stretch(random_instance *instance, uint64_t seed);

/* Makes about half of the sizes gigabytes and the others a few bytes. The budget is the least with
 * a schedule, by the oracle, or some bytes less, so that bytes decide beside gigabytes. The same
 * for the same seed on every machine. The instance must have been freed by nobody. */
void extreme_instance_mix_sizes(random_instance *instance, uint64_t seed);

#endif
