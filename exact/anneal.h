/* exact/anneal: schedules by annealing. Not for others. */
#ifndef EXACT_ANNEAL_H
#define EXACT_ANNEAL_H

#include "exact/engine.h"

/* Schedules by annealing: goes on for about so much work. */
void engine_anneal(engine *e, double work);
/* By a walk of its own from s, which may be over the budget, for about so much work. */
void engine_quench(engine *e, const schedule *s, double work, const char *source);
bool engine_anneal_left(const engine *e); /* whether it can find a better one */
void engine_anneal_clear(engine *e);

#endif
