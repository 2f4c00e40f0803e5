/* exact/finder/anneal: schedules by annealing. Not for others. */
#ifndef EXACT_ANNEAL_H
#define EXACT_ANNEAL_H

#include "exact/engine.h"

/* One turn of about `work` steps: continues the annealing walk or, after labels_begin steps, far
 * from the cutoff and where polish may run, in every second turn begins and ends new ones. They
 * start from the solution of the timeline with the best bound and from the best schedule, and keep
 * in RAM the dear tensors that stay there in it. Offers its schedules. */
void engine_anneal(engine *e, double work);
/* Runs a separate walk from s, which may exceed the budget, for about `work` steps. Offers its best
 * schedule. */
void engine_quench(engine *e, const schedule *s, double work, const char *source);
bool engine_anneal_left(const engine *e); /* true if the walk may find a better one */
void engine_anneal_clear(engine *e);

/* Copies s, a solution of a timeline with this bound, for walks; nothing if the last one's bound
 * is higher, if e is of a case, or where polish may not run. O(n^2). */
void engine_note_relaxed(engine *e, const schedule *s, double bound);
/* Copies the solution noted in `from` if its bound is better, under the same conditions. O(n^2). */
void engine_take_relaxed(engine *e, const engine *from);

#endif
