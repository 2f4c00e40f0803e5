/* What several suites of this room need. */
#ifndef TESTS_PROBLEM_SUPPORT_H
#define TESTS_PROBLEM_SUPPORT_H

#include "problem/json.h"
#include "tests/suite.h"

/* Five nodes whose sizes are powers of two, so that a sum tells its terms:
 * 0 (1 byte); 1 (2) reads 0; 2 (4) reads 1; 3 (8) reads 0 and 2; 4 (16) reads 1
 * and 3. Node i takes 2^i seconds and 10^i joules, a page-in of it 0.25 seconds
 * and i/4 joules, a page-out 0.5 seconds and i/2 joules. */
graph *five_nodes(void);

/* What is written of a graph or of a schedule file; free(). */
char *graph_text(const graph *g);
char *schedule_file_text(const schedule_file *file);

/* A file with that content under a fresh name in path (extent 64). */
void write_file(char *path, const char *text);

/* A random schedule that obeys all rules but budget and deadline, with useless
 * work in it. */
schedule *random_schedule(const graph *g, base_rng *rng);

/* The graph that the JSON text describes; NULL with an error. */
graph *parse_graph(const char *text, base_error *error);
/* The same; fails the test if there is none. */
graph *parse_good_graph(const char *text);

/* Fails unless node i reads these nodes, in this order. */
void expect_read_nodes(const graph *g, int i, int count, const int *inputs);

#endif
