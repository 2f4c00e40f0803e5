/* exact/cells/grow: models that grow by the cells that their duals ask for. Not for others. */
#ifndef EXACT_GROW_H
#define EXACT_GROW_H

#include "exact/cells/working.h"

/* Starts growth: column generation that proves the bound of the first model for all cells. Each
 * model adds the cells with attractive reduced costs. */
void engine_growth_begin(engine *e, working *first);
/* Continues for about `work` steps, or until the next model is solved. Proves with the last model,
 * then solves a larger one. */
void engine_grow(engine *e, double work);
bool engine_growth_over(const engine *e);
/* The last model that was solved, or the first. */
working *engine_wide(const engine *e);
/* Clears growth. Returns the last model, which may be the first; the caller owns it. NULL without
 * growth. */
working *engine_growth_end(engine *e);

/* True if the LP of w is solved and the search is not over. */
bool engine_solved(engine *e, const working *w);
/* Estimated columns of a model over the remaining cells; 0 before the first proof. */
double engine_columns_left(const engine *e);

#endif
