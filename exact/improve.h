/* exact/improve: schedules by local search and sub-MIPs. Not for others. */
#ifndef EXACT_IMPROVE_H
#define EXACT_IMPROVE_H

#include "exact/working.h"

/* Better schedules: a little local search, and roundings of the LP over the windows. */
void engine_improve_quickly(engine *e, const working *w);

/* Offers s (taken over; NULL: nothing), then what a little local search makes of it, under the name
 * source. Thread safe. */
void engine_polish(engine *e, schedule *s, const char *source);

/* Better schedules from those the engine was given and from the LP of the windows, by local search
 * and sub-MIPs; as much work as the gap between the two seems worth. w->lp stays as it is. */
void engine_improve(engine *e, const working *w);

/* Goes on with that for about so much work, by one means after the other: those that succeed last
 * are tried first. w as before. */
void engine_improve_on(engine *e, const working *w, double work);
/* True if so much of the gap is left that this does something: a turn without work would be due
 * again at once. */
bool engine_improve_left(const engine *e);
void engine_improve_clear(engine *e);

#endif
