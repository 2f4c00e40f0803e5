/* exact/log: the table that a run prints. Not for others. */
#ifndef EXACT_LOG_H
#define EXACT_LOG_H

#include "exact/engine.h"

/* A remark between the lines of the log. */
void engine_log(engine *e, int level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* A line of the table: a better schedule, under the lock; */
void engine_log_schedule(engine *e, const char *source);
/* ... after a turn, if the bound rose, or the turn before was another one's, or after some time;
 * part: what is proven of the schedules that its tree is over, -INFINITY: it has none; */
void engine_log_turn(engine *e, exact_effort effort, double part);
/* ... from within a tree, after some time. */
void engine_log_progress(engine *e, exact_effort effort, const bnb_progress *now);

#endif
