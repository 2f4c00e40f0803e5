/* heuristics/search: good schedules fast, without a linear programme: incumbents
 * for the exact search. Everything returned has passed the validator. */
#ifndef HEURISTICS_SEARCH_H
#define HEURISTICS_SEARCH_H

#include "heuristics/tuning.h"
#include "problem/schedule.h"

typedef struct heuristic_params {
    uint64_t seed;
    uint64_t work_limit;       /* stop after so much work, see stage_dp_work; 0: none */
    const base_limits *limits; /* NULL: none */
    heuristic_tuning tuning;
    bool construct;            /* also build schedules; else search from the best start alone */
    double lower_bound_joules; /* stop at an overhead within 1e-9 of it; 0: none known */
    /* Called with every better schedule, which is borrowed, and its overhead; NULL: not. */
    void (*improved)(void *context, const schedule *s, double overhead_joules);
    void *context;
} heuristic_params;

/* Seed 1, about a second of work, construction, no limits, no call. */
heuristic_params heuristic_params_default(void);

/* The best schedule found for p, starting from the valid ones among starts (each
 * n x n; start_count may be 0) and from its own construction; NULL with an error
 * when none was found. Construction by the dynamic programme of stage_dp, then
 * very large neighbourhood search: the plan of a few tensors is freed, all else
 * frozen, and the programme finds the best completion; when that stalls, memory is
 * given a price for a while. With a work limit and no other the result depends on
 * the arguments alone. Needs at least one of work_limit and limits. Memory
 * O(n^2). */
schedule *heuristic_search(const problem *p, const schedule *const *starts, int start_count,
                           const heuristic_params *hp, base_error *error);

/* A race between such searches, one from each start (the first that differ, tuning.race_runners at
 * most) and, with hp->construct, one from its own construction: the better half goes on with twice
 * the work each until one is left, each round with an equal part of hp->work_limit (> 0). For when
 * the schedules are far from the bound: the best start is seldom the one that leads furthest.
 * Writes the schedules of the runners, at most `most` of different overhead, best first, to found,
 * for the caller to free; returns their number. Memory O(n^2) for each runner. */
int heuristic_race(const problem *p, const schedule *const *starts, int start_count,
                   const heuristic_params *hp, schedule **found, int most);

/* A schedule no worse than s, which must be valid for p: each tensor with a
 * recomputation or a transfer is planned anew, together with its neighbours, until
 * nothing improves, or the work limit (0: none) or one of limits (NULL: none) is reached. NULL with
 * an error if s is not valid. tuning NULL: defaults. */
schedule *heuristic_improve(const problem *p, const schedule *s, const heuristic_tuning *tuning,
                            uint64_t work_limit, const base_limits *limits, base_error *error);

/* What a linear relaxation says of the cells; n*n each, row-major, values in [0,1].
 * pagein may be NULL without paging. */
typedef struct heuristic_guide {
    const double *keep;    /* S */
    const double *compute; /* R */
    const double *pagein;  /* In */
} heuristic_guide;

/* A schedule built from what the guide leaves open: anything in its support, what has
 * a value of at least 1/2 or 1/4, and `tries` random roundings of it (an option of
 * value v survives with probability v^(1/2)); the best of those that limits (NULL: none) leave time
 * for. NULL when none is feasible below cutoff_joules (INFINITY: any). Takes milliseconds; follow
 * it by heuristic_improve. tuning NULL: defaults. */
schedule *heuristic_repair(const problem *p, const heuristic_guide *guide,
                           const heuristic_tuning *tuning, int tries, uint64_t seed,
                           double cutoff_joules, const base_limits *limits);

#endif
