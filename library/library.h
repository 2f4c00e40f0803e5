/* library: declarations shared by the files behind poetbnb.h. */
#ifndef LIBRARY_LIBRARY_H
#define LIBRARY_LIBRARY_H

#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "exact/exact.h"
#include "library/options.h"
#include "library/poetbnb.h"
#include "problem/schedule.h"

struct poetbnb_graph {
    graph *g;
    atomic_int users; /* handles that keep it: itself, until it is freed, solvers and results */
};

typedef struct library_callbacks {
    void (*log)(void *user, const char *line);
    void *log_user;
    void (*found)(void *user, const poetbnb_incumbent *what);
    void *found_user;
    int (*stop)(void *user);
    void *stop_user;
} library_callbacks;

/* The options of a solve, and the texts that they borrow, by option. */
typedef struct library_settings {
    cli_options options;
    char *text[CLI_OPTION_COUNT];
} library_settings;

/* All at their initial values. */
void library_settings_init(library_settings *s);
void library_settings_clear(library_settings *s);
/* As poetbnb_set. Takes memory: in a step. */
int library_settings_set(library_settings *s, const char *name, const char *value,
                         base_error *error);

struct poetbnb_solver {
    poetbnb_graph *graph;
    library_settings settings;
    library_callbacks callbacks;
    base_flag stop;
};

struct poetbnb_result {
    poetbnb_graph *graph;
    problem problem;
    exact_result exact;
    int64_t least; /* no schedule fits into less; -1: not asked for */
    char reason[256];
    bool certified;
    base_error uncertified; /* the reason for a missing certificate; empty: none was asked for */
};

/* Runs step(context) so that it may be given up, apart from all else that the process does, with
 * the locale "C". False with an error when memory came to an end: all that it allocated is freed.
 */
bool library_run(void (*step)(void *), void *context, poetbnb_error *error);

/* From the first call on, memory that jansson and GMP allocate under a guard belongs to it. */
void library_count_memory(void);

/* Copies an error; NULL allowed. Returns -1. */
int library_fail(const base_error *why, poetbnb_error *error);

/* Runs print(context, stream) as library_run runs steps. Returns its output and a NUL, to be freed
 * by free, and the length without the NUL in *length (NULL allowed); NULL with an error, also where
 * print returns one. */
char *library_block(int (*print)(void *context, FILE *stream, base_error *error), void *context,
                    size_t *length, poetbnb_error *error);

/* A handle for g, which it owns, with one user. Takes memory: in a step. */
poetbnb_graph *library_graph_wrap(graph *g);
poetbnb_graph *library_graph_share(const poetbnb_graph *graph);

/* ---- callbacks (callbacks.c) ----------------------------------------------------------- */

/* The calls of one solve. */
typedef struct library_calls {
    poetbnb_solver *solver;
    pthread_mutex_t lock; /* one at a time */
    locale_t locale;      /* locale of the caller; the caller's functions run in it */
    double started;
    atomic_llong
        next_stop_call; /* value of base_seconds, in milliseconds, of the next call of `stop` */
    FILE *log;          /* the listener; NULL: none */
    size_t length;
    char line[1024]; /* extent length: of the line that is being written */
} library_calls;

/* Outside of any step, before and after the solve. 0, or -1: out of memory. */
int library_calls_begin(library_calls *calls, poetbnb_solver *solver);
void library_calls_end(library_calls *calls);
/* For base_limits.should_stop and exact_params.incumbent; the context is the calls. */
bool library_should_stop(void *context);
void library_found(void *context, const schedule *s, const validation *v, const char *source);

#endif
