/* exact/cell_bounds: what a schedule costs at least that uses a cell, by coarse timelines. Not for
 * others. */
#ifndef EXACT_CELL_BOUNDS_H
#define EXACT_CELL_BOUNDS_H

#include "exact/engine.h"

/* Bounds of all cells from the LP of a coarse timeline, beside those that e has; the next proof
 * eliminates by them. For canonical schedules alone, of which the timeline has every one, and not
 * beside the proof, which has the cells. None, if the LP takes more than so much work. */
struct coarse;
void engine_cell_bounds_note(engine *e, const struct coarse *c, double work);
/* Cells whose schedules are no better than upper leave e->mask. Returns how many. O(n^2) for each
 * timeline. */
long engine_cell_bounds_eliminate(engine *e);
void engine_cell_bounds_clear(engine *e);

#endif
