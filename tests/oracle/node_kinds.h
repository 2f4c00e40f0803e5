/* tests/oracle: workspaces and pins on the nodes of any instance, and a limit on how often they are
 * computed. */
#ifndef TESTS_ORACLE_NODE_KINDS_H
#define TESTS_ORACLE_NODE_KINDS_H

#include "tests/oracle/random_instance.h"

/* Gives nodes of the instance workspaces, pins, a limit or several of them, in some of the draws of
 * seed; budget and deadline follow so far that most stay feasible. The same for the same seed. */
void node_kinds_draw(random_instance *instance, uint64_t seed);

#endif
