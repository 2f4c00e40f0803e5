/* certificate/round: cuts by mixed-integer rounding of a sum of rows, and of earlier cuts. */
#ifndef CERTIFICATE_ROUND_H
#define CERTIFICATE_ROUND_H

#include "certificate/proof.h"

/* From where a column of the sum is counted: x' = x, or x' = u - x with its largest value u; or it
 * leaves the sum at its best value. */
typedef enum cert_side { CERT_SIDE_NONE, CERT_SIDE_LOWER, CERT_SIDE_UPPER } cert_side;

/* A column of the sum, or several equal ones as one: cells of one kind and tensor. */
typedef struct cert_round_term {
    int col;
    int stages;  /* consecutive ones, from that of col on; 1 where it is no C or P */
    double coef; /* of the cut */
    cert_side side;
    int64_t from; /* of a total: the value from which it is counted */
} cert_round_term;

/* The cut sum coef x <= rhs, and how it follows. With y (a x) + y s = y b summed up, s >= 0 the
 * slacks of inequalities, each x replaced by its x', as a' x' + y s <= b', and b' = Q divisor + r0,
 *
 *     sum (q K + max(0, r - r0)) x'  +  sum min(0, a') x'  <=  Q K,        K = divisor - r0
 *
 * where a' = q divisor + r, the first sum is over cells and slacks of rows with integers on cells,
 * the second over all else (Nemhauser and Wolsey 1990, times K). K times the slack's coefficient
 * that y states is no more than its coefficient here; with it the slack is put back as b - a x, and
 * then the cut must be no stronger than this over the columns' ranges at node 0. Columns that are
 * not among the terms are each on their own, and leave the sum. */
typedef struct cert_round {
    double divisor; /* > 0 */
    double rhs;
    int count;
    cert_multiplier *y; /* of any sign; extent count */
    int terms;
    cert_round_term *term; /* extent terms */
} cert_round;

/* Takes the cut and returns its number; NULL in *fault when it follows, else what is wrong. All
 * numbers are multiples of 2^-CERT_MULTIPLIER_GRID. O(entries of the rows). */
int cert_proof_round(cert_proof *proof, const cert_round *round, const char **fault);

#endif
