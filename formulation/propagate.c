/* Removes cells without a source or a use from a mask until all that remain have both: (h) and
 * (l) of docs/formulation.md, section 3. */
#include "formulation/formulation.h"

#include <stdlib.h>

#include "base/bits.h"

typedef struct propagation {
    const graph *g;
    bool canonical;
    uint8_t *mask;
    uint64_t *due; /* cells to be looked at (again), one set of nodes for each stage */
    bool *stage_due;
    int *first_out, *last_in; /* stages of the first page-out and the last page-in of tensor i; n
                                 and -1: none left */
} propagation;

static bool has_bits(const propagation *p, int t, int i, uint8_t bits)
{
    return i < t && t < p->g->n && (p->mask[(size_t)t * (size_t)p->g->n + (size_t)i] & bits);
}

static bool computable(const propagation *p, int t, int i)
{
    return i == t || has_bits(p, t, i, MASK_R);
}

/* A user of i may be computed in stage t. */
static bool usable(const propagation *p, int t, int i)
{
    const graph *g = p->g;
    if (t >= g->n)
        return false;
    for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] <= t; e++)
        if (computable(p, t, g->user[e]))
            return true;
    return false;
}

static bool inputs_possible(const propagation *p, int t, int i)
{
    const graph *g = p->g;
    for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++)
        if (!has_bits(p, t, g->input[q], MASK_R | MASK_C | MASK_P))
            return false;
    return true;
}

/* Bits of cell (t,i) that have the things the rules ask for: a source, and the inputs of a
 * computation. */
static uint8_t possible_bits(const propagation *p, int t, int i)
{
    bool first = t == i + 1;
    uint8_t bits = MASK_ALL;
    if (!first && !has_bits(p, t - 1, i, MASK_C | MASK_R))
        bits &= (uint8_t)~MASK_C;
    if (first || !has_bits(p, t - 1, i, MASK_P | MASK_IN))
        bits &= (uint8_t)~MASK_P;
    if (!inputs_possible(p, t, i))
        bits &= (uint8_t)~MASK_R;
    if (!has_bits(p, t, i, MASK_C | MASK_P))
        bits &= (uint8_t)~MASK_OUT;
    if (has_bits(p, t, i, MASK_P | MASK_IN) && p->first_out[i] >= t)
        bits &= (uint8_t) ~(MASK_P | MASK_IN);
    return bits;
}

/* Bits of cell (t,i) that are of use to a canonical schedule. */
static uint8_t useful_bits(const propagation *p, int t, int i)
{
    uint8_t bits = MASK_ALL;
    const bool used = usable(p, t, i), kept = has_bits(p, t + 1, i, MASK_C | MASK_P);
    if (!used && !has_bits(p, t + 1, i, MASK_C))
        bits &= (uint8_t)~MASK_R;
    if (!has_bits(p, t + 1, i, MASK_P) || !usable(p, t + 1, i))
        bits &= (uint8_t)~MASK_IN;
    if (!has_bits(p, t, i, MASK_C) || (t > i + 1 && !has_bits(p, t - 1, i, MASK_R)) ||
        (has_bits(p, t, i, MASK_OUT) && p->last_in[i] <= t))
        bits &= (uint8_t)~MASK_OUT;
    if (!used && !kept && !has_bits(p, t, i, MASK_OUT))
        bits &= (uint8_t) ~(MASK_C | MASK_P);
    return bits;
}

static uint8_t supported_bits(const propagation *p, int t, int i)
{
    return possible_bits(p, t, i) & (p->canonical ? useful_bits(p, t, i) : MASK_ALL);
}

static uint64_t *due_in(const propagation *p, int t)
{
    return p->due + (size_t)t * (size_t)bits_words(p->g->n);
}

/* Where anything is left in cell (t,i), which may lie outside. */
static void queue_cell(propagation *p, int t, int i)
{
    if (!has_bits(p, t, i, MASK_ALL))
        return;
    bits_add(due_in(p, t), i);
    p->stage_due[t] = true;
}

/* The first stage from `t` on, or the last one down from it, with one of the bits for i. */
static int next_with(const propagation *p, int t, int i, uint8_t bits, int step)
{
    const int from = t;
    while (t > i && t < p->g->n && !has_bits(p, t, i, bits))
        t += step;
    base_work((size_t)abs(t - from));
    return t > i ? t : -1;
}

/* Cell (t,i) has lost these bits: all cells that may have rested on them. */
static void queue_dependents(propagation *p, int t, int i, uint8_t lost)
{
    const graph *g = p->g;
    for (int s = t - 1; s <= t + 1; s++)
        queue_cell(p, s, i);
    if (lost & (MASK_R | MASK_C | MASK_P)) {
        base_work((size_t)(g->user_start[i + 1] - g->user_start[i]));
        for (int e = g->user_start[i]; e < g->user_start[i + 1] && g->user[e] < t; e++)
            queue_cell(p, t, g->user[e]);
    }
    if (lost & MASK_R)
        for (int q = g->input_start[i]; q < g->input_start[i + 1]; q++) {
            queue_cell(p, t, g->input[q]);
            queue_cell(p, t - 1, g->input[q]);
        }
    if ((lost & MASK_OUT) && t == p->first_out[i]) {
        p->first_out[i] = next_with(p, t, i, MASK_OUT, 1);
        for (int s = t + 1; s <= p->first_out[i]; s++)
            queue_cell(p, s, i);
    }
    if ((lost & MASK_IN) && t == p->last_in[i]) {
        p->last_in[i] = next_with(p, t, i, MASK_IN, -1);
        for (int s = t - 1; s >= p->last_in[i]; s--)
            queue_cell(p, s, i);
    }
}

static long propagate_cell(propagation *p, int t, int i)
{
    uint8_t *cell = &p->mask[(size_t)t * (size_t)p->g->n + (size_t)i];
    const uint8_t lost = *cell & (uint8_t)~supported_bits(p, t, i);
    base_work(20);
    if (lost == 0)
        return 0;
    *cell ^= lost;
    queue_dependents(p, t, i, lost);
    return __builtin_popcount(lost);
}

/* Until nothing is due in it. */
static long propagate_stage(propagation *p, int t)
{
    uint64_t *due = due_in(p, t);
    long removed = 0;
    while (p->stage_due[t]) {
        p->stage_due[t] = false;
        base_work((size_t)bits_words(t));
        for (int w = 0; w < bits_words(t); w++)
            while (due[w]) {
                const int i = 64 * w + __builtin_ctzll(due[w]);
                bits_remove(due, i);
                removed += propagate_cell(p, t, i);
            }
    }
    return removed;
}

/* All cells that are there are due. */
static void begin(propagation *p)
{
    const int n = p->g->n;
    for (int i = 0; i < n; i++) {
        p->first_out[i] = next_with(p, i + 1, i, MASK_OUT, 1);
        p->last_in[i] = next_with(p, n - 1, i, MASK_IN, -1);
    }
    for (int t = 0; t < n; t++)
        for (int i = 0; i < t; i++)
            queue_cell(p, t, i);
}

long formulation_mask_propagate(const problem *instance, unsigned features, uint8_t *mask)
{
    /* Without the split by origin C stands for residency of either kind, and these rules do not
     * apply. */
    if (!(features & FORMULATION_ORIGIN))
        return 0;
    const size_t n = (size_t)instance->graph->n;
    int *stages = base_malloc(2 * n, sizeof *stages);
    propagation p = {.g = instance->graph,
                     .canonical = features & FORMULATION_CANONICAL,
                     .mask = mask,
                     .due = base_calloc(n * (size_t)bits_words((int)n), sizeof *p.due),
                     .stage_due = base_calloc(n, sizeof *p.stage_due),
                     .first_out = stages,
                     .last_in = stages + n};
    begin(&p);
    long removed = 0, now;
    do {
        now = 0;
        for (int t = 0; t < (int)n; t++)
            now += propagate_stage(&p, t);
        for (int t = (int)n - 1; t >= 0; t--)
            now += propagate_stage(&p, t);
        removed += now;
    } while (now != 0);
    base_free_all(p.due, p.stage_due, stages);
    return removed;
}
