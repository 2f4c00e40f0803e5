/* benchmarks/lp_alone: parts of poetbnb's linear programming that have no command of their own, as
 * processes that bench-lp measures. Both return an exit status, after a message when it is not 0.
 */
#ifndef BENCHMARKS_LP_ALONE_H
#define BENCHMARKS_LP_ALONE_H

#include "base/base.h"

/* Only reads the model. */
int lp_alone_read(const char *path);

/* Solves the model by sifting, from no columns or, seeded, from those whose numbers are in the file
 * PATH.seed, within limit seconds, and prints an object as `poetbnb lp --json' does, with rounds,
 * columns and rows of the last restricted model. */
int lp_alone_sift(const char *path, bool seeded, double limit);

/* The columns in such a file (extent cols, free with base_free); NULL, after a message, when it
 * cannot be read. */
bool *lp_alone_read_seed(const char *path, int cols);

/* Writes one; seed has the extent cols. 0, or -1 with an error. */
int lp_alone_write_seed(const char *path, const bool *seed, int cols, base_error *error);
void lp_alone_remove_seed(const char *path);

#endif
