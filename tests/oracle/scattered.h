/* tests/oracle/scattered: random layered graphs in a random order, without gradients; after the RL
 * graphs that Moccasin (Bartan et al., ICML 2023) is measured on. */
#ifndef TESTS_ORACLE_SCATTERED_H
#define TESTS_ORACLE_SCATTERED_H

#include "tests/oracle/layered.h"

/* A graph with exactly options.nodes nodes, the same for the same options everywhere. The platform
 * is not looked at.
 *
 * The first node is a layer of its own, the others have 1 to width nodes each. A node reads 1 to
 * 2 degree - 1 nodes: of the layer before it, one in eight of any layer. What nobody chose is read
 * by one of the next layer. Of the nodes whose inputs are there the next one in the order is one of
 * those that became ready last, so that a part of one layer mixes with a part of others.
 *
 * Bytes are about those of a normal distribution without its signs, seconds and joules equal
 * numbers from 1 to 1000; paging costs as much as computing. NULL with an error for options out of
 * range. */
graph *scattered_make(const layered_options *options, base_error *error);

#endif
