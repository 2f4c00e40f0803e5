/* bnb/proof: reports events to params.proof. */
#ifndef BNB_PROOF_H
#define BNB_PROOF_H

#include "bnb/branch.h"
#include "bnb/cut.h"
#include "bnb/tree.h"

/* These functions do nothing without a proof listener. The first reports a cut; call it when the
 * cut first enters an LP. The second reports a branching; call it when both children exist. */
void bnb_proof_cut(bnb_context *c, bnb_poolcut *cut);
void bnb_proof_branch(bnb_context *c, const bnb_branching *b, bnb_node *const *child);
/* Reports the deductions in the domain's trail from `mark` on; c->y are the multipliers of
 * reduced-cost fixings. */
void bnb_proof_deduce(bnb_context *c, int mark);
/* Reports that strong branching moved the column's bound to value; y (extent the LP's rows)
 * proves it. */
void bnb_proof_strong(bnb_context *c, int col, bool upper, double value, const double *y);
/* Reports that the node is pruned for the reason `kind`. y: multipliers that prove the bound;
 * NULL: none needed. */
void bnb_proof_leaf(bnb_context *c, bnb_step kind, double bound, const double *y);

#endif
