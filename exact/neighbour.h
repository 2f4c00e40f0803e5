/* exact/neighbour: where the LP of a search over the same graph ended. Not for others. */
#ifndef EXACT_NEIGHBOUR_H
#define EXACT_NEIGHBOUR_H

#include "exact/working.h"

/* The neighbour (exact_params): its basis for the LP of w, which is not yet begun; */
void engine_neighbour_begin(const engine *e, working *w);
/* ... the last model (taken over; NULL: none) is for it; */
void engine_neighbour_leave(engine *e, working *last);
/* ... gets it, once nothing can be given up any more. */
void engine_neighbour_take(const engine *e);

#endif
