/* lp/model: a sparse linear or mixed-integer model, shared by the reader, the writer, the simplex
 * and the branch and bound.
 *
 *     minimise  offset + c'x   subject to  row_lower <= A x <= row_upper,
 *                                           lower <= x <= upper,  x_j integer for some j
 *
 * The model is always a minimisation. `maximize` records that the file asked for a maximisation:
 * costs and offset were negated on reading, and results are negated when shown. */
#ifndef LP_MODEL_H
#define LP_MODEL_H

#include <math.h>
#include <stdbool.h>

#include "base/base.h"

#define LP_INFINITY ((double)INFINITY)

typedef struct lp_model {
    char *name; /* may be NULL */
    int rows, cols;
    bool maximize;
    double offset;
    /* columns, extent cols */
    double *cost, *lower, *upper;
    bool *integer;
    char **col_name; /* NULL, or extent cols */
    /* A by columns: entries start[j] .. start[j+1]-1; start has extent cols+1.
     * Rows ascend within a column, no duplicates, no zeros. */
    int *start, *index;
    double *value;
    /* rows, extent rows */
    double *row_lower, *row_upper;
    char **row_name;                                /* NULL, or extent rows */
    int row_capacity, col_capacity, entry_capacity; /* private to lp/model.c */
} lp_model;

lp_model *lp_model_create(void); /* empty */
lp_model *lp_model_copy(const lp_model *m);
void lp_model_free(lp_model *m); /* NULL allowed */

/* Appends a column with count entries (rows must exist, any order, no
 * duplicates; zeros are dropped) and returns its number. name may be NULL only
 * if every name is. Amortised O(count log count). */
int lp_model_add_col(lp_model *m, double cost, double lower, double upper, bool integer, int count,
                     const int *rows, const double *values, const char *name);
/* Appends an empty row and returns its number: columns fill it. */
int lp_model_add_row(lp_model *m, double lower, double upper, const char *name);
/* Appends rows with entries over existing columns in one pass over the matrix:
 * row r has entries row_start[r] .. row_start[r+1]-1 of (cols, values). O(entries of A
 * + new entries). names may be NULL. */
void lp_model_add_rows(lp_model *m, int count, const double *lower, const double *upper,
                       const int *row_start, const int *cols, const double *values,
                       char *const *names);
/* Rows that are written one after the other and then added at once: entries of the open row, then
 * its sides. All zero: empty. */
typedef struct lp_row_list {
    int count;                /* rows ended */
    int *start;               /* entries start[r] .. start[r+1]-1 belong to row r < count */
    int first, entries, *col; /* entries from `first` on belong to the open row */
    double *value, *lower, *upper;
    int row_capacity, entry_capacity; /* private */
} lp_row_list;

/* Appends an entry to the open row. Amortised O(1). */
void lp_row_list_add(lp_row_list *list, int col, double value);
/* Ends the open row, lower <= row <= upper. Amortised O(1). */
void lp_row_list_end(lp_row_list *list, double lower, double upper);
void lp_row_list_free(lp_row_list *list);

/* Deletes the rows r with drop[r]; the others keep their order. */
void lp_model_delete_rows(lp_model *m, const bool *drop);
/* Deletes the columns j with drop[j]; the others keep their order. */
void lp_model_delete_cols(lp_model *m, const bool *drop);

/* Sorts index[0..count-1], all different, with the values. O(count) if they ascend already. */
void lp_sort_entries(int count, int *index, double *value);

/* A by rows: row r has the entries start[r] .. start[r+1]-1, with ascending columns. */
typedef struct lp_by_rows {
    int *start, *col;
    double *value;
} lp_by_rows;

lp_by_rows lp_model_by_rows(const lp_model *m);
void lp_by_rows_free(lp_by_rows *a);

/* offset + c'x, summed in long double. */
double lp_model_objective(const lp_model *m, const double *x);

/* Largest size of a model file in bytes, unpacked. An entry of a row takes at least two
 * characters, so that the number of entries fits in an int. */
#define LP_FILE_LIMIT ((size_t)1 << 31)

/* Reads MPS (free or fixed, depending on the content) or CPLEX-LP. The extension chooses the
 * format (.mps or .lp, any case, with or without .gz), without one of these the content. NULL
 * with an error that names file, line and field. Gives up at a limit of the guards. */
lp_model *lp_model_read(const char *path, base_error *error);
/* Writes .lp and .lp.gz as CPLEX-LP, any other extension as free MPS. Numbers read back to the
 * same doubles. Exception: the last place of one side of a range in MPS, if the difference of its
 * sides is no double. The sides of rows must not cross. Uses only the part of the formats that
 * other solvers read alike. Therefore an offset becomes a column, which lp_model_read takes back.
 * MPS writes a maximisation as a minimisation; LP writes a row with two sides as two rows. Returns
 * 0, or -1 with an error; an existing file is then untouched. */
int lp_model_write(const lp_model *m, const char *path, base_error *error);

/* Absolute amount by which a solution may miss a side of a row or a bound of a column. It does
 * not grow beyond |side| = 1e3: a small part of a large side may be worth many units. */
static inline double lp_side_room(double side, double tolerance)
{
    return tolerance * (1.0 + fmin(fabs(side), 1e3));
}

#endif
