/* tests/oracle: small training chains in which tensors of equal size and cost have nested
 * lifetimes, as those of the equal layers of a network. */
#ifndef TESTS_ORACLE_NESTED_INSTANCE_H
#define TESTS_ORACLE_NESTED_INSTANCE_H

#include "tests/oracle/random_instance.h"

/* Two or three layers of two nodes and gradients that read them backwards, at most 10 nodes; some
 * have a skip connection, a missing or a further edge, another size, a workspace, pins, a
 * deadline, a limit on computations, options. The budget is tight. The graph is owned. */
random_instance nested_instance_make(uint64_t seed);

#endif
