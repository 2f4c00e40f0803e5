/* bnb/relaxation: the LP of a thread: the model's core rows, then cuts and lazy rows. */
#ifndef BNB_RELAXATION_H
#define BNB_RELAXATION_H

#include "bnb/tree.h"

typedef struct bnb_relaxation {
    lp_solver *solver;
    int model_rows;    /* number of core rows of the model */
    bnb_poolcut **cut; /* cuts and lazy rows, one reference each; LP row model_rows + k */
    int *age;          /* rounds in a row in which the cut did not bind */
    int cuts, capacity;
    int patience; /* number of rounds of lazy rows with little progress after which a solve ends
                     early; 0: never */
    bool rows_missing; /* the last solve ended early: x may violate lazy rows */
} bnb_relaxation;

/* Initialises the LP to the instance's core rows without cuts. */
void bnb_relaxation_init(bnb_relaxation *r, const bnb_search *s);
void bnb_relaxation_clear(bnb_relaxation *r);
/* Appends cuts as rows of the LP, and holds a reference to each while it is a row. */
void bnb_relaxation_add_cuts(bnb_relaxation *r, bnb_poolcut *const *cut, int count);
/* Adds lazy rows that x violates by at least `part` of the largest violation. With `tight`, also
 * adds rows that hold with equality and have a nonzero column. Returns the number of rows added;
 * 0 if x violates none. */
int bnb_lazy_add_violated(bnb_context *c, double part, bool tight);
/* Adds lazy rows that x violates or that hold with equality: with the same bound, they may have
 * nonzero multipliers. Returns the number of rows added; if it is positive, the LP must be solved
 * again. */
int bnb_lazy_add_tight(bnb_context *c);
/* Ages the cuts by the last solution; drops cuts that did not bind in more than `limit` rounds. */
void bnb_relaxation_age(bnb_context *c, int limit);
/* True if the cut or lazy row is in the LP. O(cuts). */
bool bnb_relaxation_has(const bnb_relaxation *r, const bnb_poolcut *cut);
/* The first returns basis and cuts of the LP, for children. The second restores them. */
bnb_lpstate *bnb_relaxation_state(const bnb_context *c);
void bnb_relaxation_restore(bnb_context *c, const bnb_lpstate *state);
/* Passes changed bounds of the domain to the LP. */
void bnb_relaxation_sync(bnb_context *c);
/* Returns the reduced cost d_j of the multipliers c->y in long double; *error: bound on its
 * error. */
long double bnb_reduced_cost(const bnb_context *c, int j, long double *error);

#endif
