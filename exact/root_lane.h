/* The root of the tree over the rest has a thread of its own, while the trees over the windows are
 * searched. Not for others.
 *
 * When the search hears of its end is a matter of counted work alone: when its own thread has done
 * as much since it began. */
#ifndef EXACT_ROOT_LANE_H
#define EXACT_ROOT_LANE_H

#include "exact/lane.h"
#include "exact/tree.h"

typedef struct root_lane root_lane;

/* Starts the thread on the root of t, which is nobody else's until the lane is taken or closed,
 * with the best schedule that e has. NULL: there is no thread to be had. */
root_lane *root_lane_open(engine *e, tree *t);
/* True if the thread has nothing left to do, whatever the clock says. */
bool root_lane_is_idle(const root_lane *l);
/* True if the root has ended by now on the clock of the thread that calls; waits where that is not
 * yet known. */
bool root_lane_has_ended(root_lane *l);
/* Waits until it has, as long as no limit is reached; meanwhile the clock of the other lane (NULL:
 * none) goes on. */
void root_lane_await(root_lane *l, lane *other);
/* After it has ended: e gets what was found, t is as after engine_tree_run, whose result this
 * returns. Frees l. */
bool root_lane_take(root_lane *l);
/* Stops the thread, and forgets the schedules that it found. Whether it ended in order: then t has
 * proven what it says. Also where work is being given up. NULL allowed. */
bool root_lane_close(root_lane *l);

#endif
