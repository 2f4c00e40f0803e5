/* heuristics/local_search: a schedule, and the step that replans a few tensors of
 * it by the dynamic programme of heuristics/stage_dp while all others keep theirs. */
#ifndef HEURISTICS_LOCAL_SEARCH_H
#define HEURISTICS_LOCAL_SEARCH_H

#include "heuristics/stage_dp.h"
#include "heuristics/tuning.h"

enum { LOCAL_SEARCH_DEPTHS = 6 };

typedef struct local_search {
    const problem *problem;
    heuristic_tuning tuning;
    stage_dp *dp;
    base_rng rng;
    int *open; /* tensors that are read later than in the stage after their own */
    int open_count;
    schedule *current; /* valid, canonical; NULL before local_search_adopt */
    double overhead;   /* of current, joules */
    double objective;  /* overhead and what its memory is charged */
    double price;      /* joules per byte by which a stage's peak exceeds soft_bytes */
    int64_t soft_bytes;
    uint8_t *masks; /* n*n: what reproduces current */
    int *freed;     /* tensors to replan */
    int freed_count;
    bool *is_freed;                      /* n */
    uint64_t *recomputed;                /* bit set: tensors that current computes more than once */
    uint64_t *loose;                     /* bit set: scratch of a step */
    double size[2][LOCAL_SEARCH_DEPTHS]; /* tensors freed by a small and by a large step,
                                            for each depth of the bound */
    const base_limits *limits;
    uint64_t steps, successes;
} local_search;

/* p is borrowed; tuning is copied, NULL: defaults. */
local_search *local_search_create(const problem *p, const heuristic_tuning *tuning, uint64_t seed);
void local_search_free(local_search *ls); /* NULL allowed */

/* Makes s (taken over) the current schedule if it is valid for the problem; frees
 * it and returns false otherwise. Page-ins are moved to the last stage that
 * serves, and the schedule is pruned. */
bool local_search_adopt(local_search *ls, schedule *s);

/* Joules that the recomputations and transfers of a node add to the current schedule. */
double local_search_paid(const local_search *ls, int node);

/* Adds to the objective joules_per_byte times the bytes by which the peaks of the
 * stages exceed soft_bytes, summed over the stages; 0 joules: nothing. */
void local_search_set_price(local_search *ls, int64_t soft_bytes, double joules_per_byte);

/* Frees nothing / one more tensor for the next local_search_replan. */
void local_search_freeze(local_search *ls);
void local_search_release(local_search *ls, int node);

/* Replans the freed tensors: the current schedule becomes a best one found of an
 * objective not above its own. `tight` also reconsiders tensors that were in RAM
 * the stage before; bound_depth: see stage_dp_params. True when the objective fell. Work at most
 * work_limit. */
bool local_search_replan(local_search *ls, bool tight, int bound_depth, uint64_t work_limit);

/* Replans open tensors first..first+count-1 (in order of number; as far as there are
 * such), in a small step. True when the objective fell. */
bool local_search_replan_run(local_search *ls, int first, int count);

/* One step with a random neighbourhood, small or large. True when the objective
 * fell. */
bool local_search_step(local_search *ls, bool large);

#endif
