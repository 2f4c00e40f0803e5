/* bnb/branch: the choice of a branching. */
#ifndef BNB_BRANCH_H
#define BNB_BRANCH_H

#include "bnb/bnb.h"

typedef enum bnb_branch_result {
    BNB_BRANCH_CHOSEN = 0,
    BNB_BRANCH_REDUCED, /* a bound of the node was tightened instead */
    BNB_BRANCH_PRUNED,
    BNB_BRANCH_STOPPED,
    BNB_BRANCH_NONE /* no unfixed integer column */
} bnb_branch_result;

typedef struct bnb_branching {
    int col;
    double value;    /* down: <= value, up: >= value + 1 */
    double bound[2]; /* proven for the children */
    double gain[2];  /* estimates */
} bnb_branching;

/* The column to branch on at the solution c->x, by pseudo-costs that strong branching makes
 * reliable. *b is set for BNB_BRANCH_CHOSEN only. */
bnb_branch_result bnb_branch_select(bnb_context *c, bnb_branching *b);
/* Integer columns of c->x off by more than the integrality tolerance. */
int bnb_count_fractional(const bnb_context *c);

#endif
