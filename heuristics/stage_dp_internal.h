/* heuristics/stage_dp_internal: what the files of stage_dp share: stage_dp.c runs
 * over the stages, stage_serve.c enumerates the ways to serve one of them, and
 * stage_forced.c follows the decisions that the masks leave no choice. */
#ifndef HEURISTICS_STAGE_DP_INTERNAL_H
#define HEURISTICS_STAGE_DP_INTERNAL_H

#include "base/bits.h"
#include "heuristics/frontier.h"
#include "heuristics/room_bound.h"
#include "heuristics/stage_dp.h"

enum {
    COMPUTE_LIMIT = 96,   /* recomputations in one stage */
    INPUT_LIMIT = 64,     /* nodes with more inputs are not recomputed */
    SECONDS_CLASSES = 16, /* of the slack, kept apart */
    WINDOWS = 8,          /* depths remembered */
    CHECK_INTERVAL = 4096 /* work between two looks at the limits */
};

/* How a chosen state came about; the lists are moves[start..]: first what its
 * stage recomputes, then what the stage before pages in. */
typedef struct trace {
    int parent;
    int compute_count, pagein_count;
    size_t start;
} trace;

struct stage_dp {
    const problem *problem;
    const graph *graph;
    int n, words;
    double slack_seconds;
    uint64_t *inputs; /* n * words: the inputs of each node */
    /* Windows, n * words each; row t: the ancestors of t-1 within so many edges. */
    struct window {
        int depth;
        uint64_t *sets;
    } window[WINDOWS];
    int window_count;
    const uint64_t *near;   /* row t: what the states before stage t may still shed */
    const uint64_t *active; /* row t: what tells the states before stage t apart */
    uint64_t *ahead;        /* row t: what stage t may compute for a later stage */
    int ahead_depth, lookahead;
    uint64_t *everything; /* words, all set */

    room_bound *bound;
    frontier from, to; /* of stages t+1 and t */
    int frontier_room;
    trace *traces; /* of all layers, stage n first */
    size_t trace_count, trace_room;
    size_t *trace_start; /* n+1: where the frontier of stage t begins */
    uint16_t *moves;
    size_t move_count, move_room;
    uint64_t work, work_stop;
    uint64_t check_at; /* work at which to look at the limits */
    bool stopped;

    /* The transition being enumerated: stage t from state `parent`. */
    const stage_dp_params *params;
    double *forced; /* n+1: joules that the stages before t add at least */
    double cutoff;  /* of the stage: the run's, less forced[t] */
    int t, parent;
    const uint64_t *was_keep, *was_pagein; /* K[t+1], P[t+1] */
    uint64_t *later;                       /* their union: in RAM when stage t+1 begins */
    uint64_t *optional; /* members of K[t+1] that stage t may or must compute ahead */
    uint64_t *wanted;   /* read in stage t, not yet provided */
    uint64_t *keep, *pagein, *paged;
    uint64_t *charged; /* nodes whose cost is in forced */
    int64_t keep_bytes, pagein_bytes, was_pagein_bytes;
    double joules, seconds;
    uint16_t compute[COMPUTE_LIMIT + 1]; /* descending; [0] is t itself */
    int64_t released[COMPUTE_LIMIT + 1]; /* bytes that leave RAM after each of them */
    int compute_count;
    int *computed; /* n: how often the stages after t compute a node; where that is limited */
    int leaves;
};

/* ---- stage_serve.c ------------------------------------------------------------- */

/* The ways (STAGE_DP_ masks) in which stage dp->t may be provided with i, which it
 * reads or is only asked for later. In the latter case paging it in so early is
 * pointless unless the masks insist. */
unsigned stage_dp_allowed(const stage_dp *dp, int i, bool read);

/* Appends i to what the stage computes. Its inputs that nothing wanted so far are
 * wanted now; as the stage is served from its last node to its first, i is their
 * last reader, after which they leave unless they are there in stage t+1. Returns
 * which inputs these are, by position (of the first 64). */
uint64_t stage_dp_push_compute(stage_dp *dp, int i);

/* Largest sum of bytes at the events of the stage when `resident` bytes are there
 * at its start, and what a stage with that peak is charged. */
int64_t stage_dp_peak(const stage_dp *dp, int64_t resident);
double stage_dp_charge(const stage_dp *dp, int64_t peak);

/* Bytes of all members of a set. */
int64_t stage_dp_bytes(const stage_dp *dp, const uint64_t *set);

/* All ways to serve stage dp->t from the state `index` of dp->from, into dp->to.
 * deciding: the members of K[t+1] for which it has more to decide than to keep them. */
void stage_dp_serve(stage_dp *dp, int index, const uint64_t *deciding);

/* ---- stage_forced.c ------------------------------------------------------------ */

/* Follows every decision that leaves no choice, from the last stage to the first:
 * forced[t] is then a lower bound on what the stages before t cost, whatever is
 * chosen elsewhere. The stages before the first choice are settled by that: returns
 * the first stage left, with the state above it in dp->from. -1 when no stage is
 * left; dp->from is then empty if some need cannot be met at all. */
int stage_dp_follow_forced(stage_dp *dp);

/* ---- stage_state.c ------------------------------------------------------------- */

/* Row t of the window that tells the states before stage t apart. */
const uint64_t *stage_dp_active(const stage_dp *dp, int t);

/* Keeps the best states of the frontier of stage t. */
void stage_dp_select(stage_dp *dp, frontier *l, int t);

/* Remembers how the states of the frontier of stage t came about. */
void stage_dp_save_traces(stage_dp *dp, const frontier *l, int t);

/* Counts what the stages after t compute on the way to the state `index` of dp->from; nothing where
 * that is not limited. */
void stage_dp_count_computed(stage_dp *dp, int index);

/* Exchanges dp->from and dp->to. */
void stage_dp_swap(stage_dp *dp);

#endif
