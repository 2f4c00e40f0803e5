/* bnb/context: the data of one thread. */
#ifndef BNB_CONTEXT_H
#define BNB_CONTEXT_H

#include "bnb/tree.h"

/* Creates the context of a thread, with its own LP, domain and pseudo-costs. like: a context to
 * copy LP, cut pool and pseudo-costs from; NULL: none. NULL may be freed. */
bnb_context *bnb_context_create(bnb_search *s, int thread, const bnb_context *like);
void bnb_context_free(bnb_context *c);
/* Loads the bounds of a node; bnb_relaxation_restore loads its cuts and basis. Returns false if
 * they contradict the bounds of the whole tree. */
bool bnb_context_load(bnb_context *c, bnb_node *n);

#endif
