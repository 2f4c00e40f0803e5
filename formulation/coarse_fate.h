/* formulation/coarse_fate: tensors of a coarse timeline that are known to be away at some time.
 *
 * Tensor i is *away* in a schedule if it is computed again or paged in at some stage after its own;
 * otherwise it stays in RAM from its first computation to its last use. Columns, 0/1:
 *
 *   stay[i]    1: nothing is said; at 0 i is away
 *   early[i]   i is away, but only within the interval in which it is first computed, whose actions
 *              on it have no column; costs a recomputation or both transfers, whichever is less
 *
 * and the row  stay[i] + early[i] + sum of compute[j,i] + sum of pagein[j,i] >= 1. */
#ifndef FORMULATION_COARSE_FATE_H
#define FORMULATION_COARSE_FATE_H

#include "formulation/coarse.h"

/* What is assumed of a tensor. */
typedef enum coarse_fate {
    FATE_ANY = 0, /* nothing */
    FATE_OPEN,    /* nothing yet: the model has its columns, with stay at 0 or 1 */
    FATE_KEPT,    /* it stays: a matter of the problem's pins, not of the model */
    FATE_AWAY     /* it is away: the model has its columns, with stay at 0 */
} coarse_fate;

/* What a schedule in which i is away pays for that at least: a recomputation, or a page-out and a
 * page-in; INFINITY where the problem allows neither. */
double coarse_away_joules(const problem *p, int i);

/* Adds columns and rows of the tensors whose fate (coarse_fate, extent n) is open or away. stay
 * (extent n; may be NULL) gets the columns of stay, -1: none. O(n * points). */
void coarse_add_fates(coarse *c, const uint8_t *fate, double scale, int *stay);

#endif
