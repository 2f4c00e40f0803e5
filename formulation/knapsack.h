/* formulation/knapsack: cutting planes for one 0-1 knapsack
 *
 *     sum_j weight_j z_j <= capacity,   z in {0,1}^count,   weight_j > 0 integer,
 *
 * in exact integer arithmetic: every cut sum_j coef_j z_j <= rhs has integral
 * coefficients that a double holds exactly. */
#ifndef FORMULATION_KNAPSACK_H
#define FORMULATION_KNAPSACK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct knapsack {
    int count;
    const int64_t *weight; /* extent count, > 0 */
    const double *value;   /* extent count: the point to cut off, in [0,1] */
    int64_t capacity;      /* >= 0 */
} knapsack;

typedef struct knapsack_cut {
    double *coef; /* extent count, owned by the caller */
    double rhs;
    double violation; /* sum coef value - rhs, in units of the cut */
} knapsack_cut;

/* Scratch of the caller. */
typedef struct knapsack_scratch {
    int *order;    /* extent count */
    int64_t *best; /* extent 2*count+2 */
    uint8_t *flag; /* extent count */
} knapsack_scratch;

/* Mixed-integer rounding with divisor delta > 0 after complementing the items j with
 * flip[j] (Marchand and Wolsey 2001). False when the capacity is a multiple of delta
 * or a coefficient would not be exact. O(count). */
bool knapsack_round(const knapsack *k, const uint8_t *flip, int64_t delta, knapsack_cut *cut);

/* A lifted cover inequality for the point: items at 1 are fixed, a minimal cover of the
 * rest is found greedily, then everything is lifted in sequence by an exact dynamic
 * programme (Zemel 1989; Gu, Nemhauser, Savelsbergh 1998): up for fractional items, down
 * for the fixed ones, up for the items at 0. False when there is no cover.
 * O(count * cover size). */
bool knapsack_cover(const knapsack *k, knapsack_scratch *scratch, knapsack_cut *cut);

#endif
