/* bnb/relaxation: the LP of a thread: the model's core rows, then cuts, and a mirror of both on
 * which bounds are recomputed safely. */
#ifndef BNB_RELAXATION_H
#define BNB_RELAXATION_H

#include "bnb/tree.h"

typedef struct bnb_relaxation {
    lp_solver *solver;
    lp_model *mirror;  /* the same rows and columns, for safe bounds; own bounds unused */
    int model_rows;    /* the model's core rows */
    bnb_poolcut **cut; /* cuts and lazy rows, references: row model_rows + k */
    int *age;          /* rounds with a basic slack */
    int cuts, capacity;
    int patience; /* rounds of lazy rows that may leave the objective where it is before a solve
                     ends all the same; 0: any number */
    bool rows_missing; /* the last solve ended like that: x may violate lazy rows */
} bnb_relaxation;

/* An LP of the instance's core rows without cuts, or (like not NULL) a copy of that context's. */
void bnb_relaxation_init(bnb_relaxation *r, const bnb_search *s, const bnb_context *like);
void bnb_relaxation_clear(bnb_relaxation *r);
/* Appends the cuts as rows of the LP; each is held while it is one. */
void bnb_relaxation_add_cuts(bnb_relaxation *r, bnb_poolcut *const *cut, int count);
/* Ages the cuts by the last solution; drops those whose slack was basic too often. */
void bnb_relaxation_age(bnb_context *c, int limit);
/* True if the cut, or lazy row, is a row of the LP. O(cuts). */
bool bnb_relaxation_has(const bnb_relaxation *r, const bnb_poolcut *cut);
/* State for the children; basis and cuts to a state, or to slack basis for NULL. */
bnb_lpstate *bnb_relaxation_state(const bnb_context *c);
void bnb_relaxation_restore(bnb_context *c, const bnb_lpstate *state);
/* A basis saved when the LP had columns and rows for `count` statuses: rows that came since
 * get basic slacks. */
void bnb_relaxation_set_basis(bnb_context *c, const unsigned char *status, int count);
/* Tells the LP of the domain's changed bounds. */
void bnb_relaxation_sync(bnb_context *c);
/* d_j of the multipliers c->y in long double with a bound on its error. */
long double bnb_reduced_cost(const bnb_context *c, int j, long double *error);

#endif
