/* Comparisons of models for the tests of lp/. */
#ifndef TESTS_LP_COMPARE_H
#define TESTS_LP_COMPARE_H

#include "lp/model.h"

/* NULL when a model keeps what model.h promises of its arrays; else what is wrong. */
const char *model_fault(const lp_model *m);

/* NULL when two models are the same but for their names; else what differs. Numbers
 * may differ by tolerance, relative to their size; 0: bit for bit up to the sign of 0. */
const char *model_difference(const lp_model *a, const lp_model *b, double tolerance);

/* Reads a model from a text written to a temporary file with this extension. The
 * error's text is kept in *error. */
lp_model *model_from_text(const char *text, const char *extension, base_error *error);

/* A path in a temporary folder of this process; in static memory, gone with the next
 * call. Who makes a file there removes it; the folder goes at exit. */
const char *temporary_path(const char *name);

#endif
