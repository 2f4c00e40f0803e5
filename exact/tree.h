/* exact/tree: branch and bound over the model of a mask. Not for others. */
#ifndef EXACT_TREE_H
#define EXACT_TREE_H

#include "exact/working.h"

/* Of the trees that have turns of their own, with all threads. */
bnb_params engine_turn_params(const engine *e);
/* What is left of the node limit. */
long engine_nodes_left(const engine *e);
/* bnb_run within the limits of the engine. */
bnb_status engine_run(engine *e, bnb_search *search, double work, long nodes);
/* The search, which is recorded, has proven this bound with open nodes: tells them as leaves that
 * prove it, as nearly as EXACT_OPTIMAL_GAP asks, whatever work and nodes that takes. False: another
 * limit ended that, or rounding errors keep multipliers from proving it. */
bool engine_tell_leaves(engine *e, bnb_search *search, double bound);

/* An open tree over the model of w. */
typedef struct tree tree;

/* The root LP starts from the basis of `from` (which may be w; NULL or without an LP: from the
 * slacks). outside: only over schedules that use a cell outside e->core. w must outlive it. */
tree *engine_tree_open(engine *e, const working *w, const working *from, exact_effort effort,
                       bool outside);
/* Goes on for about so much work and so many nodes. True: it has ended, or will not get further.
 */
bool engine_tree_run(tree *t, double work, long nodes);
/* From now on what it finds is told to this engine, of the same problem. */
void engine_tree_lend(tree *t, engine *e);
/* Proven for the schedules that it is over, at most engine_cutoff at the beginning of the last run.
 */
double engine_tree_bound(const tree *t);
long engine_tree_nodes(const tree *t);
/* engine_tell_leaves of its search. */
bool engine_tree_tell_leaves(tree *t, double bound);
/* cuts gets the event cuts that were found (NULL: nobody wants them). NULL allowed. */
void engine_tree_close(tree *t, event_cut_list *cuts);

#endif
