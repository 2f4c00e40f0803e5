/* bnb/node: processing of one node: propagation, LP bound, cuts, heuristics, branching. */
#ifndef BNB_NODE_H
#define BNB_NODE_H

#include "bnb/tree.h"

typedef struct bnb_children {
    bnb_node *child[2]; /* the first is processed next; NULL: the node is pruned */
} bnb_children;

/* Processes the loaded node c->node; sets *children if it branches. Requires c->bound. False: a
 * limit was reached, and the node stays open. */
bool bnb_node_process(bnb_context *c, bnb_children *children);
/* The same for the root: LP, cut rounds, fixing, heuristics, branching. Sets *restart if presolve
 * should run again; there are no children then. */
bool bnb_root_process(bnb_context *c, bnb_children *children, bool *restart);

#endif
