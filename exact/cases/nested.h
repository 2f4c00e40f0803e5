/* exact/cases/nested: fates of tensors that follow from the fates of tensors with longer or shorter
 * lifetimes, for the cases and for the recorder of their proofs. */
#ifndef EXACT_NESTED_H
#define EXACT_NESTED_H

#include "formulation/coarse_fate.h"

/* Decides fates that follow by the exchange of nested tensors (docs/formulation.md, section 4). If
 * the outer tensor is kept, so is the inner one. If the inner one is away, so is the outer one.
 * Calls `pair`, unless it is NULL, for each pair by which a fate follows. False: a tensor would
 * need both fates, by the last pair. O(n + degree * square of the tensors with a fate). */
bool case_propagate(const problem *p, uint8_t *fate, void (*pair)(void *user, int outer, int inner),
                    void *user);

#endif
