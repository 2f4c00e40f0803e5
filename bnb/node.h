/* bnb/node: processing of one node: propagation, LP bound, cuts, heuristics, branching. */
#ifndef BNB_NODE_H
#define BNB_NODE_H

#include "bnb/tree.h"

/* Processes the loaded node c->node. If it branches, sets child[0], which is processed next, and
 * child[1]. Requires c->bound. False: a limit was reached, and the node stays open. */
bool bnb_node_process(bnb_context *c, bnb_node **child);
/* The same for the root: LP, cut rounds, fixing, heuristics, branching. Sets *restart if presolve
 * should run again; there are no children then. */
bool bnb_root_process(bnb_context *c, bnb_node **child, bool *restart);

#endif
