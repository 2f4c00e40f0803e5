/* exact: solves a problem to proven optimality. */
#ifndef EXACT_EXACT_H
#define EXACT_EXACT_H

#include <stdio.h>

#include "base/base.h"
#include "exact/tuning.h"
#include "problem/schedule.h"

/* Relative gap at which a schedule counts as optimal, even if a wider gap was asked for. */
#define EXACT_OPTIMAL_GAP 1e-9

typedef enum exact_status {
    EXACT_OPTIMAL = 0, /* the gap is at most EXACT_OPTIMAL_GAP */
    EXACT_WITHIN_GAP, /* the gap is larger, but at most gap_relative: a better schedule may exist */
    EXACT_INFEASIBLE, /* proven: no schedule meets budget and deadline */
    EXACT_LIMIT,      /* stopped by a limit; schedule and bound are the best so far */
    EXACT_FAILED      /* an internal check failed; the result claims nothing */
} exact_status;

typedef struct exact_params {
    int threads; /* 1; with the same input and number, runs are identical */
    base_limits limits;
    long node_limit;     /* LONG_MAX */
    double work_limit;   /* 10^9 steps of base_work, all threads; about seconds; INFINITY */
    double gap_relative; /* relative gap at which the search ends; EXACT_OPTIMAL_GAP */
    unsigned features;   /* FORMULATION_DEFAULT */
    int log;             /* 0 silent, 1 the log, 2 more */
    FILE *log_stream;    /* NULL: stdout */
    uint64_t seed;
    exact_tuning tuning; /* parameters of effort */
    bool heuristics;     /* annealing, and quenches of coarse solutions; true */
    /* Schedules to start from, and their names in the log. Schedules that miss the budget or the
     * deadline are skipped. Extent start_count each; may be NULL. */
    const schedule *const *starts;
    const char *const *start_names;
    int start_count;
    /* Called with each new incumbent, by any thread, one call at a time. s and v are valid during
     * the call. NULL: no call. */
    void (*incumbent)(void *user, const schedule *s, const validation *v, const char *source);
    void *incumbent_user;
    /* Receives the steps of a certificate (exact/proof.h). Only cuts that it can record are
     * separated then. The schedule to be proven optimal should be among the starts. NULL: none. */
    const struct exact_proof *proof;
} exact_params;

/* One thread, all features that are on by default, no limits, no log. */
exact_params exact_params_default(void);

/* A schedule that was the incumbent for a while. nodes and lp_iterations: counts at that time. */
typedef struct exact_incumbent {
    double overhead_joules;
    double seconds;     /* since exact_solve began */
    double cpu_seconds; /* of the process, all threads */
    long nodes, lp_iterations;
    char source[64]; /* step that found it */
} exact_incumbent;

/* A dual bound that was the best for a while. */
typedef struct exact_bound {
    double overhead_joules;
    double seconds; /* since exact_solve began */
    bool windows;   /* holds only for schedules within the windows, not for all */
} exact_bound;

/* The kinds of turns that the search divides its work among: EFFORT_BEGIN and so on. */
#define EXACT_EFFORTS(X)                                                                           \
    X(BEGIN, "begin")     /* the first model and its LP */                                         \
    X(ANNEAL, "anneal")   /* schedules by annealing */                                             \
    X(POLISH, "polish")   /* better schedules near the best one */                                 \
    X(GROW, "grow")       /* a bound for all cells, by growing models */                           \
    X(COARSE, "coarse")   /* bounds and schedules from coarse timelines */                         \
    X(CASES, "cases")     /* the same by cases: which dear tensors are ever away */                \
    X(LABELS, "labels")   /* the same by label searches, from the last stage to the first */       \
    X(WINDOWS, "windows") /* branch and bound within the windows */                                \
    X(REST, "rest")       /* branch and bound over all cells that are left */

typedef enum exact_effort {
#define EXACT_EFFORT(name, text) EFFORT_##name,
    EXACT_EFFORTS(EXACT_EFFORT)
#undef EXACT_EFFORT
        EFFORTS
} exact_effort;

/* Its name in the log and in the result. */
const char *exact_effort_name(exact_effort effort);

typedef struct exact_spent {
    double work, seconds;  /* units of exact_result.work and exact_result.seconds */
    long turns, successes; /* a turn succeeds if it raises the bound or finds a better schedule */
} exact_spent;

typedef struct exact_result {
    exact_status status;
    base_stop stop;     /* limit that ended the run or the writing of its proof. BASE_GO: none;
                           with EXACT_LIMIT and not `unproven`: the node limit */
    bool unproven;      /* EXACT_LIMIT without a limit: numerical trouble left something unproven */
    schedule *schedule; /* validated; NULL without one */
    validation validation;        /* of the schedule */
    double bound_overhead_joules; /* proven for the full model, safe in floating point; >= 0 */
    double root_bound;      /* joules: LP bound over the windows before cuts, not itself a proof;
                               NAN: not solved */
    double root_bound_cuts; /* joules: after the cuts at the root */
    long nodes, lp_iterations, cuts;
    double work; /* 10^9 elementary steps (base_work), the same on any machine; about seconds */
    double span; /* longest chain of these steps that ran one after the other; about the seconds
                    with a core for each thread */
    double seconds, first_incumbent_seconds;
    exact_spent spent[EFFORTS]; /* by effort */
    char source[64];            /* step that found the schedule */
    exact_incumbent *incumbent; /* extent incumbent_count, each better than the one before */
    int incumbent_count;
    exact_bound *bound; /* extent bound_count; each better than the one of its kind before */
    int bound_count;
    char infeasible_reason[256];
    int64_t minimum_bytes; /* no schedule fits into less (graph_minimum_bytes) */
} exact_result;

/* Solves p. The result must be cleared. Every schedule in it has passed schedule_validate. If
 * memory, or time and its grace, runs out in the middle of a step, the result is the state before
 * the step. With a proof, the caller's guard (base/base.h) is given up instead. The time limit is
 * shortened by the time to validate the schedule once more. */
exact_result exact_solve(const problem *p, const exact_params *params);
void exact_result_clear(exact_result *result);

/* Result of the search for the smallest budget with a schedule. */
typedef struct exact_least {
    int64_t bytes;  /* a schedule fits into this; -1: none was found, or no budget has one */
    int64_t least;  /* no schedule fits into less; equals bytes once proven */
    base_stop stop; /* limit that ended the search early; BASE_GO: none */
} exact_least;

/* Finds the smallest budget by bisection. Each budget is decided by exact_solve on the graph
 * without energies. p->ram_budget_bytes is ignored. params: `limits` holds for the whole bisection,
 * the other limits for each solve; starts, proof and log are not used. At most log2(peak / gcd of
 * the sizes) solves. */
exact_least exact_least_budget(const problem *p, const exact_params *params);

/* "optimal", "within gap" (of gap_relative, not optimal), "infeasible", "feasible" (stopped, with a
 * schedule), "unknown" (stopped, without), "failed" (an internal check). */
const char *exact_status_name(const exact_result *result);

/* Name of the limit that ended the run early; static text. */
const char *exact_stop_name(const exact_result *result);

/* (overhead - bound) / overhead; 0 when they meet, NAN without a bound. */
double exact_gap(double overhead_joules, double bound_joules);

#endif
