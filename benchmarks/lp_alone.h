/* benchmarks/lp_alone: parts of poetbnb's linear programming that have no command of their own, as
 * processes that bench-lp measures. Both return an exit status, after a message when it is not 0.
 */
#ifndef BENCHMARKS_LP_ALONE_H
#define BENCHMARKS_LP_ALONE_H

/* Only reads the model. */
int lp_alone_read(const char *path);

/* Solves the model by sifting, from no columns, within limit seconds, and prints an object as
 * `poetbnb lp --json' does, with rounds, columns and rows of the last restricted model. */
int lp_alone_sift(const char *path, double limit);

#endif
