/* exact/timeline/cell_bounds: lower bounds on schedules that use a cell, by coarse timelines. Not
 * for others. */
#ifndef EXACT_CELL_BOUNDS_H
#define EXACT_CELL_BOUNDS_H

#include "exact/engine.h"

/* Stores bounds of all cells from the LP of a coarse timeline, besides the bounds of earlier
 * timelines. The next elimination uses them. Only for canonical schedules, all of which the
 * timeline covers. Turns beside the proof store none, since the proof has the cells. Stores none if
 * the LP takes more than `work` steps. */
struct coarse;
void engine_cell_bounds_add(engine *e, const struct coarse *c, double work);
/* Removes cells from e->mask if their bounds exceed the elimination cutoff. Returns their number.
 * O(n^2) for each timeline. */
long engine_cell_bounds_eliminate(engine *e);
void engine_cell_bounds_clear(engine *e);

#endif
