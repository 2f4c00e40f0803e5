/* exact/finder/anneal: schedules by annealing. Not for others. */
#ifndef EXACT_ANNEAL_H
#define EXACT_ANNEAL_H

#include "exact/engine.h"

/* Continues the annealing walk for about `work` steps and offers its schedules. */
void engine_anneal(engine *e, double work);
/* Runs a separate walk from s, which may exceed the budget, for about `work` steps. Offers its best
 * schedule. */
void engine_quench(engine *e, const schedule *s, double work, const char *source);
bool engine_anneal_left(const engine *e); /* true if the walk may find a better one */
void engine_anneal_clear(engine *e);

#endif
