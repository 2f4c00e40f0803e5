/* States of a stage in a hash table, so that equal ones meet, and the selection of those that
 * survive: by estimate, without dominated ones, from each stratum of bytes. */
#include "heuristics/frontier.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* A state's place in the order of frontier_select. */
typedef struct ranked {
    double estimate, joules;
    int64_t bytes;
    int index;
} ranked;

/* The last state of a pattern that was taken. */
typedef struct seen {
    uint64_t pattern;
    int64_t bytes;
    double joules;
    uint32_t stamp;
} seen;

typedef struct selection {
    ranked *order; /* capacity */
    seen *table;   /* slot_mask + 1 */
    uint32_t stamp;
    frontier_state *state; /* capacity, the chosen ones on their way back */
    uint64_t *sets;
    uint16_t *compute;
    int *stratum_count;
    int stratum_limit;
} selection;

void frontier_init(frontier *l, int words, int compute_limit, int capacity)
{
    assert(words > 0 && compute_limit > 0 && capacity > 0);
    const size_t room = (size_t)capacity;
    memset(l, 0, sizeof *l);
    l->words = words;
    l->compute_limit = compute_limit;
    l->capacity = capacity;
    l->state = base_malloc(room, sizeof *l->state);
    l->sets = base_malloc(room * 3, (size_t)words * sizeof *l->sets);
    l->compute = base_malloc(room, (size_t)compute_limit * sizeof *l->compute);
    uint32_t slots = 64;
    while (slots < 2 * (uint32_t)capacity)
        slots *= 2;
    l->slot = base_calloc(slots, sizeof *l->slot);
    l->slot_mask = slots - 1;
    l->stamp = 1;
    selection *scratch = base_calloc(1, sizeof *scratch);
    scratch->order = base_malloc(room, sizeof *scratch->order);
    scratch->table = base_calloc(slots, sizeof *scratch->table);
    scratch->state = base_malloc(room, sizeof *scratch->state);
    scratch->sets = base_malloc(room * 3, (size_t)words * sizeof *scratch->sets);
    scratch->compute = base_malloc(room, (size_t)compute_limit * sizeof *scratch->compute);
    l->scratch = scratch;
}

void frontier_free(frontier *l)
{
    selection *scratch = l->scratch;
    if (scratch) {
        base_free(scratch->order);
        base_free(scratch->table);
        base_free(scratch->state);
        base_free(scratch->sets);
        base_free(scratch->compute);
        base_free(scratch->stratum_count);
        base_free(scratch);
    }
    base_free(l->state);
    base_free(l->sets);
    base_free(l->compute);
    base_free(l->slot);
    memset(l, 0, sizeof *l);
}

void frontier_clear(frontier *l)
{
    l->count = 0;
    if (++l->stamp == 0) {
        memset(l->slot, 0, ((size_t)l->slot_mask + 1) * sizeof *l->slot);
        l->stamp = 1;
    }
}

/* The index in a hash table entry, -1 for an empty one. */
static int slot_index(const frontier *l, uint32_t at)
{
    return l->slot[at] >> 32 == l->stamp ? (int)(uint32_t)l->slot[at] : -1;
}

static void slot_set(frontier *l, uint32_t at, int index)
{
    l->slot[at] = (uint64_t)l->stamp << 32 | (uint32_t)index;
}

static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 29;
}

int frontier_place(frontier *l, const frontier_state *s, int seconds_class)
{
    assert(l->count < l->capacity && s->bytes >= 0 && s->joules >= 0);
    const uint64_t pattern = s->pattern ^ (uint64_t)seconds_class * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)mix(pattern ^ mix((uint64_t)s->bytes)) & l->slot_mask;
    int place = -1;
    for (; slot_index(l, at) >= 0; at = (at + 1) & l->slot_mask) {
        const frontier_state *other = &l->state[slot_index(l, at)];
        if (other->pattern != pattern || other->bytes != s->bytes)
            continue;
        if (other->joules <= s->joules)
            return -1;
        place = slot_index(l, at);
        break;
    }
    if (place < 0) {
        place = l->count++;
        slot_set(l, at, place);
    }
    l->state[place] = *s;
    l->state[place].pattern = pattern;
    return place;
}

static int by_estimate(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->estimate != y->estimate)
        return x->estimate < y->estimate ? -1 : 1;
    if (x->joules != y->joules)
        return x->joules < y->joules ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    return x->index - y->index;
}

/* True if a state of the same pattern, no dearer, asks for no more bytes. */
static bool pattern_dominated(frontier *l, selection *scratch, const frontier_state *s)
{
    uint32_t at = (uint32_t)mix(s->pattern) & l->slot_mask;
    while (scratch->table[at].stamp == scratch->stamp && scratch->table[at].pattern != s->pattern)
        at = (at + 1) & l->slot_mask;
    seen *entry = &scratch->table[at];
    if (entry->stamp == scratch->stamp && entry->bytes <= s->bytes && entry->joules <= s->joules)
        return true;
    *entry = (seen){s->pattern, s->bytes, s->joules, scratch->stamp};
    return false;
}

/* True if a chosen state, no dearer and no slower, asks for a subset of what the
 * state `index` asks for among the active nodes, and for no more bytes, and has
 * written out all that the other has. */
static bool subset_dominated(const frontier *l, const selection *scratch, const frontier_rule *rule,
                             int chosen, int index)
{
    const frontier_state *s = &l->state[index];
    const uint64_t *keep = frontier_keep(l, index);
    const uint64_t *pagein = frontier_pagein(l, index), *paged = frontier_paged(l, index);
    for (int c = 0; c < chosen; c++) {
        const frontier_state *o = &scratch->state[c];
        if (o->bytes > s->bytes || o->joules > s->joules || o->seconds > s->seconds)
            continue;
        const uint64_t *other = scratch->sets + (size_t)c * 3 * (size_t)l->words;
        uint64_t more = 0;
        for (int w = 0; w < l->words; w++)
            more |= (other[w] & rule->active[w] & ~keep[w]) | (other[l->words + w] & ~pagein[w]) |
                    (paged[w] & rule->active[w] & ~other[2 * l->words + w]);
        if (!more)
            return true;
    }
    return false;
}

static int stratum_of(const frontier_rule *rule, int64_t bytes)
{
    int k = (int)((double)bytes / (double)rule->budget_bytes * rule->strata);
    return k >= rule->strata ? rule->strata - 1 : k;
}

/* Copies the state `index` to the place `chosen` of the selection. */
static void choose(const frontier *l, selection *scratch, int index, int chosen)
{
    const size_t set = 3 * (size_t)l->words, list = (size_t)l->compute_limit;
    scratch->state[chosen] = l->state[index];
    memcpy(scratch->sets + (size_t)chosen * set, frontier_keep(l, index),
           set * sizeof *scratch->sets);
    memcpy(scratch->compute + (size_t)chosen * list, frontier_compute(l, index),
           (size_t)l->state[index].compute_count * sizeof *scratch->compute);
}

/* Takes the chosen states back into the frontier, whose hash table knows them again. */
static void adopt(frontier *l, selection *scratch, int chosen)
{
    frontier_clear(l);
    frontier_state *state = l->state;
    uint64_t *sets = l->sets;
    uint16_t *compute = l->compute;
    l->state = scratch->state, scratch->state = state;
    l->sets = scratch->sets, scratch->sets = sets;
    l->compute = scratch->compute, scratch->compute = compute;
    l->count = chosen;
    for (int k = 0; k < chosen; k++) {
        const frontier_state *s = &l->state[k];
        uint32_t at = (uint32_t)mix(s->pattern ^ mix((uint64_t)s->bytes)) & l->slot_mask;
        while (slot_index(l, at) >= 0)
            at = (at + 1) & l->slot_mask;
        slot_set(l, at, k);
    }
}

void frontier_select(frontier *l, const frontier_rule *rule)
{
    assert(rule->strata > 0 && rule->width > 0 && rule->budget_bytes > 0);
    selection *scratch = l->scratch;
    if (scratch->stratum_limit < rule->strata) {
        scratch->stratum_limit = rule->strata;
        scratch->stratum_count = base_realloc(scratch->stratum_count, (size_t)rule->strata,
                                              sizeof *scratch->stratum_count);
    }
    memset(scratch->stratum_count, 0, (size_t)rule->strata * sizeof *scratch->stratum_count);
    scratch->stamp++;
    for (int k = 0; k < l->count; k++)
        scratch->order[k] =
            (ranked){l->state[k].estimate, l->state[k].joules, l->state[k].bytes, k};
    qsort(scratch->order, (size_t)l->count, sizeof *scratch->order, by_estimate);
    int chosen = 0;
    for (int k = 0; k < l->count; k++) {
        const int index = scratch->order[k].index;
        const frontier_state *s = &l->state[index];
        const int stratum = stratum_of(rule, s->bytes);
        if (scratch->stratum_count[stratum] >= rule->width)
            continue;
        if (rule->accept && !rule->accept(rule->context, l, index))
            continue;
        if (pattern_dominated(l, scratch, s))
            continue;
        if (rule->subsets && subset_dominated(l, scratch, rule, chosen, index))
            continue;
        scratch->stratum_count[stratum]++;
        choose(l, scratch, index, chosen++);
    }
    adopt(l, scratch, chosen);
}
