/* bnb/context: what a thread has of its own. */
#ifndef BNB_CONTEXT_H
#define BNB_CONTEXT_H

#include "bnb/tree.h"

/* The context of a thread, with its own LP, domain and pseudo-costs; like (may be NULL): a context
 * of which it begins with copies: LP, global bounds, pool, pseudo-costs. NULL may be freed. */
bnb_context *bnb_context_create(bnb_search *s, int thread, const bnb_context *like);
void bnb_context_free(bnb_context *c);
/* Loads a node: bounds, cuts and basis. False when its bounds contradict the global ones. */
bool bnb_context_load(bnb_context *c, bnb_node *n);

#endif
