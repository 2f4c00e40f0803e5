/* bnb/incumbent: solutions, the incumbent and its cutoff. */
#ifndef BNB_INCUMBENT_H
#define BNB_INCUMBENT_H

#include "bnb/bnb.h"

/* Offers a solution in the model's columns, which `accept` or the rows check; source: its name in
 * the log. */
void bnb_offer_model(bnb_context *c, const double *x, const char *source);
/* For a node with all integers fixed: true if all columns are integers, presolve removed none that
 * was not fixed, and the only point, just offered, is no solution. False in a proof. */
bool bnb_is_refuted(const bnb_context *c);
/* Returns a copy of the incumbent in the model's columns, for base_free; NULL: there is none. */
double *bnb_incumbent(const bnb_context *c);
/* Sets the incumbent (full: the caller's columns) if it is better; returns true then. Requires
 * the lock while threads run. */
bool bnb_search_set_incumbent(bnb_search *s, const double *full, double objective,
                              const char *source);
/* Returns the cutoff for an incumbent with this objective. full: the incumbent in the caller's
 * columns; NULL: the step of the objective is not used. */
double bnb_cutoff_for(const bnb_search *s, const double *full, double objective);

#endif
