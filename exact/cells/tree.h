/* exact/cells/tree: branch and bound over the model of a mask. Not for others. */
#ifndef EXACT_TREE_H
#define EXACT_TREE_H

#include "exact/cells/working.h"

/* Parameters of a tree of e, with all threads. */
bnb_params engine_turn_params(const engine *e);
/* Nodes left of the node limit. */
long engine_nodes_left(const engine *e);
/* bnb_run within the limits of the engine. */
bnb_status engine_run(engine *e, bnb_search *search, double work, long nodes);
/* Continues a recorded search that has proven `bound` until its leaves prove the bound, up to
 * EXACT_OPTIMAL_GAP. The limits of work and nodes do not apply. False if another limit ended the
 * run, or if rounding errors keep multipliers from proving the bound. */
bool engine_record_leaves(engine *e, bnb_search *search, double bound);

/* The row "some cell outside the windows is used" as -sum x <= -1 over the columns of f. Cells that
 * need another cell outside are omitted, which makes the row stronger. */
event_cut outside_row(const engine *e, const formulation *f);
void outside_row_clear(event_cut *row);

/* An open tree over the model of w. */
typedef struct tree tree;

/* Opens a tree. The root LP starts from the basis of `from`, which may be w; from the slack basis
 * if `from` is NULL or has no LP. outside: only schedules that use a cell outside e->core. w must
 * outlive the tree. */
tree *engine_tree_open(engine *e, const working *w, const working *from, exact_effort effort,
                       bool outside);
/* Continues for about `work` steps and at most `nodes` nodes. True if the tree has ended or can
 * make no more progress. */
bool engine_tree_run(tree *t, double work, long nodes);
/* From now on the results of the tree go to e, an engine of the same problem. */
void engine_tree_set_engine(tree *t, engine *e);
/* Dual bound of the tree's own schedules, at most engine_cutoff at the start of the last run. */
double engine_tree_bound(const tree *t);
long engine_tree_nodes(const tree *t);
/* engine_record_leaves for the search of the tree. */
bool engine_tree_record_leaves(tree *t, double bound);
void engine_tree_close(tree *t); /* NULL allowed */

#endif
