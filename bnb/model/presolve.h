/* bnb/model/presolve: a smaller model with the same optimum. Columns are only removed at fixed
 * values, never combined, so that a column of the result is a column of the input. */
#ifndef BNB_PRESOLVE_H
#define BNB_PRESOLVE_H

#include "bnb/model/instance.h"

/* Row `row`, scale times row `into`, has left its sides to that. */
typedef struct bnb_merged {
    int row, into;
    double scale;
} bnb_merged;

typedef struct bnb_presolved {
    lp_model *model;    /* NULL when infeasible */
    int *to_col;        /* extent model->cols: the input's column */
    int *to_row;        /* extent model->rows: the input's row */
    double *removed;    /* extent input cols: value of a removed column */
    bnb_merged *merged; /* the input's rows, in the order in which they went */
    int merges;
    bool infeasible; /* proven: no solution below the cutoff */
} bnb_presolved;

/* m is not changed. dual: fixings that keep some optimal solution are allowed. debug: extent
 * cols or NULL (ignored when dual). At most so many rounds of propagation, redundant and singleton
 * rows, coefficient tightening, dual fixing and duplicate rows; O(rounds * nnz log nnz). limits: no
 * round is begun once one is reached; the result is larger, and as good. */
bnb_presolved bnb_presolve(const lp_model *m, double cutoff, bool dual, const double *debug,
                           int rounds, const base_limits *limits);

/* Only columns that are fixed at 0 go: rows are the input's, and multipliers of the result are
 * multipliers of the input. */
bnb_presolved bnb_presolve_plainly(const lp_model *m);

void bnb_presolved_clear(bnb_presolved *p); /* all but the model and to_col */

/* Of presolve_rows.c, on a model in place. Each returns how much it changed, -1: infeasible. */
int bnb_presolve_rows(lp_model *m, bool *drop); /* redundant, singleton; sides */
int bnb_presolve_coefficients(lp_model *m);
/* drop, merged: extent rows; *merges: how many there are, at first 0. */
int bnb_presolve_duplicates(lp_model *m, bool *drop, bnb_merged *merged, int *merges);

#endif
