/* benchmarks/exact_case: the instances on which the exact solver is measured. */
#ifndef BENCHMARKS_EXACT_CASE_H
#define BENCHMARKS_EXACT_CASE_H

#include "benchmarks/process.h"
#include "problem/graph.h"

typedef struct exact_case {
    const char *group;
    const char *network;  /* NULL: a layered graph of so many nodes with that seed */
    const char *platform; /* layered: of the costs */
    int nodes, seed;
    int percent; /* of the checkpoint-all peak; layered: of the way from the least bytes that any
                    schedule needs to that peak */
    const char *runtime; /* --runtime-budget; "none" */
    bool autodiff, no_paging;
    double asked; /* seconds within which the solver is expected to be done */
    char name[96];
} exact_case;

typedef struct exact_cases {
    int count, capacity;
    exact_case *item; /* extent count */
} exact_cases;

/* The grid, and the smaller list on which other programs are asked too: group "pairs", and group
 * "small" of random graphs of at most 12 nodes. Cleared with exact_cases_clear. */
exact_cases exact_cases_grid(void);
exact_cases exact_cases_pairs(void);
void exact_cases_clear(exact_cases *cases);

/* The instance; *g gets the graph, which the caller frees. */
problem exact_case_problem(const exact_case *c, graph **g);

/* Appends `solve' and the options of the instance. A layered graph is written to the file
 * graph_path first. 0, or -1 with an error. */
int exact_case_command(const exact_case *c, const char *graph_path, bench_command *command,
                       base_error *error);

/* True if no name was given (NULL, or NULL at the end), or the case's name or group contains one.
 */
bool exact_case_wanted(const exact_case *c, char *const *names);
/* The same; without a name (NULL at the end), whether the case's name is among the standard ones
 * (NULL at the end). */
bool exact_case_chosen(const exact_case *c, char *const *names, const char *const *standard);

/* 0 when every name is a part of some case's name, or a group; else -1 with an error. */
int exact_cases_check(const exact_cases *cases, char *const *names, base_error *error);

#endif
