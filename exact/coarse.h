/* exact/coarse: the coarse timelines, one after the other. Not for others. */
#ifndef EXACT_COARSE_H
#define EXACT_COARSE_H

#include "exact/engine.h"

/* Bounds and schedules from the coarse timeline (formulation/coarse.h): goes on for about so much
 * work. */
void engine_coarse(engine *e, double work);
/* True if it can go on. */
bool engine_coarse_left(const engine *e);
bool engine_coarse_begun(const engine *e); /* it has had a turn in this thread */
/* True if nothing else has proven more; without a turn so far: anything. */
bool engine_coarse_leads(const engine *e);
/* The points of the timeline that has proven most, extent n, ascending; their number, >= 1. Once it
 * has had a turn. */
int engine_coarse_points(const engine *e, int *point);
void engine_coarse_clear(engine *e);

#endif
