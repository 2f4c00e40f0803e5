/* exact/finder/anneal: schedules by annealing. Not for others. */
#ifndef EXACT_ANNEAL_H
#define EXACT_ANNEAL_H

#include "exact/engine.h"

/* One turn of about `work` steps: continues the annealing walk or, after labels_begin steps, far
 * from the cutoff and where polish may run, in every second turn begins and ends a new one around
 * the dear tensors that the best schedule keeps. Offers its schedules. */
void engine_anneal(engine *e, double work);
/* Runs a separate walk from s, which may exceed the budget, for about `work` steps. Offers its best
 * schedule. */
void engine_quench(engine *e, const schedule *s, double work, const char *source);
bool engine_anneal_left(const engine *e); /* true if the walk may find a better one */
void engine_anneal_clear(engine *e);

#endif
