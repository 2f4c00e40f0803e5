/* certificate/round: cuts by mixed-integer rounding of a sum of rows, and of earlier cuts. */
#ifndef CERTIFICATE_ROUND_H
#define CERTIFICATE_ROUND_H

#include "certificate/proof.h"

/* Side from which a column of the sum is counted: x' = x; x' = u - x with its largest value u; or
 * none, as it leaves the sum at its best value. */
typedef enum cert_side { CERT_SIDE_NONE, CERT_SIDE_LOWER, CERT_SIDE_UPPER } cert_side;

/* A column of the sum, or several equal columns: cells of one kind and tensor. */
typedef struct cert_round_term {
    int col;
    int stages;  /* number of consecutive stages, from that of col on; 1 unless it is a C or P */
    double coef; /* coefficient in the cut */
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

/* Adds the cut and returns its number. *fault: NULL if it follows, else a static text. Numbers are
 * multiples of 2^-CERT_MULTIPLIER_GRID. O(entries of the rows) */
int cert_proof_round(cert_proof *proof, const cert_round *round, const char **fault);

#endif
