/* bnb/pseudo: pseudo-costs of the columns. */
#ifndef BNB_PSEUDO_H
#define BNB_PSEUDO_H

#include "base/base.h"

typedef struct bnb_pseudo {
    double *sum[2], *count[2]; /* extent cols; [0] down, [1] up */
    double total[2], totals[2];
} bnb_pseudo;

/* Pseudo-costs: mean gain of the LP objective per unit of change, by column and direction (0:
 * down, 1: up). bnb_pseudo_gain returns the estimated gain for a change by `distance`. Columns
 * without observations use the mean over all columns. */
void bnb_pseudo_init(bnb_pseudo *p, int cols);
void bnb_pseudo_clear(bnb_pseudo *p);
void bnb_pseudo_add(bnb_pseudo *p, int col, int direction, double gain_per_unit);
double bnb_pseudo_gain(const bnb_pseudo *p, int col, int direction, double distance);

#endif
