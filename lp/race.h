/* lp/race: the dual and the primal simplex side by side, until one of them has an answer. Time is
 * the work counted, in laps that both begin and end together, so that who wins depends on the model
 * alone: not on the number of threads, nor on the machine. */
#ifndef LP_RACE_H
#define LP_RACE_H

#include "lp/engine.h"

typedef struct lp_race lp_race; /* opaque */

/* Solves from the state that s is in, with s->params.threads threads. On return s is the solver
 * that won, if one did, or else the first one: with the status of its solve. Twice the memory of
 * s, and up to twice the work of the winner and a fifth of it. */
lp_status lp_race_run(lp_solver *s);

/* Asked by a solver in a race from time to time: waits at the end of a lap until the other one is
 * there too. LP_INTERRUPTED: the other one has won. work: done by s so far. */
lp_status lp_race_poll(lp_solver *s, double work);

#endif
