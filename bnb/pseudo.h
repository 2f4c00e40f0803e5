/* bnb/pseudo: pseudo-costs of the columns. */
#ifndef BNB_PSEUDO_H
#define BNB_PSEUDO_H

#include "base/base.h"

typedef struct bnb_pseudo {
    double *sum[2], *count[2]; /* [0] down, [1] up; extent cols */
    double total[2], totals[2];
} bnb_pseudo;

/* Pseudo-costs: the mean gain of the LP's objective for a unit of change, by column and direction
 * (0: down, 1: up). bnb_pseudo_gain estimates it for so much of a unit, by the mean over all
 * columns where this one has none. */
void bnb_pseudo_init(bnb_pseudo *p, int cols);
void bnb_pseudo_clear(bnb_pseudo *p);
void bnb_pseudo_add(bnb_pseudo *p, int col, int direction, double gain_per_unit);
double bnb_pseudo_gain(const bnb_pseudo *p, int col, int direction, double distance);

#endif
