/* tests/oracle/layered: random training graphs that are no chains. */
#ifndef TESTS_ORACLE_LAYERED_H
#define TESTS_ORACLE_LAYERED_H

#include "problem/graph.h"
#include "problem/platform.h"

typedef struct layered_options {
    int nodes;  /* of the whole graph, forward and backward; >= 4 */
    int width;  /* most nodes in a layer; >= 1 */
    int degree; /* most inputs that a forward node chooses; >= 1 */
    uint64_t seed;
    const platform *platform; /* whose cost model makes joules and seconds */
} layered_options;

layered_options layered_options_default(void); /* 50 nodes, width 3, degree 3, seed 1, a72nocache */

/* True if they are in range; otherwise error says how they should be. */
bool layered_options_fit(const layered_options *options, base_error *error);

/* A graph with exactly options.nodes nodes, the same for the same options everywhere.
 *
 * The first half, rounded up, is forward: an input, layers of 1 to width nodes, and a loss that
 * reads the whole last layer. A node reads one of the layer before it and up to degree - 1 more
 * of the three layers before; what nobody chose is read by one of the next layer. The rest are
 * gradients, of the loss first and then down: each reads the gradients of its node's users, and
 * its node's inputs or, as behind an activation function, its node's output.
 *
 * Sizes are 1 to 3 times a power of two from 16 KiB to 128 KiB. Half of the nodes are cheap (1 to 4
 * FLOPs an element), half dear (32 to 1024); gradients cost twice their node. NULL with an error
 * for options out of range. */
graph *layered_make(const layered_options *options, base_error *error);

#endif
