/* lp/file: what the readers and writers of model files share. Private to lp/. */
#ifndef LP_FILE_H
#define LP_FILE_H

#include "lp/model.h"
#include "lp/names.h"

/* Values of this size and more mean infinity where a bound or a side of a row may be
 * infinite, as in CPLEX, HiGHS and SCIP. */
#define LP_FILE_INFINITY 1e20

/* The objective's constant is written as the cost of a column of this name, fixed at 1
 * and in no row, and read back as the constant. The formats' own ways are not portable:
 * in MPS GLPK takes the objective's right-hand side for the constant and everybody else
 * for minus the constant, in LP files GLPK refuses constants. */
#define LP_FILE_CONSTANT "objective_constant"

/* A whole text as a number: 1, -2.5e3, .5, 1D-3 (Fortran's exponent). With
 * infinity_allowed also inf and infinity in any case, with a sign, and anything whose
 * absolute value reaches LP_FILE_INFINITY becomes infinite. False when it is not a
 * number or overflows; an underflow gives what is nearest. */
bool lp_file_number(const char *text, bool infinity_allowed, double *value);

/* A short copy of a text for messages, with unprintable bytes as '?'. */
typedef struct lp_file_quote {
    char text[48];
} lp_file_quote;
lp_file_quote lp_file_quoted(const char *text);

/* The shortest decimal text that reads back to the same double. */
typedef struct lp_file_decimal {
    char text[40];
} lp_file_decimal;
lp_file_decimal lp_file_shortest(double value);

/* What ends the reading of a long text early. */
typedef struct lp_file_watch {
    const base_limits *limits; /* may be NULL */
    base_stop stop;            /* the limit that was reached */
    long steps;
} lp_file_watch;

/* One step of reading, a line or a word: true when a limit has been reached. */
bool lp_file_stopped(lp_file_watch *watch);

/* Readers of a text in memory (NUL-terminated, without other NULs); path is for
 * messages. NULL with an error that names path, line and place. */
lp_model *lp_read_mps(const char *path, const char *text, lp_file_watch *watch, base_error *error);
lp_model *lp_read_lp(const char *path, const char *text, lp_file_watch *watch, base_error *error);

/* Writers, of models without offset; stream errors are for the caller to notice. */
void lp_write_mps(const lp_model *m, FILE *stream);
void lp_write_lp(const lp_model *m, FILE *stream);

/* Distinct names for what is written: each of names (NULL: none) with the characters
 * that the format cannot hold replaced, or prefix and number, changed further where
 * two would coincide. legal tells of a text whether its character at a position may
 * stand there.
 * Numbers in the result are numbers in names; taken (may be NULL) is avoided too. */
lp_names *lp_file_safe_names(char *const *names, int count, char prefix,
                             bool (*legal)(const char *text, size_t position),
                             const char *const *taken);

/* A suffix that makes no name into another one, for the second half of a row that has
 * to be written as two; in suffix, of which size bytes are there. */
const char *lp_file_free_suffix(const lp_names *names, char *suffix, size_t size);

#endif
