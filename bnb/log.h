/* bnb/log: the log of a search. */
#ifndef BNB_LOG_H
#define BNB_LOG_H

#include "bnb/bnb.h"

/* The line of what the model is. */
void bnb_log_start(bnb_search *s);
/* A line of the table; source: NULL or a short name of the incumbent's origin. With the
 * lock held. Without a source only when some seconds have passed, unless force. */
void bnb_log_line(bnb_search *s, const char *source, bool force);
/* A line of its own (printf-style), and the last lines, with the result. */
void bnb_log_text(bnb_search *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bnb_log_end(bnb_search *s, const bnb_result *r);

#endif
