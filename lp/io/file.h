/* lp/io/file: the readers and writers of model files, one of each per format, with the numbers and
 * quotations that they share. Private to lp/. */
#ifndef LP_FILE_H
#define LP_FILE_H

#include <stdio.h>

#include "lp/model.h"

/* The constant of the objective is written as the cost of a column of this name, fixed at 1 and
 * in no row. It is read back as the constant. The formats have no portable way: GLPK reads the
 * right-hand side of the objective in MPS as the constant, other solvers as minus the constant.
 * In LP files GLPK refuses constants. */
#define LP_FILE_CONSTANT "objective_constant"

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

/* Read a text in memory (NUL-terminated, without other NULs); path is for messages. NULL with an
 * error that names path, line and place. Count work for the guards. */
lp_model *lp_read_mps(const char *path, const char *text, base_error *error);
lp_model *lp_read_lp(const char *path, const char *text, base_error *error);

/* Write a model without offset. The caller checks the stream for errors. */
void lp_write_mps(const lp_model *m, FILE *stream);
void lp_write_lp(const lp_model *m, FILE *stream);

#endif
