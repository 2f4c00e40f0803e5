/* exact/prove: a bound over all cells from the duals over some, and elimination. Not for others. */
#ifndef EXACT_PROVE_H
#define EXACT_PROVE_H

#include "exact/working.h"

/* Cells whose own cost is more than a better schedule may have, or whose bounds are, or their
 * seconds more than the deadline leaves, leave e->mask: no model over cells is needed to see that.
 */
void engine_eliminate_by_cost(engine *e);

/* Bound over the full model from a working model over part of it, and elimination: cells that
 * no schedule better than upper can use leave e->mask. Missing cells whose reduced cost is
 * negative are or-ed into grow (extent n*n); returns their number. */
int engine_prove(engine *e, const working *w, uint8_t *grow);
void engine_prove_clear(engine *e); /* frees what engine_prove keeps in e */

#endif
