/* heuristics/stage_dp: a dynamic programme over the stages, last to first, whose
 * answer is a schedule.
 *
 * Working form. Let K[t] be what is in RAM when stage t begins and was kept from
 * stage t-1, P[t] what is there because stage t-1 paged it in. Everything that the
 * stages from t on ask of those before is (K[t], P[t], which tensors were written
 * out). Stage t is then served backwards: it computes t; each input of what it
 * computes is kept (joins K[t]), paged in (joins P[t], In[t-1]) or computed as
 * well; what K[t+1] asks for beyond that is kept, or computed "ahead". A tensor
 * that is ever paged in is written out in the stage after its own, the first
 * chance. The memory of stage t depends on K[t], P[t], K[t+1], P[t+1] and what it
 * computes, and on nothing else, so each transition is checked exactly.
 *
 * Exhaustive, that is exact for schedules that write each tensor out once and at
 * the first chance, where nodes may be computed any number of times; a limit on that
 * is kept, but states are merged whatever they have computed so far. Made fast by
 * merging: two states whose sets agree on the *active* nodes, those near enough to
 * the stages to come to be used again before the forward pass ends them, differ only
 * in their number of idle bytes. The cheapest states of each stratum of bytes survive. */
#ifndef HEURISTICS_STAGE_DP_H
#define HEURISTICS_STAGE_DP_H

#include "problem/schedule.h"

/* How a tensor i that stage t needs may be provided. */
enum {
    STAGE_DP_KEEP = 1,    /* in RAM when t begins, kept from stage t-1 */
    STAGE_DP_PAGE = 2,    /* in RAM when t begins, paged in during stage t-1 */
    STAGE_DP_COMPUTE = 4, /* computed in stage t because stage t reads it */
    STAGE_DP_AHEAD = 8,   /* computed in stage t for a later stage only */
    STAGE_DP_ANY = 15
};

/* Steps of base_work for one unit of stage_dp_work. */
enum { STAGE_DP_UNIT_WORK = 110 };

typedef struct stage_dp_params {
    const uint8_t *allow; /* n*n masks of the above, cell (t,i); NULL: anything */
    bool exact;           /* states are told apart by all nodes; merge_depth does not matter */
    int merge_depth;      /* else they are told apart by the ancestors of the next stage's node */
    int bound_depth;      /* within so many edges; such of them may still be shed, see room_bound */
    const uint64_t *loose; /* bit set over nodes that may be shed anywhere; NULL: none */
    int ahead_depth;    /* ancestors of the next `lookahead` stages' nodes may be computed ahead */
    int lookahead;      /* >= 0; 0: nothing is; without `allow`, which says it itself */
    int strata;         /* classes of resident bytes, >= 1 */
    int width;          /* states kept in each, >= 1 */
    int leaf_limit;     /* ways to serve one stage tried from one state, >= 1 */
    bool subsets;       /* drop states that ask for more than a cheaper one */
    double price;       /* joules per byte by which a stage's peak exceeds the next, added */
    int64_t soft_bytes; /* to the cost that is minimised; price 0: no such charge */
    double cutoff_joules; /* only schedules of a smaller cost, prices included; INFINITY: all */
    uint64_t work_limit;  /* give up after so much work in this run; 0: none */
    const base_limits *limits; /* NULL: none */
} stage_dp_params;

typedef struct stage_dp stage_dp;

/* Reusable scratch for p, which is borrowed and must outlive it. Not for two
 * threads at a time. O(n^2 / 8) bytes at least. */
stage_dp *stage_dp_create(const problem *p);
void stage_dp_free(stage_dp *dp); /* NULL allowed */

/* Defaults for a run of a given width: anything allowed, no limits. */
stage_dp_params stage_dp_defaults(int width);

/* A cheapest schedule found, pruned, which the validator accepts up to the
 * rounding of sums of costs; NULL when the surviving states all died, nothing
 * lies below the cutoff, or a limit was reached. Deterministic. */
schedule *stage_dp_run(stage_dp *dp, const stage_dp_params *params);

/* Work of all runs so far: nodes of the enumeration; some 50-100 ns each. */
uint64_t stage_dp_work(const stage_dp *dp);

#endif
