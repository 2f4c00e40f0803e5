/* benchmarks/lp_cases: the linear relaxations that bench-lp measures. */
#ifndef BENCHMARKS_LP_CASES_H
#define BENCHMARKS_LP_CASES_H

#include "benchmarks/model.h"

enum { LP_CASES = 42 };

typedef struct lp_case {
    const char *network, *platform;
    int percent; /* of the checkpoint-all peak */
    bench_form form;
    char name[96]; /* NETWORK-PLATFORM-PERCENT-FORM */
} lp_case;

/* In the order in which they run: what is quick first. */
void lp_cases_list(lp_case cases[LP_CASES]);

/* Its instance; *g gets the graph, which the caller frees. */
problem lp_case_problem(const lp_case *c, graph **g);

/* True if no name was given (NULL, or NULL at the end), or the case's name contains one. */
bool lp_case_wanted(const lp_case *c, char *const *names);

/* 0 when every name is a part of some case's name; else -1 with an error. */
int lp_cases_check(const lp_case cases[LP_CASES], char *const *names, base_error *error);

#endif
