/* bnb/model/presolve: a smaller model with the same optimum. Columns are removed only at fixed
 * values and never combined, so that every column of the result is a column of the input. */
#ifndef BNB_PRESOLVE_H
#define BNB_PRESOLVE_H

#include "bnb/model/instance.h"

typedef struct bnb_presolved {
    lp_model *model; /* NULL: infeasible, proven: no solution below the cutoff */
    int *to_col;     /* extent model->cols: the input's column */
    int *to_row;     /* extent model->rows: the input's row; -1: it orders twins */
    double *removed; /* extent input cols: value of a removed column */
    int twins;       /* last rows of the model, which order twins; no rows of the input */
} bnb_presolved;

/* Presolves a copy of m in a few rounds: propagation, redundant and singleton rows, coefficient
 * tightening and dual fixing. dual: fixings that keep at least one optimal solution are allowed.
 * order: so are rows that order twins, once at the end. Once a limit is reached, no further round
 * starts; the result is then larger, but correct. O(nnz log nnz). */
bnb_presolved bnb_presolve(const lp_model *m, double cutoff, bool dual, bool order,
                           const base_limits *limits);

/* Removes only columns that are fixed at 0. Rows are the input's, and multipliers of the result
 * are multipliers of the input. */
bnb_presolved bnb_presolve_plainly(const lp_model *m);

void bnb_presolved_clear(bnb_presolved *p);

/* Steps on a model in place (presolve_rows.c). Each returns the number of changes; -1:
 * infeasible. */
int bnb_presolve_rows(lp_model *m, bool *drop); /* redundant and singleton rows, redundant sides */
int bnb_presolve_coefficients(lp_model *m);

#endif
