/* bnb/model/instance: the presolved model in the form the search needs, with the map back to the
 * caller's columns. Read-only once made; shared by all threads. */
#ifndef BNB_INSTANCE_H
#define BNB_INSTANCE_H

#include "bnb/cut.h"

#define BNB_STEP_SHARE 1e-7

typedef struct bnb_instance {
    lp_model *model; /* owned */
    /* The LPs start with rows 0 .. core_rows-1. The other rows are lazy: like cuts, they enter an
     * LP when its solution violates them. */
    int core_rows;
    bnb_poolcut **lazy; /* extent rows - core_rows */
    /* Rows of the model, then the objective as row model->rows. */
    lp_by_rows rows;
    bool *row_integral; /* extent rows: activity is an integer for integral columns */
    /* extent cols: number of rows that prevent the column from falling; from rising */
    int *down_locks, *up_locks;
    int integers;       /* number of integer columns */
    double step;        /* at every solution, objective = offset + a multiple of step, up to
                           BNB_STEP_SHARE of it; 0: unknown */
    double step_missed; /* largest deviation from such a multiple */
    /* Extent rows: the caller's row; NULL: identity, or presolve changed the rows. */
    int *to_row;
    /* The caller's columns. */
    int original_cols;
    int *to_original;   /* extent cols */
    int *from_original; /* extent original_cols; -1: removed */
    double *removed;    /* extent original_cols: value of a removed column */
} bnb_instance;

/* Creates an instance and takes over model, to_original and removed (both may be NULL: identity).
 * Rows from core_rows on are lazy. detect_step: look for the step of the objective. O(nnz). */
bnb_instance *bnb_instance_create(lp_model *model, int core_rows, int original_cols,
                                  int *to_original, double *removed, bool detect_step);
void bnb_instance_free(bnb_instance *in);

/* Returns a vector of the model's columns (extent cols) in the caller's columns (extent
 * original_cols), to be freed. */
double *bnb_instance_expand(const bnb_instance *in, const double *x);

#endif
