/* bnb/tree: open subproblems. A node holds what it adds to its parent: its branching, then
 * all that was deduced in it, as a list of bound changes; and, shared with its sibling, the
 * basis and the cuts of the parent's last LP for a warm start. Not thread safe: the search
 * holds its lock around every call here but the reading of a path. */
#ifndef BNB_TREE_H
#define BNB_TREE_H

#include "bnb/cut.h"
#include "bnb/model/domain.h"

/* Basis and cut rows of an LP, packed: two bits per variable. */
typedef struct bnb_lpstate {
    int refs;
    int variables; /* columns, then model rows, then cuts */
    unsigned char *packed;
    int cuts;
    bnb_poolcut **cut; /* references held */
} bnb_lpstate;

/* status: one lp_basis_status per variable of an LP with `cuts` cut rows at its end.
 * Takes references to the cuts; one reference for the caller. */
bnb_lpstate *bnb_lpstate_create(const unsigned char *status, int variables, int cuts,
                                bnb_poolcut *const *cut);
unsigned char bnb_lpstate_status(const bnb_lpstate *s, int variable);
void bnb_lpstate_release(bnb_lpstate *s);

typedef struct bnb_node {
    struct bnb_node *parent;
    int refs; /* the owner's and one per child */
    int depth;
    long id;            /* order of creation; 0: root */
    double bound;       /* proven lower bound */
    bnb_change *change; /* at depth > 0 the first is the branching */
    int changes;
    bnb_lpstate *state;      /* NULL: slack basis, no cuts */
    double parent_objective; /* LP objective of the parent */
    double distance;         /* by how much the branching moved the LP value */
} bnb_node;

/* Takes over the reference to state. The child gets the branching as its first change and
 * holds a reference to parent (NULL: root). */
bnb_node *bnb_node_create(bnb_node *parent, const bnb_change *branching, double bound,
                          bnb_lpstate *state);
/* Appends what was deduced: the last change per bound counts. Once, before children. */
void bnb_node_add_changes(bnb_node *n, const bnb_trail_entry *trail, int count);
/* Drops the owner's reference; frees the node and childless ancestors. */
void bnb_node_release(bnb_node *n);
/* Applies the changes from the root down to lower, upper (extent cols). False when that
 * leaves a column without a value. */
bool bnb_node_apply(const bnb_node *n, double *lower, double *upper);

/* Open nodes, least bound first, then deepest, then oldest. */
typedef struct bnb_heap {
    bnb_node **node;
    int count, capacity;
} bnb_heap;

void bnb_heap_push(bnb_heap *h, bnb_node *n);
bnb_node *bnb_heap_pop(bnb_heap *h);      /* NULL when empty */
double bnb_heap_bound(const bnb_heap *h); /* INFINITY when empty */
/* Releases all nodes. */
void bnb_heap_clear(bnb_heap *h);

#endif
