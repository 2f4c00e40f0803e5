/* bnb/node: one node: propagation, bound, cuts, heuristics, branching. */
#ifndef BNB_NODE_H
#define BNB_NODE_H

#include "bnb/tree.h"

typedef enum bnb_verdict {
    BNB_NODE_PRUNED = 0,
    BNB_NODE_BRANCHED, /* children[0] is the one to go on with */
    BNB_NODE_STOPPED   /* a limit: the node stays open */
} bnb_verdict;

typedef struct bnb_children {
    bnb_node *child[2]; /* NULL: pruned at once */
} bnb_children;

/* Processes the loaded node c->node (c->bound set). */
bnb_verdict bnb_node_process(bnb_context *c, bnb_children *children);
/* The root: cut rounds, fixing, heuristics; *restart: presolve again pays. */
bnb_verdict bnb_root_process(bnb_context *c, bnb_children *children, bool *restart);

#endif
