/* bnb/tree: open nodes. A node stores its difference to its parent: the branching, then the
 * deductions in it, as a list of bound changes. It shares with its sibling the basis and cuts of
 * the parent's last LP, for a warm start. Not thread safe: calls need the search's lock, except
 * the readers bnb_node_apply and bnb_lpstate_status. */
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
    bnb_poolcut **cut; /* one reference each */
} bnb_lpstate;

/* status: one lp_basis_status per variable of an LP with `cuts` cut rows at its end. Holds
 * references to the cuts. The caller gets one reference to the state. */
bnb_lpstate *bnb_lpstate_create(const unsigned char *status, int variables, int cuts,
                                bnb_poolcut *const *cut);
unsigned char bnb_lpstate_status(const bnb_lpstate *s, int variable);
void bnb_lpstate_release(bnb_lpstate *s);

typedef struct bnb_node {
    struct bnb_node *parent;
    int refs; /* one of the owner and one per child */
    int depth;
    long id;            /* unique; increases with time in each thread; 0: root */
    double bound;       /* proven lower bound */
    bnb_change *change; /* bound changes; if depth > 0, the first is the branching */
    int changes;
    bnb_lpstate *state;      /* of the parent's LP; NULL: the root, or it has branched */
    double parent_objective; /* LP objective of the parent */
    double distance; /* distance from the parent's LP value of the column to its new bound */
} bnb_node;

/* Creates a child of parent (NULL: the root) with the branching as its first change. Takes over
 * the reference to state and holds a reference to parent. */
bnb_node *bnb_node_create(bnb_node *parent, const bnb_change *branching, double bound,
                          bnb_lpstate *state);
/* Appends the deductions in the trail. Call it at most once, before the node gets children. */
void bnb_node_add_changes(bnb_node *n, const bnb_trail_entry *trail, int count);
/* Drops the owner's reference. Frees the node if no child is left, then each ancestor in the same
 * case. */
void bnb_node_release(bnb_node *n);
/* Tightens lower and upper (extent cols) by the changes from the node up to the root. Returns
 * false if a column has no value left. */
bool bnb_node_apply(const bnb_node *n, double *lower, double *upper);

/* Open nodes by least bound; ties: deepest, then oldest. */
typedef struct bnb_heap {
    bnb_node **node;
    int count, capacity;
} bnb_heap;

void bnb_heap_push(bnb_heap *h, bnb_node *n);
bnb_node *bnb_heap_pop(bnb_heap *h);      /* NULL when empty */
double bnb_heap_bound(const bnb_heap *h); /* INFINITY when empty */
/* Releases all nodes and frees the heap's array. */
void bnb_heap_clear(bnb_heap *h);

#endif
