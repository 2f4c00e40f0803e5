/* exact/spent: the work that each kind of turn has taken. Not for others. */
#ifndef EXACT_SPENT_H
#define EXACT_SPENT_H

#include "exact/engine.h"

/* Steps spent on the effort; the result has them in units of 10^9. */
double engine_spent_on(const engine *e, exact_effort effort);
/* Adds the work, time and success of a turn to the result. */
void engine_spend(engine *e, exact_effort effort, const exact_spent *turn);
/* State of the engine before a turn; turn_end returns the cost and success of the turn. */
typedef struct turn_start {
    double work, seconds, lower, upper;
} turn_start;
turn_start turn_begin(const engine *e);
exact_spent turn_end(const turn_start *before, const engine *e);
bool engine_is_within_effort(const engine *e, exact_effort effort, double per_mille);
/* Steps of one turn of a tree, of growth, of the coarse timeline or of the cases. */
double engine_slice(const engine *e);

#endif
