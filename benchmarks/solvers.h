/* benchmarks/solvers: how the programs that are compared are started on a model file, and what
 * their output says. */
#ifndef BENCHMARKS_SOLVERS_H
#define BENCHMARKS_SOLVERS_H

#include "benchmarks/process.h"

/* What a program answered; NAN and -1 where it says nothing. */
typedef struct bench_answer {
    char status[24]; /* "optimal", "infeasible", "time limit", "unknown" ... */
    double objective, bound, seconds;
    long iterations, nodes;
} bench_answer;

/* A program: the command line that solves a file, the one that only reads it, and what reads its
 * answer (text of standard output; text of the file FILE.sol that it wrote, "" without). */
typedef struct bench_solver {
    const char *name;    /* in tables and on the command line */
    const char *program; /* looked for on the PATH; NULL: poetbnb */
    const char *reader;  /* the one that only reads; NULL: the same */
    bool linear;         /* for linear programmes, else for mixed-integer ones */
    void (*solve)(bench_command *c, const char *file, double limit);
    void (*read)(bench_command *c, const char *file); /* NULL: it has no such command */
    bench_answer (*answer)(const char *output, const char *solution);
} bench_solver;

/* Of linear programmes: poetbnb, clp, glpk; of
 * mixed-integer ones: mip (poetbnb mip), cbc, highs (SciPy's, through benchmarks/highs.py). NULL
 * for another name. The first word of a command is left to the caller. poetbnb has no command that
 * only reads: that is the option --read FILE of bench-lp itself. */
const bench_solver *bench_solver_find(const char *name);

/* True if the program is on the PATH and, for highs, Python has SciPy. */
bool bench_solver_installed(const bench_solver *solver);

/* The readers, for the tests. */
bench_answer bench_answer_json(const char *output, const char *solution);
bench_answer bench_answer_clp(const char *output, const char *solution);
bench_answer bench_answer_glpk(const char *output, const char *solution);
bench_answer bench_answer_cbc(const char *output, const char *solution);

#endif
