/* lp/io/file: the readers and writers of model files, one of each per format. Private to lp/. */
#ifndef LP_FILE_H
#define LP_FILE_H

#include <stdio.h>

#include "lp/io/file_text.h"

/* The constant of the objective is written as the cost of a column of this name, fixed at 1 and
 * in no row. It is read back as the constant. The formats have no portable way: GLPK reads the
 * right-hand side of the objective in MPS as the constant, other solvers as minus the constant.
 * In LP files GLPK refuses constants. */
#define LP_FILE_CONSTANT "objective_constant"

/* Read a text in memory (NUL-terminated, without other NULs); path is for messages. NULL with an
 * error that names path, line and place. */
lp_model *lp_read_mps(const char *path, const char *text, lp_file_watch *watch, base_error *error);
lp_model *lp_read_lp(const char *path, const char *text, lp_file_watch *watch, base_error *error);

/* Write a model without offset. The caller checks the stream for errors. */
void lp_write_mps(const lp_model *m, FILE *stream);
void lp_write_lp(const lp_model *m, FILE *stream);

#endif
