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

/* Chooses the column to branch on at c->x by pseudo-costs, which strong branching makes reliable.
 * Sets *b only if it returns BNB_BRANCH_CHOSEN. */
bnb_branch_result bnb_branch_select(bnb_context *c, bnb_branching *b);
/* True if column j is integer and its value in c->x is fractional. */
bool bnb_is_fractional(const bnb_context *c, int j);
/* Returns the number of such columns. */
int bnb_count_fractional(const bnb_context *c);

#endif
