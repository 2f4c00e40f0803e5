/* bnb/node: processing of one node: propagation, LP bound, cuts, heuristics, branching. */
#ifndef BNB_NODE_H
#define BNB_NODE_H

#include "bnb/tree.h"

typedef enum bnb_verdict {
    BNB_NODE_PRUNED = 0,
    BNB_NODE_BRANCHED, /* children[0] is processed next */
    BNB_NODE_STOPPED   /* a limit was reached: the node stays open */
} bnb_verdict;

typedef struct bnb_children {
    bnb_node *child[2]; /* NULL: pruned at once */
} bnb_children;

/* Processes the loaded node c->node. Requires c->bound. */
bnb_verdict bnb_node_process(bnb_context *c, bnb_children *children);
/* Processes the root: LP, cut rounds, fixing, heuristics, branching. Sets *restart if presolve
 * should run again; there are no children then. */
bnb_verdict bnb_root_process(bnb_context *c, bnb_children *children, bool *restart);

#endif
