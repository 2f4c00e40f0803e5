/* lp/presolve/presolve_internal: the state shared by the files of presolve: the model as reduced so
 * far, as doubly linked lists of entries, the queues of what is to be looked at, and the
 * records for postsolve. */
#ifndef LP_PRESOLVE_INTERNAL_H
#define LP_PRESOLVE_INTERNAL_H

#include "lp/presolve.h"

/* ---- records ------------------------------------------------------------------ */

/* One reduction. What the fields mean for each kind stands with the function that undoes
 * it in lp/presolve/presolve_undo.c. */
typedef enum lp_record_kind {
    LP_FREED_ROW,      /* a row without influence was removed */
    LP_SINGLETON_ROW,  /* a row of one column became bounds */
    LP_FORCING_ROW,    /* a row that only one point of its columns' bounds meets */
    LP_FIXED_COL,      /* a column at a value */
    LP_UNLOCKED_START, /* a column that can meet all its rows: first record, ... */
    LP_UNLOCKED_ROW,   /* one per row, ... */
    LP_UNLOCKED_END,   /* and last */
    LP_SUBSTITUTED,    /* a column without bounds, by a row that it leaves with */
    LP_DOUBLETON,      /* a column of an equation of two columns */
    LP_SLACK,          /* a column of one row, into the row's sides */
    LP_PARALLEL_ROW,
    LP_PARALLEL_COL
} lp_record_kind;

typedef struct lp_record {
    lp_record_kind kind;
    bool low, high;
    int row, col, other;
    int first, middle,
        last; /* kept entries: first..middle-1 of a row, middle..last-1 of a column */
    double a, b, side, cost;
    double lower, upper, other_lower, other_upper;
} lp_record;

/* ---- state -------------------------------------------------------------------- */

/* What a row's columns can make of it: finite parts and numbers of infinite terms. */
typedef struct lp_row_range {
    double min, max, size; /* size: of the largest sum of absolute finite terms */
    int min_infinite, max_infinite;
    bool valid;
} lp_row_range;

/* Rows or columns to be looked at, each at most once. */
typedef struct lp_queue {
    int *item;    /* extent n: a ring */
    bool *queued; /* extent n */
    int first, count, extent;
} lp_queue;

struct lp_presolve {
    const lp_model *model;
    lp_tuning tuning;
    int rows, cols;
    double offset;
    double *cost, *lower, *upper;  /* extent cols */
    double *row_lower, *row_upper; /* extent rows */
    bool *row_gone, *col_gone;
    int rows_left, cols_left, entries_left;

    /* entries, in a list per row and one per column; -1 ends a list */
    int *row, *col, *row_next, *row_prev, *col_next, *col_prev;
    double *value;
    int entries, entry_space, free_entry; /* free ones are linked by row_next */
    int *row_first, *row_length;          /* extent rows */
    int *row_slacks;             /* extent rows: LP_SLACK records, each as long as the row */
    int *col_first, *col_length; /* extent cols */

    lp_row_range *activity; /* extent rows */
    lp_queue row_queue, col_queue;
    double *dual_lower, *dual_upper; /* extent rows: bounds on multipliers from column singletons */
    int *place;                      /* extent max(rows, cols): -1 between uses */

    lp_record *record;
    int records, record_space;
    int *kept_index;
    double *kept_value;
    int kept, kept_space;

    bool failed; /* no optimum */
    base_limits limits;
    base_stop stop;
    double work, work_limit, next_poll;
};

/* ---- presolve_matrix.c ---------------------------------------------------------- */

/* True when reducing is over. */
bool lp_presolve_done(const lp_presolve *p);
/* Adds work and looks at the limits now and then. */
void lp_presolve_count(lp_presolve *p, double work);

/* Makes the working copy of the model, whose entries are listed by rows and by columns / frees it.
 * O(entries) */
void lp_presolve_load(lp_presolve *p);
void lp_presolve_unload(lp_presolve *p);
/* Frees the lists of entries; rows and columns that are left keep their numbers. */
void lp_presolve_free_entries(lp_presolve *p);
/* Puts a row or column into its queue. */
void lp_presolve_touch_row(lp_presolve *p, int r);
void lp_presolve_touch_col(lp_presolve *p, int j);
/* The next of a queue; count must be positive. */
int lp_presolve_take(lp_queue *queue);
/* Deletes all entries of a row or column, and marks it as gone. */
void lp_presolve_remove_row(lp_presolve *p, int r);
void lp_presolve_remove_col(lp_presolve *p, int j);
/* Sets a bound; what depends on it is touched. */
void lp_presolve_set_lower(lp_presolve *p, int j, double lower);
void lp_presolve_set_upper(lp_presolve *p, int j, double upper);
void lp_presolve_set_row_sides(lp_presolve *p, int r, double lower, double upper);
/* Both sides of row r plus change. */
void lp_presolve_shift_row(lp_presolve *p, int r, double change);
/* True when lower is above upper by more than rounding of numbers of this size explains, or
 * one of them infinite on the wrong side. */
bool lp_presolve_contradicts(double lower, double upper, double size);
/* a + b, and 0 where that is rounding of what cancels. */
double lp_presolve_sum(double a, double b);
/* Column j plus factor times column k, but for row r. */
void lp_presolve_add_col(lp_presolve *p, int j, int k, double factor, int r);
/* True when that would leave entries with few correct digits. */
bool lp_presolve_cancels(lp_presolve *p, int j, int k, double factor, int r);
/* What the bounds of the columns make of row r, computed when it is out of date. */
const lp_row_range *lp_presolve_activity(lp_presolve *p, int r);
/* The smallest and largest value of row r without the column of entry e. */
void lp_presolve_rest(lp_presolve *p, int e, double *min, double *max, double *size);

/* A new record; its kept entries are those added before the next record. */
lp_record *lp_presolve_record(lp_presolve *p, lp_record_kind kind, int row, int col);
/* Keeps row r without column j, as the present record's entries of a row. */
void lp_presolve_keep_row(lp_presolve *p, int r, int without);
/* Keeps column j without row r, as the present record's entries of a column. */
void lp_presolve_keep_col(lp_presolve *p, int j, int without);

/* ---- presolve_row.c, presolve_col.c, presolve_aggregate.c, presolve_parallel.c -- */

/* Looks at one row or column. */
void lp_presolve_row(lp_presolve *p, int r);
void lp_presolve_col(lp_presolve *p, int j);
/* Fixes column j at a value, one of its bounds or anything if it has none. */
void lp_presolve_fix(lp_presolve *p, int j, double value);
/* Fixes columns by bounds on the multipliers that column singletons imply. O(entries) */
void lp_presolve_dominated(lp_presolve *p);
/* An equation of two columns. True when one was eliminated. */
bool lp_presolve_doubleton(lp_presolve *p, int r);
/* A column of one row. True when it was eliminated. */
bool lp_presolve_col_singleton(lp_presolve *p, int j);
/* A column of few rows that an equation and other bounds determine. True when eliminated. */
bool lp_presolve_substitute(lp_presolve *p, int j);
/* Rows that are multiples of one another become one; columns too. O(entries log entries) */
void lp_presolve_parallel_rows(lp_presolve *p);
void lp_presolve_parallel_cols(lp_presolve *p);

/* ---- presolve_undo.c ------------------------------------------------------------ */

/* Undoes all records on point, which has the reduced solution at the model's extents; ray:
 * of multipliers only, with zero costs. */
void lp_presolve_undo(const lp_presolve *p, lp_point *point, bool ray);

#endif
