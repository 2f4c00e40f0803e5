/* exact/cells/prove: a bound over all cells from the duals over some, and elimination. Not for
 * others. */
#ifndef EXACT_PROVE_H
#define EXACT_PROVE_H

#include "exact/cells/working.h"

/* Removes cells from e->mask without a model over cells. A cell is removed if its own cost or its
 * bound exceeds the elimination cutoff, or its seconds exceed the slack of the deadline. */
void engine_eliminate_by_cost(engine *e);

/* Extends the duals of w to the full model: raises the dual bound and removes cells from e->mask
 * that no better schedule can use. Attractive cells that w lacks are or-ed into grow (extent n*n).
 * Returns the number of runs of stages with such cells; 0: none. */
int engine_prove(engine *e, const working *w, uint8_t *grow);
void engine_prove_clear(engine *e); /* frees what engine_prove keeps in e */

#endif
