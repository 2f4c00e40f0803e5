/* exact/cells/neighbour: passes the last model of a search on to a search over the same graph. Not
 * for others. */
#ifndef EXACT_NEIGHBOUR_H
#define EXACT_NEIGHBOUR_H

#include "exact/cells/working.h"

/* Starts the unsolved LP of w from the neighbour's basis, then clears the neighbour. Nothing
 * without a neighbour (exact_params). */
void engine_neighbour_warm_start(const engine *e, working *w);
/* Takes over the last model (NULL: none) for the neighbour; frees it if there is no neighbour. */
void engine_neighbour_store(engine *e, working *last);
/* Moves that model to the neighbour. Call it once the search can no longer be given up. */
void engine_neighbour_commit(const engine *e);

#endif
