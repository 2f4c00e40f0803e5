/* lp/io/lp_reader: the state of the CPLEX-LP reader, and the model made of what it has read.
 * Private to lp/. */
#ifndef LP_READER_H
#define LP_READER_H

#include "lp/io/names.h"
#include "lp/io/scan.h"

typedef struct lp_column {
    double cost, lower, upper;
    bool integer, lower_given, upper_given;
    int last_row; /* the row being read where it last occurred, to sum up */
    int place;    /* of its entry there */
} lp_column;

typedef struct lp_reader {
    scanner at;
    char *text; /* room for one name */
    size_t text_size;
    bool maximize;
    bool in_objective; /* while its sum is read */
    double offset;
    lp_names *cols, *labels;
    lp_column *col;
    int col_room;
    /* rows; entries of row r are row_start[r] .. row_start[r+1]-1 */
    int rows, row_room, entries, entry_room;
    int *row_start, *entry_col, *label; /* label: in labels, or -1 */
    double *row_lower, *row_upper, *entry_value;
} lp_reader;

/* True if all sums of coefficients are finite; else an error is written. */
bool lp_reader_finite(const lp_reader *r);
/* The model of all that was read. Constraints without a label get names. */
lp_model *lp_reader_model(lp_reader *r);

#endif
