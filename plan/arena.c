/* Static addresses: every buffer gets an offset such that buffers whose lives meet do not
 * overlap, in an arena as small as possible (dynamic storage allocation, NP-hard; the load
 * is a lower bound). Buffers are placed one after the other, each at the lowest offset where
 * it fits; what matters is the order. Tried are some fixed orders and then, "squeaky wheel"
 * (Joslin and Clements, JAIR 10, 1999), orders in which the buffers that stick out of the
 * goal move to the front; where that ends above the budget, plan/arena_fit.c goes on. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "plan/draft.h"

typedef struct placed {
    int buffer;
    int64_t offset, end;
} placed;

typedef struct arena {
    const draft *d;
    int count;
    int64_t *offset, *best_offset; /* extent count */
    int64_t best;
    double *priority; /* higher comes first; extent count */
    int *order;
    placed *list;            /* those placed so far, by offset */
    int64_t work, most_work; /* comparisons so far, and in all */
} arena;

static int64_t size_of(const arena *a, int b)
{
    return draft_bytes(a->d, b);
}

static bool lives_meet(const draft_buffer *x, const draft_buffer *y)
{
    return x->birth < y->death && y->birth < x->death;
}

/* Lowest offset at which b overlaps no placed buffer that lives at the same time. */
static int64_t lowest_fit(arena *a, int used, int b)
{
    const draft_buffer *buffer = &a->d->buffer[b];
    const int64_t bytes = size_of(a, b);
    int64_t at = 0;
    for (int k = 0; k < used && a->list[k].offset < at + bytes; k++)
        if (a->list[k].end > at && lives_meet(buffer, &a->d->buffer[a->list[k].buffer]))
            at = a->list[k].end;
    a->work += used;
    return at;
}

static void insert(arena *a, int used, int b, int64_t offset)
{
    int k = used;
    for (; k > 0 && a->list[k - 1].offset > offset; k--)
        a->list[k] = a->list[k - 1];
    a->list[k] = (placed){.buffer = b, .offset = offset, .end = offset + size_of(a, b)};
}

/* Places all in a->order; returns the arena and keeps the best. */
static int64_t place_all(arena *a)
{
    int64_t top = 0;
    int used = 0;
    for (int k = 0; k < a->count; k++) {
        const int b = a->order[k];
        a->offset[b] = 0;
        if (size_of(a, b) == 0)
            continue;
        a->offset[b] = lowest_fit(a, used, b);
        insert(a, used++, b, a->offset[b]);
        if (a->offset[b] + size_of(a, b) > top)
            top = a->offset[b] + size_of(a, b);
    }
    if (top < a->best) {
        a->best = top;
        for (int b = 0; b < a->count; b++)
            a->best_offset[b] = a->offset[b];
    }
    return top;
}

static _Thread_local const double *compared_priority; /* of the qsort under way */

static int compare_priority(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    if (compared_priority[x] != compared_priority[y])
        return compared_priority[x] > compared_priority[y] ? -1 : 1;
    return (x > y) - (x < y);
}

static void sort_order(arena *a)
{
    for (int b = 0; b < a->count; b++)
        a->order[b] = b;
    compared_priority = a->priority;
    qsort(a->order, (size_t)a->count, sizeof *a->order, compare_priority);
}

/* The fixed orders: largest, largest area, earliest, longest, and the largest of those that
 * live when memory is fullest. */
enum { FIXED_ORDERS = 5 };

static double fixed_priority(const arena *a, int order, int b)
{
    const draft_buffer *x = &a->d->buffer[b];
    const double bytes = (double)size_of(a, b);
    int64_t fullest = 0;
    switch (order) {
    case 0:
        return bytes;
    case 1:
        return bytes * (x->death - x->birth);
    case 2:
        return -x->birth;
    case 3:
        return x->death - x->birth;
    default:
        for (int c = x->birth; c < x->death; c++)
            fullest = a->d->load[c] > fullest ? a->d->load[c] : fullest;
        return (double)fullest + 1e-3 * bytes;
    }
}

static bool done(const arena *a, int64_t goal, const base_limits *limits)
{
    return a->best <= goal || a->work > a->most_work || base_limits_check(limits) != BASE_GO;
}

/* From the order of the priorities on: whoever ends above the goal gains, and a little
 * noise breaks cycles. Restarts from one of the fixed orders now and then. */
static void squeak(arena *a, int64_t goal, const base_limits *limits)
{
    enum { ROUNDS = 60 };
    base_rng rng = {.state = 1};
    for (int start = 0; !done(a, goal, limits); start++) {
        double span = 0;
        for (int b = 0; b < a->count; b++) {
            a->priority[b] = fixed_priority(a, start % FIXED_ORDERS, b);
            double size = a->priority[b] < 0 ? -a->priority[b] : a->priority[b];
            span = size > span ? size : span;
        }
        for (int round = 0; round < ROUNDS && !done(a, goal, limits); round++) {
            sort_order(a);
            place_all(a);
            for (int b = 0; b < a->count; b++) {
                bool out = size_of(a, b) > 0 && a->offset[b] + size_of(a, b) > goal;
                a->priority[b] +=
                    span * (out ? 0.3 + 0.4 * base_rng_double(&rng) : 0.02 * base_rng_double(&rng));
            }
        }
    }
}

/* From the best there is to one within cap, if it is found. */
static void fit(arena *a, int64_t cap, int64_t work, const base_limits *limits)
{
    memcpy(a->offset, a->best_offset, (size_t)a->count * sizeof *a->offset);
    if (!arena_fit(a->d, a->offset, cap, work, limits))
        return;
    memcpy(a->best_offset, a->offset, (size_t)a->count * sizeof *a->offset);
    a->best = 0;
    for (int b = 0; b < a->count; b++)
        if (size_of(a, b) > 0 && a->offset[b] + size_of(a, b) > a->best)
            a->best = a->offset[b] + size_of(a, b);
}

/* Within the budget, or half as far above it, and so on. */
static void keep_within_budget(arena *a, int64_t work, const base_limits *limits)
{
    enum { CAPS = 4 };
    const int64_t budget = a->d->budget;
    if (draft_peak(a->d) > budget)
        return;
    int64_t cap = budget;
    for (int k = 0; k < CAPS && a->best > budget; k++) {
        fit(a, cap, k == 0 ? 3 * work : work / 2, limits);
        cap = a->best <= cap ? (budget + a->best) / 2 : (cap + a->best) / 2;
    }
}

int64_t arena_assign(draft *d, int64_t goal, int64_t work, const base_limits *limits)
{
    const size_t count = (size_t)d->buffer_count;
    arena a = {.d = d,
               .count = d->buffer_count,
               .offset = base_calloc(count, sizeof *a.offset),
               .best_offset = base_calloc(count, sizeof *a.best_offset),
               .best = INT64_MAX,
               .most_work = work,
               .priority = base_calloc(count, sizeof *a.priority),
               .order = base_calloc(count, sizeof *a.order),
               .list = base_calloc(count, sizeof *a.list)};
    for (int k = 0; k < FIXED_ORDERS && a.best > goal; k++) {
        for (int b = 0; b < a.count; b++)
            a.priority[b] = fixed_priority(&a, k, b);
        sort_order(&a);
        place_all(&a);
    }
    squeak(&a, goal, limits);
    keep_within_budget(&a, work, limits);
    for (int b = 0; b < a.count; b++)
        d->buffer[b].offset = a.best_offset[b];
    base_free(a.offset);
    base_free(a.best_offset);
    base_free(a.priority);
    base_free(a.order);
    base_free(a.list);
    assert(a.best >= draft_peak(d));
    return a.best;
}
