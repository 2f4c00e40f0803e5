/* bnb/restart: when to restart the root, and the data that a restart keeps. */
#ifndef BNB_RESTART_H
#define BNB_RESTART_H

#include "bnb/cut.h"
#include "bnb/exchange.h"

/* True if the parameters allow another restart. */
bool bnb_restart_allowed(const bnb_search *s);
/* True if enough columns have been fixed to make another presolve worthwhile. */
bool bnb_many_fixed(const bnb_context *c);
/* True if the root should be restarted. */
bool bnb_restart_pays(const bnb_context *c);

/* Data that a restart carries over from the old root. All owned. */
typedef struct bnb_carried {
    bnb_poolcut **cut; /* in columns of the old model */
    int cuts;
    unsigned char *basis; /* old columns, then all old model rows */
    double *x;            /* solution of the basis, extent old columns */
    double *y;            /* duals, extent old model rows, then cuts; NULL: unknown */
    bnb_pseudo pseudo;
} bnb_carried;

/* True if nodes may be pruned by the step of the objective. Not with `accept`, which may change
 * objectives, nor in a proof, where leaves are proven by bounds. */
bool bnb_counts_steps(const bnb_search *s);

/* True if a restart should order twins. Presolves a copy of the model with the root's bounds. */
bool bnb_order_pays(const bnb_context *c);

/* Replaces s->in by its presolved form; returns false if it is infeasible. Maps the data of `old`
 * (may be NULL) to the new model. */
bool bnb_presolve_search(bnb_search *s, bnb_carried *old);
bnb_carried bnb_carry_over(bnb_context *c); /* c can only be freed afterwards */
/* Carries only basis, point and multipliers of params, for the first root. */
bnb_carried bnb_carry_basis(const lp_model *m, const bnb_params *params);
/* Moves the data to the context of the new instance and frees the rest. */
void bnb_put_back(bnb_context *c, bnb_carried *o);
void bnb_discard_carried(bnb_carried *o);

#endif
