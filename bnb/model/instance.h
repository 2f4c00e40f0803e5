/* bnb/model/instance: the presolved model as the search reads it, with the way back to the
 * caller's columns. Read-only once made, shared by all threads. */
#ifndef BNB_INSTANCE_H
#define BNB_INSTANCE_H

#include "bnb/cut.h"

#define BNB_STEP_SHARE 1e-7

typedef struct bnb_instance {
    lp_model *model; /* owned */
    /* The LPs start with rows 0 .. core_rows-1; the others are lazy: they enter an LP, as
     * cuts do, where its solution violates them. */
    int core_rows;
    bnb_poolcut **lazy; /* extent rows - core_rows */
    /* Rows of the model, and as row number model->rows the objective:
     * entries row_start[r] .. row_start[r+1]-1. */
    int *row_start, *row_col;
    double *row_value;
    bool *row_integral; /* extent rows: activity is an integer for integral columns */
    /* extent cols: rows that stop the column from falling / rising */
    int *down_locks, *up_locks;
    /* Rows a x + b y (two entries, x continuous, y integer) that bound x by y: rows
     * variable_bound[variable_bound_start[j]] .. of continuous column j. */
    int *variable_bound_start, *variable_bound;
    int integers; /* integer columns */
    double step;  /* objective = offset + multiple of step at every solution, but for BNB_STEP_SHARE
                     of it; 0: unknown */
    double step_missed; /* by how much at most */
    /* Extent rows: the caller's rows; NULL: these are they, or presolve changed them. */
    int *to_row;
    /* The caller's columns. */
    int original_cols;
    int *to_original;   /* extent cols */
    int *from_original; /* extent original_cols; -1: removed */
    double *removed;    /* extent original_cols: value of a removed column */
    double *debug;      /* extent cols: debug solution, or NULL */
    double debug_objective;
} bnb_instance;

/* Takes model and to_original, removed (both may be NULL: identity) over. Rows from
 * core_rows on become lazy. step is looked
 * for when detect_step. debug: in the caller's columns, or NULL. O(nnz). */
bnb_instance *bnb_instance_create(lp_model *model, int core_rows, int original_cols,
                                  int *to_original, double *removed, bool detect_step,
                                  const double *debug);
void bnb_instance_free(bnb_instance *in); /* NULL allowed */

/* Vectors of the model's columns (extent cols) to the caller's (extent original_cols). */
void bnb_instance_expand(const bnb_instance *in, const double *x, double *full);

/* True if x (extent cols, integers integral) misses no side and bound by more than
 * lp_side_room(side, tolerance). */
bool bnb_model_satisfied(const lp_model *m, const double *x, double tolerance);

#endif
