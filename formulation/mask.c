/* Masks: all cells that the rules allow, or only cells near the uses of each tensor. */
#include "formulation/formulation.h"

#include <string.h>

const uint8_t formulation_kind_bit[CELL_KINDS] = {MASK_R, MASK_C, MASK_P, MASK_IN, MASK_OUT};

/* Last stage at which cells of i may exist. */
static int last_stage(const graph *g, unsigned features, int i)
{
    return features & FORMULATION_REACH ? g->reach[i] : g->n - 1;
}

uint8_t *formulation_mask_full(const problem *p, unsigned features)
{
    const graph *g = p->graph;
    size_t n = (size_t)g->n;
    features = formulation_consistent(features);
    const bool canonical = features & FORMULATION_CANONICAL;
    uint8_t *mask = base_calloc(n * n, 1);
    int64_t *bytes = base_malloc(2 * n, sizeof *bytes);
    formulation_round_memory(p, features, bytes, bytes + n);
    for (int i = 0; i < g->n; i++) {
        int end = last_stage(g, features, i);
        const bool remat = problem_may_recompute(p, i), paging = problem_may_page(p, i);
        base_work(2 * (size_t)(end - i));
        for (int t = i + 1; t <= end; t++) {
            uint8_t bits = MASK_C;
            if (remat)
                bits |= MASK_R;
            if (paging)
                bits |= MASK_OUT;
            /* Out in i+1 at the earliest, In a stage later, in RAM one more later. */
            if (paging && t >= i + 2 && (t < end || !canonical))
                bits |= MASK_IN;
            if (paging && t >= i + 3)
                bits |= MASK_P;
            /* A tensor of 0 bytes is kept from its first computation on, and never paged in. */
            if ((features & FORMULATION_ROUND) && canonical && bytes[i] == 0)
                bits = MASK_C;
            mask[(size_t)t * n + (size_t)i] = bits;
        }
    }
    base_free(bytes);
    return mask;
}

/* Marks in stage[] the uses of i: nodes that read i, or read a tensor computed from i through at
 * most `depth` forward nodes. level[] is scratch, all -1 on entry and exit. */
static void mark_uses(const graph *g, int i, int depth, uint8_t *stage, int *level, int *queue)
{
    int head = 0, tail = 0;
    queue[tail++] = i;
    level[i] = 0;
    while (head < tail) {
        int v = queue[head++];
        for (int e = g->user_start[v]; e < g->user_start[v + 1]; e++) {
            int k = g->user[e];
            stage[k] = 1;
            if (!g->backward[k] && level[k] < 0 && level[v] < depth) {
                level[k] = level[v] + 1;
                queue[tail++] = k;
            }
        }
    }
    while (tail > 0)
        level[queue[--tail]] = -1;
}

uint8_t *formulation_mask_windows(const problem *p, unsigned features, int before, int depth)
{
    const graph *g = p->graph;
    int n = g->n;
    uint8_t *mask = formulation_mask_full(p, features);
    uint8_t *stage = base_malloc((size_t)n, 1);
    int *level = base_malloc((size_t)n, sizeof *level);
    int *queue = base_malloc((size_t)n, sizeof *queue);
    for (int i = 0; i < n; i++)
        level[i] = -1;
    for (int i = 0; i < n; i++) {
        base_work(2 * (size_t)n);
        memset(stage, 0, (size_t)n);
        mark_uses(g, i, depth, stage, level, queue);
        int next = n; /* the next use at or after t */
        for (int t = n - 1; t > i; t--) {
            if (stage[t])
                next = t;
            uint8_t *cell = &mask[(size_t)t * (size_t)n + (size_t)i];
            if (next - t > before)
                *cell &= (uint8_t) ~(MASK_R | MASK_IN);
            if (t > i + 1)
                *cell &= (uint8_t)~MASK_OUT;
        }
    }
    base_free_all(queue, level, stage);
    return mask;
}
