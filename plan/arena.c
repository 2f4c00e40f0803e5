/* Births and deaths of buffers in the order of time: load and sections. Addresses by the cheapest
 * method that finds them: greedy orders, in which each buffer gets the lowest offset that fits (as
 * in the planners of TFLite), then the exact search. */
#include "plan/arena.h"

#include <stdlib.h>
#include <string.h>

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- time ---------------------------------------------------------------------------------- */

/* A birth or a death. */
typedef struct event {
    int time;
    bool birth;
    int buffer;
} event;

/* Order of events: deaths before births of the same time. */
static int compare_event(const void *a, const void *b)
{
    const event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->birth != y->birth)
        return x->birth ? 1 : -1;
    return (x->buffer > y->buffer) - (x->buffer < y->buffer);
}

/* Events of the buffers with bytes, in the order of time; a fresh block. */
static event *list_events(const arena_buffer *buffer, int count, int *events)
{
    event *list = base_malloc(2 * (size_t)count + 1, sizeof *list);
    *events = 0;
    for (int b = 0; b < count; b++) {
        if (buffer[b].bytes == 0)
            continue;
        list[(*events)++] = (event){.time = buffer[b].birth, .birth = true, .buffer = b};
        list[(*events)++] = (event){.time = buffer[b].death, .birth = false, .buffer = b};
    }
    qsort(list, (size_t)*events, sizeof *list, compare_event);
    return list;
}

int64_t arena_load(const arena_buffer *buffer, int count)
{
    int events;
    event *list = list_events(buffer, count, &events);
    int64_t load = 0, most = 0;
    for (int k = 0; k < events; k++) {
        const int64_t bytes = buffer[list[k].buffer].bytes;
        load += list[k].birth ? bytes : -bytes;
        most = larger(load, most);
    }
    base_free(list);
    return most;
}

int arena_sections(const arena_buffer *buffer, int count, int *first, int *last)
{
    int events, sections = 0;
    event *list = list_events(buffer, count, &events);
    for (int k = 0; k < events; k++) {
        if (list[k].birth)
            first[list[k].buffer] = sections;
        else {
            if (list[k - 1].birth)
                sections++;
            last[list[k].buffer] = sections - 1;
        }
    }
    base_free(list);
    return sections;
}

/* ---- greedy orders ------------------------------------------------------------------------- */

typedef struct placed {
    int buffer;
    int64_t offset, end;
} placed;

typedef struct greedy {
    const arena_buffer *buffer;
    int count;
    placed *list;     /* placed buffers, by offset; extent count */
    double *priority; /* extent count */
    int *order;       /* largest priority first; extent count */
    int64_t *offset;  /* extent count */
    int64_t *effort;
} greedy;

static bool lives_meet(const arena_buffer *x, const arena_buffer *y)
{
    return x->birth < y->death && y->birth < x->death;
}

/* Lowest offset at which b overlaps no placed buffer that lives at the same time. */
static int64_t lowest_fit(greedy *g, int used, int b)
{
    const arena_buffer *x = &g->buffer[b];
    int64_t at = 0;
    int k = 0;
    for (; k < used && g->list[k].offset < at + x->bytes; k++)
        if (g->list[k].end > at && lives_meet(x, &g->buffer[g->list[k].buffer]))
            at = g->list[k].end;
    *g->effort -= k;
    return at;
}

static void insert(greedy *g, int used, int b, int64_t offset)
{
    int at = used;
    for (; at > 0 && g->list[at - 1].offset > offset; at--)
        g->list[at] = g->list[at - 1];
    g->list[at] = (placed){.buffer = b, .offset = offset, .end = offset + g->buffer[b].bytes};
    *g->effort -= (used - at) / 2;
}

/* Places all in their order; returns the arena. */
static int64_t place_all(greedy *g)
{
    int64_t top = 0;
    int used = 0;
    for (int k = 0; k < g->count; k++) {
        const int b = g->order[k];
        g->offset[b] = 0;
        if (g->buffer[b].bytes == 0)
            continue;
        g->offset[b] = lowest_fit(g, used, b);
        insert(g, used++, b, g->offset[b]);
        top = larger(top, g->offset[b] + g->buffer[b].bytes);
    }
    return top;
}

static _Thread_local const double *compared; /* priorities for the running qsort */

static int compare_priority(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    if (compared[x] != compared[y])
        return compared[x] > compared[y] ? -1 : 1;
    return (x > y) - (x < y);
}

/* By size, by area, by birth, by length of life. */
enum { GREEDY_ORDERS = 4 };

static double greedy_priority(const arena_buffer *x, int order)
{
    const double life = (double)x->death - x->birth, bytes = (double)x->bytes;
    switch (order) {
    case 0:
        return bytes;
    case 1:
        return bytes * life;
    case 2:
        return -x->birth;
    default:
        return life;
    }
}

/* Tries the orders while effort is left; keeps the smallest arena and returns it. */
static int64_t assign_greedily(const arena_buffer *buffer, int count, int64_t goal, int64_t *offset,
                               int64_t *effort)
{
    const size_t extent = (size_t)count;
    greedy g = {.buffer = buffer,
                .count = count,
                .list = base_malloc(extent, sizeof *g.list),
                .priority = base_malloc(extent, sizeof *g.priority),
                .order = base_malloc(extent, sizeof *g.order),
                .offset = base_malloc(extent, sizeof *g.offset),
                .effort = effort};
    int64_t best = INT64_MAX;
    for (int k = 0; k < GREEDY_ORDERS && best > goal && (k == 0 || *effort > 0); k++) {
        for (int b = 0; b < count; b++) {
            g.order[b] = b;
            g.priority[b] = greedy_priority(&buffer[b], k);
        }
        compared = g.priority;
        qsort(g.order, extent, sizeof *g.order, compare_priority);
        const int64_t arena = place_all(&g);
        if (arena >= best)
            continue;
        best = arena;
        memcpy(offset, g.offset, extent * sizeof *offset);
    }
    base_free_all(g.list, g.priority, g.order, g.offset);
    return best;
}

arena_answer arena_assign(const arena_buffer *buffer, int count, int64_t cap, int64_t *offset,
                          int64_t *effort)
{
    enum { SHARE = 8 }; /* part of the effort for an arena of the load, where cap is larger */
    const int64_t load = arena_load(buffer, count);
    const int64_t arena = assign_greedily(buffer, count, load, offset, effort);
    if (load > cap)
        return ARENA_IMPOSSIBLE;
    if (arena == load)
        return ARENA_FITS;
    if (load < cap) {
        const int64_t share = *effort / SHARE;
        int64_t left = share;
        const arena_answer answer = arena_search(buffer, count, load, offset, &left);
        *effort -= share - left;
        if (answer == ARENA_FITS || arena <= cap)
            return ARENA_FITS;
    }
    return arena_search(buffer, count, cap, offset, effort);
}
