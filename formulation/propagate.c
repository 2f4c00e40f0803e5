/* Cells without what they need, a source or a use, fall from a mask, until none is left: (h) and
 * (l) of docs/formulation.md, section 3. */
#include "formulation/formulation.h"

typedef struct propagation {
    const graph *g;
    bool canonical;
    uint8_t *mask;
} propagation;

static bool has(const propagation *p, int t, int i, uint8_t bits)
{
    return i < t && t < p->g->n && (p->mask[(size_t)t * (size_t)p->g->n + (size_t)i] & bits);
}

static bool computable(const propagation *p, int t, int i)
{
    return i == t || has(p, t, i, MASK_R);
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
        if (!has(p, t, g->input[q], MASK_R | MASK_C | MASK_P))
            return false;
    return true;
}

/* Something may be paged out before stage t. */
static bool storable(const propagation *p, int t, int i)
{
    for (int s = i + 1; s < t; s++)
        if (has(p, s, i, MASK_OUT))
            return true;
    return false;
}

/* Something may be paged in after stage t. */
static bool retrievable(const propagation *p, int t, int i)
{
    for (int s = t + 1; s < p->g->n; s++)
        if (has(p, s, i, MASK_IN))
            return true;
    return false;
}

/* Bits of cell (t,i) for which there is what the rules ask: a source, and the inputs of what is
 * computed. */
static uint8_t possible(const propagation *p, int t, int i)
{
    bool first = t == i + 1;
    uint8_t bits = MASK_ALL;
    if (!first && !has(p, t - 1, i, MASK_C | MASK_R))
        bits &= (uint8_t)~MASK_C;
    if (first || !has(p, t - 1, i, MASK_P | MASK_IN))
        bits &= (uint8_t)~MASK_P;
    if (!inputs_possible(p, t, i))
        bits &= (uint8_t)~MASK_R;
    if (!has(p, t, i, MASK_C | MASK_P))
        bits &= (uint8_t)~MASK_OUT;
    if (has(p, t, i, MASK_P | MASK_IN) && !storable(p, t, i))
        bits &= (uint8_t) ~(MASK_P | MASK_IN);
    return bits;
}

/* Bits of cell (t,i) that are of use to a canonical schedule. */
static uint8_t useful(const propagation *p, int t, int i)
{
    uint8_t bits = MASK_ALL;
    const bool used = usable(p, t, i), kept = has(p, t + 1, i, MASK_C | MASK_P);
    if (!used && !has(p, t + 1, i, MASK_C))
        bits &= (uint8_t)~MASK_R;
    if (!has(p, t + 1, i, MASK_P) || !usable(p, t + 1, i))
        bits &= (uint8_t)~MASK_IN;
    if (!has(p, t, i, MASK_C) || (t > i + 1 && !has(p, t - 1, i, MASK_R)) ||
        (has(p, t, i, MASK_OUT) && !retrievable(p, t, i)))
        bits &= (uint8_t)~MASK_OUT;
    if (!used && !kept && !has(p, t, i, MASK_OUT))
        bits &= (uint8_t) ~(MASK_C | MASK_P);
    return bits;
}

static uint8_t supported(const propagation *p, int t, int i)
{
    return possible(p, t, i) & (p->canonical ? useful(p, t, i) : MASK_ALL);
}

long formulation_mask_propagate(const problem *instance, unsigned features, uint8_t *mask)
{
    /* Without the split by origin C stands for residency of either kind, which these rules do not
     * know. */
    if (!(features & FORMULATION_ORIGIN))
        return 0;
    propagation p = {instance->graph, features & FORMULATION_CANONICAL, mask};
    int n = p.g->n;
    long removed = 0, now = -1;
    while (now != 0) {
        now = 0;
        for (int backward = 0; backward < 2; backward++)
            for (int step = 0; step < n; step++) {
                int t = backward ? n - 1 - step : step;
                base_work(20 * (size_t)t);
                for (int i = 0; i < t; i++) {
                    uint8_t *cell = &mask[(size_t)t * (size_t)n + (size_t)i];
                    uint8_t left = *cell & supported(&p, t, i);
                    now += __builtin_popcount(*cell ^ left);
                    *cell = left;
                }
            }
        removed += now;
    }
    return removed;
}
