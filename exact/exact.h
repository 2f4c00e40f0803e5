/* exact: a problem in, a schedule proven optimal out. */
#ifndef EXACT_EXACT_H
#define EXACT_EXACT_H

#include <stdio.h>

#include "base/base.h"
#include "exact/tuning.h"
#include "problem/schedule.h"

/* A bound within this part of the schedule's overhead proves it optimal, whatever gap was asked
 * for. */
#define EXACT_OPTIMAL_GAP 1e-9

typedef enum exact_status {
    EXACT_OPTIMAL = 0, /* the bound is within EXACT_OPTIMAL_GAP of the schedule's overhead */
    EXACT_WITHIN_GAP,  /* ... not within that, but within gap_relative: a better one may exist */
    EXACT_INFEASIBLE,  /* proven: no schedule meets budget and deadline */
    EXACT_LIMIT,       /* stopped by a limit; schedule and bound are the best so far */
    EXACT_FAILED       /* an internal check failed; nothing is claimed */
} exact_status;

/* Where the last LP of a search ended. */
typedef struct exact_neighbour exact_neighbour;

typedef struct exact_params {
    int threads; /* 1; the same run for the same input and number */
    base_limits limits;
    long node_limit;     /* LONG_MAX */
    double work_limit;   /* 10^9 steps of base_work, of all threads: about seconds; INFINITY */
    double gap_relative; /* where the search ends, of the overhead; EXACT_OPTIMAL_GAP */
    unsigned features;   /* FORMULATION_DEFAULT */
    int log;             /* 0 silent, 1 the log, 2 more */
    FILE *log_stream;    /* NULL: stdout */
    uint64_t seed;
    exact_tuning tuning; /* effort */
    bool heuristics;     /* annealing, and quenches of coarse solutions; true */
    /* Schedules to start from, with the names the log shows; those that do not meet budget or
     * deadline are passed over. Extent start_count each; may be NULL. */
    const schedule *const *starts;
    const char *const *start_names;
    int start_count;
    /* Called with each schedule that becomes the best, one at a time, by any thread; s and v are
     * valid during the call. NULL: nobody wants to know. */
    void (*incumbent)(void *user, const schedule *s, const validation *v, const char *source);
    void *incumbent_user;
    /* Receives what a certificate is made of (exact/proof.h); only cuts that it can be told are
     * separated then, and the schedule to be proven optimal should be among the starts. NULL: none.
     */
    const struct exact_proof *proof;
    /* For problems of the same graph one after the other: the first LP begins where the last one of
     * the search before ended, which is then forgotten; at the end it becomes where this one's
     * ended, if it has one, and nobody is told a proof. Changes the way, never what is proven.
     * NULL: from the slacks. */
    exact_neighbour *neighbour;
} exact_params;

/* One thread, all features that are on by default, no limits, silence. */
exact_params exact_params_default(void);

/* A schedule that was the best for a while. Its work is that of the steps before the one that found
 * it. */
typedef struct exact_incumbent {
    double overhead_joules;
    double seconds;     /* since exact_solve began */
    double cpu_seconds; /* of the process, all threads */
    long nodes, lp_iterations;
    char source[64]; /* what found it */
} exact_incumbent;

/* A bound that was the best for a while. */
typedef struct exact_bound {
    double overhead_joules;
    double seconds; /* since exact_solve began */
    bool windows;   /* only of the schedules within the windows, which proves nothing of others */
} exact_bound;

/* What work goes into. */
typedef enum exact_effort {
    EFFORT_BEGIN = 0, /* the first model and its LP */
    EFFORT_ANNEAL,    /* schedules by annealing */
    EFFORT_GROW,      /* a bound for all cells */
    EFFORT_COARSE,    /* bounds and schedules from the coarse timeline */
    EFFORT_CASES,     /* ... by cases: which dear tensors are ever away */
    EFFORT_WINDOWS,   /* branch and bound within the windows */
    EFFORT_REST,      /* ... over the schedules that use a cell outside */
    EFFORTS
} exact_effort;

/* "begin", "anneal", ... */
const char *exact_effort_name(exact_effort effort);

typedef struct exact_spent {
    double work, seconds;  /* as exact_result.work, exact_result.seconds */
    long turns, successes; /* a turn is one when it raises the bound or finds a better schedule */
} exact_spent;

typedef struct exact_result {
    exact_status status;
    base_stop stop;     /* limit that ended the run, or the writing of its proof; BASE_GO: none, or,
                           with EXACT_LIMIT and not `unproven`, the node limit */
    bool unproven;      /* EXACT_LIMIT without a limit: numerical trouble left something unproven */
    schedule *schedule; /* validated; NULL without one */
    validation validation;        /* of the schedule */
    double bound_overhead_joules; /* proven for the full model, safe in floating point; >= 0 */
    double root_bound;      /* joules: LP bound over the windows before cuts (not itself a proof);
                             * NAN: it was not solved */
    double root_bound_cuts; /* joules: after the cuts at the root */
    long nodes, lp_iterations, cuts;
    double work; /* 10^9 elementary steps (base_work): about seconds, but on any machine the same */
    double span; /* ... of the longest chain of threads that had to wait for each other: about the
                    seconds with a core for each */
    double seconds, first_incumbent_seconds;
    exact_spent spent[EFFORTS]; /* of the work */
    char source[64];            /* what found the schedule */
    exact_incumbent *incumbent; /* extent incumbent_count, each better than the one before */
    int incumbent_count;
    exact_bound *bound; /* extent bound_count, those of all schedules and those of the windows each
                           better than the one of its kind before */
    int bound_count;
    char infeasible_reason[256];
    int64_t minimum_bytes; /* no schedule fits into less (graph_minimum_bytes) */
} exact_result;

/* Solves p. The result must be cleared. Every schedule in it has passed schedule_validate. Where
 * memory, or time and its grace, come to an end in the middle of a step, the result is what stood
 * before it; with a proof the caller's guard (base/base.h) is given up instead. A time limit comes
 * as much earlier as judging the schedule once more takes. */
exact_result exact_solve(const problem *p, const exact_params *params);
void exact_result_clear(exact_result *result);

/* Without a search so far. One thread at a time uses it; while it knows a search, it holds a model
 * and its LP, and the graph must live. */
exact_neighbour *exact_neighbour_create(void);
void exact_neighbour_free(exact_neighbour *neighbour); /* NULL allowed */

/* The smallest budget within which there is a schedule lies between both. */
typedef struct exact_least {
    int64_t
        bytes; /* a schedule takes this; -1: there is none within any budget, or none is known */
    int64_t least;  /* no schedule fits into less; at bytes, that is the smallest budget */
    base_stop stop; /* what ended the search before they met */
} exact_least;

/* Bisection over budgets, each decided by exact_solve without energies; p->ram_budget_bytes plays
 * no part. params: the limits hold for the whole, starts, proof and log are not used. At most
 * log2(peak / gcd of the sizes) solves. */
exact_least exact_least_budget(const problem *p, const exact_params *params);

/* "optimal", "within gap" (of gap_relative, not optimal), "infeasible", "feasible" (stopped, with a
 * schedule), "unknown" (stopped, without), "failed" (an internal check). */
const char *exact_status_name(const exact_result *result);

/* What stopped a run that ended early; static text. */
const char *exact_stop_name(const exact_result *result);

/* (overhead - bound) / overhead; 0 when they meet, NAN without a bound. */
double exact_gap(double overhead_joules, double bound_joules);

#endif
