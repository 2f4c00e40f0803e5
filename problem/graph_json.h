/* A graph as part of a larger JSON file, for readers and writers of such files. */
#ifndef PROBLEM_GRAPH_JSON_H
#define PROBLEM_GRAPH_JSON_H

#include "problem/json.h"
#include "problem/strict.h"

/* NULL with an error; the value is borrowed. costing: see problem/json.h. */
graph *graph_from_json(const json_t *value, const strict_place *place, const graph_costing *costing,
                       base_error *error);

/* The graph that the object root names by one of its keys "graph" (whole) and "builtin"
 * (model and platform, see problem/json.h). NULL with an error. */
graph *graph_source_read(const json_t *root, const strict_place *place, base_error *error);

/* Prints that key and its value: "builtin" when g was made from a built-in network and
 * platform, else "graph". */
void graph_source_print(const graph *g, FILE *out);

#endif
