/* bnb/restart: when the root is done again, and what it takes along. */
#ifndef BNB_RESTART_H
#define BNB_RESTART_H

#include "bnb/cut.h"
#include "bnb/pseudo.h"

/* Do the parameters want one more? */
bool bnb_restart_allowed(const bnb_search *s);
/* Have so many columns been fixed that they are better presolved away? */
bool bnb_many_fixed(const bnb_context *c);
/* Is the root better done again? */
bool bnb_restart_pays(const bnb_context *c);

/* What a restart carries over from the root it leaves. All owned. */
typedef struct bnb_carried {
    bnb_poolcut **cut; /* in the old model's columns */
    int cuts;
    unsigned char *basis; /* old columns, then old model rows, lazy ones too */
    double *x;            /* the basis' point, extent old columns */
    double *y;            /* its duals, extent old model rows, then cuts; NULL: unknown */
    bnb_pseudo pseudo;
} bnb_carried;

/* True if nodes may be pruned since nothing lies between two steps of the objective: not where
 * somebody judges the solutions, nor in a proof, whose leaves are bounds. */
bool bnb_counts_steps(const bnb_search *s);

/* Replaces s->in by its presolved form; false when infeasible. `old` gets carried through
 * when not NULL: cuts, basis and pseudo-costs then belong to the new model. */
bool bnb_presolve_search(bnb_search *s, bnb_carried *old);
bnb_carried bnb_carry_over(bnb_context *c); /* c keeps nothing but what can be freed */
/* Nothing but params' basis of m, for the first root. */
bnb_carried bnb_carry_basis(const lp_model *m, const bnb_params *params);
/* Hands over to the context of the new instance and frees. */
void bnb_put_back(bnb_context *c, bnb_carried *o);
void bnb_discard_carried(bnb_carried *o);

#endif
