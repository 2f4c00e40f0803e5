/* bnb/model/twins: groups of columns that are interchangeable, such as tensors of equal size and
 * cost on a timeline. A tree without rows for them proves the same bound for each order of them. */
#ifndef BNB_TWINS_H
#define BNB_TWINS_H

#include "lp/model.h"

/* Adds rows x[a] >= x[b] for twins in the order of their columns. Some optimum of m meets all rows
 * that are added: two groups are twins if exchanging them, column by column, leaves the model as
 * it is. Twins are sought among groups that only long rows and long columns join. Returns the
 * number of rows. O(nnz log cols). */
int bnb_order_twins(lp_model *m);

#endif
