/* benchmarks/arguments: what the programs' command lines have in common. */
#ifndef BENCHMARKS_ARGUMENTS_H
#define BENCHMARKS_ARGUMENTS_H

#include <argp.h>
#include <stdbool.h>

/* The number that an option's text stands for, from 0 to 1e7; anything else ends the program
 * with an error that shows the text. */
double bench_parse_number(struct argp_state *state, const char *text);

/* PROGRAM FOLDER [NAME...] with --total-seconds and --processor. */
typedef struct bench_arguments {
    const char *program, *folder; /* NULL: not given, which only `alone` allows */
    char **names;                 /* parts of the names of the cases wanted, NULL at the end */
    double total_seconds;         /* no further run after this time; 0: none */
    int processor;                /* as bench_process_pin wants it; -1 */
    bool alone;                   /* set by options that do something else */
} bench_arguments;

/* The child of a program's own argp; its input is a bench_arguments, which bench_arguments_default
 * has filled. */
extern const struct argp bench_arguments_argp;
bench_arguments bench_arguments_default(void);

/* The same with --time-limit, for programs that have no other options. */
typedef struct bench_limited {
    bench_arguments common;
    double limit; /* seconds of a run; what --help says is what it is before parsing */
} bench_limited;

/* Children of a program's argp without a parser; its input is a bench_limited. */
extern const struct argp_child bench_limited_children[];

/* True when more time than total_seconds has passed since `started` (base_seconds). */
bool bench_time_over(const bench_arguments *a, double started);

#endif
