/* formulation/extend: bounds of the whole model from the duals of a restricted one.
 *
 * A model over a small mask is solved. Its duals are extended to the rows of the model over the
 * full mask, with few negative reduced costs among the missing columns. Every extension gives a
 * valid bound (lp_safe_bound of the full model). A good one gives nearly the bound of the
 * restricted model, and reduced costs that eliminate cells. */
#ifndef FORMULATION_EXTEND_H
#define FORMULATION_EXTEND_H

#include "formulation/separate.h"

/* The rows of a whole model by their meaning, and the map to them from the rows of a restricted
 * one. */
typedef struct extension extension;

/* whole: built without MERGE; borrowed. O(entries of whole). */
extension *extension_create(const formulation *whole);
void extension_free(extension *e); /* NULL allowed */

/* Sets the restricted model (borrowed): same problem, scale and features except MERGE; its cells
 * are cells of the whole model or fixed at 0. O(rows). */
void extension_restrict(extension *e, const formulation *restricted);

/* upper: present bounds of the whole model's columns (extent cols); a column at 0 needs no repair
 * and can pay for others. y: duals of the restricted model's rows (extent its rows; <= 0 on rows
 * bounded above). cut_y: duals of the cuts, expressed on the whole model (extent cuts->count).
 * Fills y_whole (extent rows of the whole model) and the reduced costs d (extent its cols) with
 * cuts included. */
void extension_apply(const extension *e, const double *upper, const double *y,
                     const event_cut_list *cuts, const double *cut_y, double *y_whole, double *d);

/* After extension_apply: the column of the whole model that set the multiplier of a row which the
 * restricted model lacks, as its reduced cost became 0; -1: none. With all its rows and columns
 * in the restricted LP, this column would be basic in the row. key: of the row, in any model of
 * the same problem. */
int extension_basic_column(const extension *e, formulation_key key);

#endif
