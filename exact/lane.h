/* A second lane: what looks for schedules and coarse bounds (exact/find.h) has a thread of its own
 * beside the one that proves. Not for others.
 *
 * Each lane's clock is the work that its own thread has counted. Between two turns a lane says what
 * it knows, with the time on its clock, and reads what the other one has said up to that time; for
 * that it waits until the other's clock has come as far. So what a lane knows when it decides is a
 * matter of counted work alone, and a run takes the same path every time, whatever the load. */
#ifndef EXACT_LANE_H
#define EXACT_LANE_H

#include "exact/find.h"

typedef struct lane lane;

/* A short sleep: what is waited for takes longer. */
void lane_rest(void);

/* Starts the thread, with what e and what it has annealed and coarsened know; from now on
 * those efforts are the lane's. NULL: there is no thread to be had. */
lane *lane_open(engine *e);
/* Between two turns of the thread that proves: says how far it is, waits, and takes what has been
 * found up to now. */
void lane_meet(lane *l, const outlook *now);
/* The clock of who proves goes on by so many steps, though its thread only waits. */
void lane_wait(lane *l, double steps);
/* Stops the thread in the middle of its turn, which is forgotten, unless a limit of time or memory
 * or the user ended the search: then e gets what was found. Also where work is being given up.
 * NULL allowed. */
void lane_close(lane *l);

#endif
