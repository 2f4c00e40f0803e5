/* formulation/coarse_fate: tensors of a coarse timeline that leave RAM at some time.
 *
 * Tensor i is *away* in a schedule if it is computed again or paged in at some stage after its
 * own; otherwise it stays in RAM from its first computation to its last use. Columns, 0/1:
 *
 *   stay[i]    1: no restriction; 0: i is away
 *   early[i]   i is away, but only within the interval in which it is first computed; actions on i
 *              there have no column; costs a recomputation or both transfers, the cheaper of them
 *
 * and the row  stay[i] + early[i] + sum of compute[j,i] + sum of pagein[j,i] >= 1. */
#ifndef FORMULATION_COARSE_FATE_H
#define FORMULATION_COARSE_FATE_H

#include "formulation/coarse.h"

/* Assumption about a tensor. */
typedef enum coarse_fate {
    FATE_ANY = 0, /* nothing */
    FATE_OPEN,    /* nothing yet: the model has its columns, with stay at 0 or 1 */
    FATE_KEPT,    /* it stays: a matter of the problem's pins, not of the model */
    FATE_AWAY     /* it is away: the model has its columns, with stay at 0 */
} coarse_fate;

/* The least joules that a schedule pays if i is away: a recomputation, or a page-out and a
 * page-in; INFINITY: the problem allows neither. */
double coarse_away_joules(const problem *p, int i);

/* Adds columns and rows for the tensors with fate (coarse_fate, extent n) open or away. stay
 * (extent n; may be NULL) gets the number of each tensor's column stay; -1: none. O(n * points). */
void coarse_add_fates(coarse *c, const uint8_t *fate, double scale, int *stay);

#endif
