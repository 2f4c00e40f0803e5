/* bnb/log: the log of a search. */
#ifndef BNB_LOG_H
#define BNB_LOG_H

#include "bnb/bnb.h"

/* Prints the line that describes the model. */
void bnb_log_start(bnb_search *s);
/* Prints a line of the table and calls the progress callback. source: origin of a new incumbent,
 * or NULL. Without `force`, prints only if some seconds have passed since the last line. Requires
 * the lock. */
void bnb_log_line(bnb_search *s, const char *source, bool force);
/* Print a text of its own (printf style), and the last lines, with the result. */
void bnb_log_text(bnb_search *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void bnb_log_end(bnb_search *s, const bnb_result *r);

#endif
