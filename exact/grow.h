/* exact/grow: models that grow by the cells that their duals want. Not for others. */
#ifndef EXACT_GROW_H
#define EXACT_GROW_H

#include "exact/working.h"

/* Growth proves the bound of the first model for all cells, in models that grow by the cells that
 * the duals want. */
void engine_growth_begin(engine *e, working *first);
/* Goes on for about so much work, or until the next model is solved: proves with the last one, and
 * solves one that is larger. */
void engine_grow(engine *e, double work);
bool engine_growth_over(const engine *e);
/* It takes so long that it may end without a bound. */
bool engine_growth_is_long(const engine *e);
/* The last model that was solved, or the first. */
working *engine_wide(const engine *e);
/* Clears it. The last model, which may be the first, is the caller's; NULL without growth. */
working *engine_growth_end(engine *e);

/* True if w's LP is solved and there is something left to do. */
bool engine_solved(engine *e, const working *w);
/* About the columns of a model over the cells that are left; 0 before the first proof. */
double engine_columns_left(const engine *e);

#endif
