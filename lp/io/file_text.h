/* lp/io/file_text: numbers, quotations and limits of the readers and writers of model files.
 * Private to lp/. */
#ifndef LP_FILE_TEXT_H
#define LP_FILE_TEXT_H

#include "lp/model.h"

/* Values of at least this magnitude mean infinity where a bound or a side of a row may be
 * infinite, as in CPLEX, HiGHS and SCIP. */
#define LP_FILE_INFINITY 1e20

/* Reads a whole text as a number: 1, -2.5e3, .5, 1D-3 (exponent of Fortran). With
 * infinity_allowed also inf and infinity in any case, with or without sign; magnitudes from
 * LP_FILE_INFINITY on become infinite. False if the text is no number or overflows. An underflow
 * gives the nearest double. */
bool lp_file_number(const char *text, bool infinity_allowed, double *value);

/* A short copy of a text for messages, with unprintable bytes as '?'. */
typedef struct lp_file_quote {
    char text[48];
} lp_file_quote;
lp_file_quote lp_file_quoted(const char *text);

/* Checks the limits while a long text is read. */
typedef struct lp_file_watch {
    const base_limits *limits; /* may be NULL */
    base_stop stop;            /* the limit that was reached; BASE_GO: none */
    long steps;                /* lines or words read; limits are checked every few */
} lp_file_watch;

/* Counts one step of reading, a line or a word; true if a limit has been reached. */
bool lp_file_stopped(lp_file_watch *watch);

#endif
