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

/* Largest magnitude up to which sums of products stay exact in a double. */
#define KNAPSACK_EXACT (INT64_C(1) << 50)

enum { KNAPSACK_STATES = 1 << 14 };

/* Scratch of the caller. */
typedef struct knapsack_scratch {
    int *order;      /* extent count */
    uint8_t *flag;   /* extent count */
    int64_t *states; /* extent 4*KNAPSACK_STATES */
} knapsack_scratch;

/* Mixed-integer rounding with divisor delta > 0 after complementing the items j with
 * flip[j] (Marchand and Wolsey 2001). False when the capacity is a multiple of delta
 * or a coefficient would not be exact. O(count). */
bool knapsack_round(const knapsack *k, const uint8_t *flip, int64_t delta, knapsack_cut *cut);

/* The items of one weight: [0] of value at most 1/2, [1] of a larger value. */
typedef struct knapsack_size {
    int64_t weight;
    int items[2];
    double value[2]; /* of them together */
    double terms[2]; /* columns that they stand for, together */
} knapsack_size;

/* Violation of the cut that knapsack_round makes of these items, divided by the norm of the cut
 * on their columns, with entries +1 and -1. flip: items of value above 1/2 are complemented.
 * Returns 0 if the cut is not violated. In floating point. O(sizes). */
double knapsack_round_efficacy(const knapsack_size *size, int sizes, int64_t capacity, bool flip,
                               int64_t delta);

/* A lifted weight inequality for the point (Weismantel 1997; Kaparis and Letchford 2010). Its
 * base is the fractional items, with `zeros` also the items at 0. The base weighs at most as much
 * as its heaviest subset that fits beside the items at 1. The other items are lifted in sequence,
 * with weights as units of the cut (Gu, Nemhauser, Savelsbergh 1998). The cut excludes weights that
 * are no sum of item sizes, even if these have no large common divisor. False if the point violates
 * it by less than a millionth of the capacity, if zeros are asked for and there are none, or if
 * more than KNAPSACK_STATES sets matter. O(count * KNAPSACK_STATES). */
bool knapsack_weight(const knapsack *k, bool zeros, knapsack_scratch *scratch, knapsack_cut *cut);

#endif
