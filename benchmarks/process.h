/* benchmarks/process: command lines, and programs run one at a time with what they took. */
#ifndef BENCHMARKS_PROCESS_H
#define BENCHMARKS_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/base.h"

enum { COMMAND_WORDS = 48 };

/* Words of a command line, the first is the program; NULL behind the last. */
typedef struct bench_command {
    char *words[COMMAND_WORDS];
    int count;
} bench_command;

/* Appends a copy of the word; what exceeds COMMAND_WORDS - 1 is left out. */
void bench_command_word(bench_command *c, const char *word);
/* Appends the words of a text that are separated by blanks. */
void bench_command_words(bench_command *c, const char *text);
/* Appends one word, printf-style. */
void bench_command_format(bench_command *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bench_command_clear(bench_command *c);

/* What became of a process. */
typedef struct bench_usage {
    int exit_status;    /* 128 + signal when a signal ended it */
    bool killed;        /* by us: it ran beyond its limit, or the interrupt came */
    double seconds;     /* from start to end */
    double cpu_seconds; /* user and system, of its children too */
    long peak_kilobytes;
} bench_usage;

/* Runs the command to its end, with standard output in the file out and standard error in the file
 * err (both made anew), standard input empty. It is killed after limit seconds, or as soon as
 * *interrupt is nonzero (NULL: never), and dies with this program. A program that cannot be started
 * ends with status 127. */
bench_usage bench_process_run(const bench_command *c, const char *out, const char *err,
                              double limit, const base_flag *interrupt);

/* In a child just forked by process parent: streams to the files, death with the parent; becomes
 * the command and does not return. */
void bench_process_become(const bench_command *c, const char *out, const char *err, pid_t parent)
    __attribute__((noreturn));

/* Keeps this process and those it starts on one processor: number `processor`, or the last of those
 * it may use when negative. Returns its number; -1 when that cannot be had. */
int bench_process_pin(int processor);

/* From now on SIGINT and SIGTERM only set the flag that is returned. */
const base_flag *bench_interrupt_catch(void);

#endif
