/* lp/io/file: the readers and writers of model files, one of each per format. Private to lp/. */
#ifndef LP_FILE_H
#define LP_FILE_H

#include <stdio.h>

#include "lp/io/file_text.h"

/* The objective's constant is written as the cost of a column of this name, fixed at 1
 * and in no row, and read back as the constant. The formats' own ways are not portable:
 * in MPS GLPK takes the objective's right-hand side for the constant and everybody else
 * for minus the constant, in LP files GLPK refuses constants. */
#define LP_FILE_CONSTANT "objective_constant"

/* Readers of a text in memory (NUL-terminated, without other NULs); path is for
 * messages. NULL with an error that names path, line and place. */
lp_model *lp_read_mps(const char *path, const char *text, lp_file_watch *watch, base_error *error);
lp_model *lp_read_lp(const char *path, const char *text, lp_file_watch *watch, base_error *error);

/* Writers, of models without offset; stream errors are for the caller to notice. */
void lp_write_mps(const lp_model *m, FILE *stream);
void lp_write_lp(const lp_model *m, FILE *stream);

#endif
