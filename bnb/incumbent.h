/* bnb/incumbent: solutions, and the cutoff that belongs to them. */
#ifndef BNB_INCUMBENT_H
#define BNB_INCUMBENT_H

#include "bnb/bnb.h"

/* Offers a solution in the model's columns. It goes through `accept' or the rows; source is shown
 * in the log. True when it became the incumbent. */
bool bnb_offer_model(bnb_context *c, const double *x, const char *source);
/* True if the node's only point, all of whose columns are integers, was offered and is no solution.
 */
bool bnb_is_refuted(const bnb_context *c);
/* Copies the incumbent to x (the caller's columns); false: none. */
bool bnb_incumbent(const bnb_context *c, double *x);
/* Sets the incumbent (the caller's columns) under the lock; false when not better. */
bool bnb_search_set_incumbent(bnb_search *s, const double *full, double objective,
                              const char *source);
/* The cutoff that belongs to an incumbent (full: in the caller's columns; NULL: none in particular)
 * and its objective. */
double bnb_cutoff_for(const bnb_search *s, const double *full, double objective);

#endif
