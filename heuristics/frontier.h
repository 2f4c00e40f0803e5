/* heuristics/frontier: the states of one stage of the dynamic programme of
 * heuristics/stage_dp, and which of them survive. */
#ifndef HEURISTICS_FRONTIER_H
#define HEURISTICS_FRONTIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the stages from t on ask of the stages before t, at a known cost. Beside
 * the numbers each state owns three node sets of the frontier's `words` words:
 *   keep    in RAM when stage t begins, kept from stage t-1;
 *   pagein  in RAM when stage t begins, paged in during stage t-1 (paid);
 *   paged   written out once, soon after their creation (paid).
 * What is paged in during stage t-1 is not used in it. */
typedef struct frontier_state {
    double joules;     /* recomputations and transfers of the stages from t on */
    double estimate;   /* joules and what the stages before t will add at least */
    double seconds;    /* their time as the deadline counts it */
    int64_t bytes;     /* that stage t-1 must leave room for: keep, and pagein if that is charged */
    uint64_t pattern;  /* hash of the part of the sets by which futures differ */
    int parent;        /* index in the frontier of stage t+1 */
    int compute_count; /* recomputations of stage t: frontier_compute(index)[0..] */
} frontier_state;

typedef struct frontier {
    int words;         /* 64-bit words of a node set */
    int compute_limit; /* most recomputations in one stage */
    int count, capacity;
    frontier_state *state;
    uint64_t *sets;            /* capacity * 3 * words */
    uint16_t *compute;         /* capacity * compute_limit, node numbers */
    uint64_t *slot;            /* hash table of slot_mask+1 entries: stamp << 32 | index */
    uint32_t slot_mask, stamp; /* entries with another stamp are empty */
    void *scratch;             /* of frontier_select */
} frontier;

/* How frontier_select chooses. */
typedef struct frontier_rule {
    int strata;             /* classes of `bytes`, each with its own places */
    int width;              /* places of a stratum */
    int64_t budget_bytes;   /* > 0; bytes never exceeds it */
    double slack_seconds;   /* INFINITY: time does not matter */
    const uint64_t *active; /* words: nodes whose membership in keep is compared */
    bool subsets;           /* also drop what asks for more at a higher cost */
    /* True if the state may live; asked once, of states that would be chosen. NULL: all. */
    bool (*accept)(void *context, const struct frontier *l, int index);
    void *context;
} frontier_rule;

/* An empty frontier for node sets of `words` words; states are numbered 0..count-1. */
void frontier_init(frontier *l, int words, int compute_limit, int capacity);
void frontier_free(frontier *l);
void frontier_clear(frontier *l);

static inline uint64_t *frontier_keep(const frontier *l, int index)
{
    return l->sets + (size_t)index * 3 * (size_t)l->words;
}
static inline uint64_t *frontier_pagein(const frontier *l, int index)
{
    return frontier_keep(l, index) + l->words;
}
static inline uint64_t *frontier_paged(const frontier *l, int index)
{
    return frontier_keep(l, index) + 2 * l->words;
}
static inline uint16_t *frontier_compute(const frontier *l, int index)
{
    return l->compute + (size_t)index * (size_t)l->compute_limit;
}

/* Where to write a state with this pattern, bytes, class of seconds and cost: a
 * fresh index, or that of the dearer state with the same three, whose place it
 * takes, or -1 when the known one is no dearer. The caller fills the sets and
 * the list of recomputations. The frontier must have room (count < capacity). */
int frontier_place(frontier *l, const frontier_state *s, int seconds_class);

/* Keeps the states of least estimate of every stratum that nothing dominates, in
 * order of estimate, and renumbers them from 0. O(count log count), and with `subsets`
 * O(chosen^2 words). */
void frontier_select(frontier *l, const frontier_rule *rule);

#endif
