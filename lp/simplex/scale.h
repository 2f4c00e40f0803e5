/* lp/simplex/scale: the units in which the simplex works. */
#ifndef LP_SCALE_H
#define LP_SCALE_H

#include "lp/simplex/engine.h"

/* Chooses unit for all rows and columns (geometric, powers of two), or ones; cost_unit
 * so that small costs stand out from the dual tolerance, and large ones do not drown it. */
void lp_scale_all(lp_solver *s);
/* The unit of the logical of row r / of column j from its entries and the others' units. */
double lp_scale_row(const lp_solver *s, int r);
double lp_scale_col(const lp_solver *s, int j);

#endif
