/* bnb/proof: events for params.proof. */
#ifndef BNB_PROOF_H
#define BNB_PROOF_H

#include "bnb/branch.h"
#include "bnb/cut.h"
#include "bnb/node.h"

/* Nothing happens in these where there is nobody to tell. A cut is told once, when it first goes
 * into an LP; a branching when both children are there. */
void bnb_proof_cut(bnb_context *c, bnb_poolcut *cut);
void bnb_proof_branch(bnb_context *c, const bnb_branching *b, const bnb_children *children);
/* The domain's trail from `mark` on, with the multipliers c->y where they were used. */
void bnb_proof_deduce(bnb_context *c, int mark);
/* Strong branching has moved the column's bound to value: y (extent the LP's rows) proves it. */
void bnb_proof_strong(bnb_context *c, int col, bool upper, double value, const double *y);
/* The node is done for that reason; y: multipliers that prove the bound, NULL: none are needed. */
void bnb_proof_leaf(bnb_context *c, bnb_step kind, double bound, const double *y);

#endif
