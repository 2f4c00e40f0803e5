/* lp/io/lp_reader: the state of the CPLEX-LP reader, and the construction of the model. Private
 * to lp/. */
#ifndef LP_READER_H
#define LP_READER_H

#include "lp/io/names.h"
#include "lp/io/scan.h"

typedef struct lp_column {
    double cost, lower, upper;
    bool integer, lower_given, upper_given;
    int last_row; /* row in which it occurred last, to sum up repeated terms */
    int place;    /* place of its entry in that row */
} lp_column;

typedef struct lp_reader {
    scanner at;
    char *text; /* room for one name */
    size_t text_size;
    bool maximize;
    bool in_objective; /* while the objective is read */
    double offset;
    lp_names *cols, *labels;
    lp_column *col;
    int col_room;
    lp_row_list rows;
    double lower, upper; /* sides of the open row */
    int *label;          /* of each row: number in labels, or -1 */
    int label_room;
} lp_reader;

/* True if all sums of coefficients are finite; else writes an error. */
bool lp_reader_finite(const lp_reader *r);
/* Returns the model of everything read. Constraints without a label get names. */
lp_model *lp_reader_model(lp_reader *r);

#endif
