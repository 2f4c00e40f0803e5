/* exact/log: the table that a run prints. Not for others. */
#ifndef EXACT_LOG_H
#define EXACT_LOG_H

#include "exact/engine.h"

/* Prints a remark between the lines of the table. */
void engine_log(engine *e, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Prints a line for a better schedule; under the lock. */
void engine_log_schedule(engine *e, const char *source);
/* Prints a line after a turn if the bound rose, the effort changed, or some time has passed. part:
 * bound of the tree's own schedules; -INFINITY: none. */
void engine_log_turn(engine *e, exact_effort effort, double part);
/* Prints a line from within a tree, after some time. */
void engine_log_progress(engine *e, exact_effort effort, const bnb_progress *now);

#endif
