/* exact/timeline/coarse: the sequence of coarse timelines. Not for others. */
#ifndef EXACT_COARSE_H
#define EXACT_COARSE_H

#include "exact/engine.h"

/* Continues the search for bounds and schedules by coarse timelines (formulation/coarse.h), for
 * about `work` steps. */
void engine_coarse(engine *e, double work);
/* True if the search can continue. */
bool engine_coarse_left(const engine *e);
bool engine_coarse_begun(const engine *e); /* it has begun, and this engine holds its state */
/* True if no other bound exceeds the bound of the coarse timelines. */
bool engine_coarse_leads(const engine *e);
/* Frees the state, but not e->points: a search that begins anew has them. */
void engine_coarse_clear(engine *e);

#endif
