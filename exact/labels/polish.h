/* exact/labels/polish: better schedules near the best one, by label searches that keep near it
 * (exact/labels/label_guide.h). Not for others. */
#ifndef EXACT_POLISH_H
#define EXACT_POLISH_H

#include "exact/engine.h"

/* Goes on for about `work` steps, at most to the end of one pass. */
void engine_polish(engine *e, double work);
/* True if polish has turns in searches like e (engine_labels_suit). */
bool engine_may_polish(const engine *e);
/* True if polish, and walks around kept tensors, may begin: with label searches
 * (engine_labels_due), but after least_slice steps, when annealing has had its first turns. */
bool engine_polish_due(const engine *e);
/* True if a pass may find more. */
bool engine_polish_left(const engine *e);
void engine_polish_clear(engine *e);

#endif
