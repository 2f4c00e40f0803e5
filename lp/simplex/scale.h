/* lp/simplex/scale: the units of the simplex. */
#ifndef LP_SCALE_H
#define LP_SCALE_H

#include "lp/simplex/engine.h"

/* Chooses unit for all rows and columns (geometric, powers of two), or ones without scaling.
 * Chooses cost_unit so that small costs stand out from the dual tolerance and large ones do not
 * drown it. */
void lp_scale_all(lp_solver *s);
/* Returns the unit of the logical of row r from its entries and the units of the columns. */
double lp_scale_row(const lp_solver *s, int r);

#endif
