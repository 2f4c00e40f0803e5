/* Buffers that end above a limit find a place below it: each takes the one where what lies there
 * weighs least, and those that lay there look for one in turn. Who is turned out gains weight, so
 * that no two turn each other out for ever (breakout; Morris, AAAI 1993). */
#include <assert.h>
#include <string.h>

#include "plan/draft.h"

/* By which a buffer gains weight each time, of its bytes. */
static const double HEAVIER = 0.2;

/* A placed buffer in the order of offsets or of ends. */
typedef struct place {
    int64_t at; /* its offset or its end */
    int buffer;
} place;

typedef struct fitting {
    const draft *d;
    int64_t cap;
    int64_t *offset;     /* of the buffers, extent buffer_count */
    double *weight;      /* extent buffer_count */
    place *by_offset;    /* the placed ones, ascending */
    place *by_end;       /* the same */
    int placed;          /* how many */
    int *waiting, waits; /* those without a place */
    place *near_offset;  /* of those, who lives when one that looks for a place does */
    place *near_end;     /* the same */
    int64_t work;        /* comparisons so far */
    base_rng rng;
} fitting;

static bool lives_meet(const draft_buffer *x, const draft_buffer *y)
{
    return x->birth < y->death && y->birth < x->death;
}

/* ---- the placed ones ------------------------------------------------------------------ */

/* First place with at least that, or behind it: the buffer itself. */
static int find(const place *list, int count, int64_t at)
{
    int low = 0, high = count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (list[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void enter(place *list, int count, int64_t at, int buffer)
{
    const int k = find(list, count, at);
    memmove(&list[k + 1], &list[k], (size_t)(count - k) * sizeof *list);
    list[k] = (place){.at = at, .buffer = buffer};
}

static void leave(place *list, int count, int64_t at, int buffer)
{
    int k = find(list, count, at);
    while (list[k].buffer != buffer)
        k++;
    assert(k < count);
    memmove(&list[k], &list[k + 1], (size_t)(count - k - 1) * sizeof *list);
}

static void put(fitting *f, int b, int64_t offset)
{
    f->offset[b] = offset;
    enter(f->by_offset, f->placed, offset, b);
    enter(f->by_end, f->placed, offset + draft_bytes(f->d, b), b);
    f->placed++;
}

static void turn_out(fitting *f, int b)
{
    leave(f->by_offset, f->placed, f->offset[b], b);
    leave(f->by_end, f->placed, f->offset[b] + draft_bytes(f->d, b), b);
    f->placed--;
    f->waiting[f->waits++] = b;
    f->weight[b] += HEAVIER * (double)draft_bytes(f->d, b);
}

/* ---- a place for one ------------------------------------------------------------------- */

/* Those of a list that live when b does, in its order. */
static int filter(fitting *f, int b, const place *list, place *near)
{
    const draft_buffer *x = &f->d->buffer[b];
    int count = 0;
    for (int k = 0; k < f->placed; k++) {
        near[count] = list[k];
        count += lives_meet(x, &f->d->buffer[list[k].buffer]);
    }
    f->work += f->placed;
    return count;
}

typedef struct choice {
    int64_t offset;
    double weight;
    int equals; /* so far */
} choice;

/* A buffer of so many bytes at an offset; equal ones are drawn from. */
static void consider(fitting *f, choice *best, int64_t offset, int64_t bytes, double weight)
{
    if (offset < 0 || offset + bytes > f->cap || weight > best->weight)
        return;
    best->equals = weight < best->weight ? 1 : best->equals + 1;
    if (base_rng_below(&f->rng, (uint64_t)best->equals) == 0) {
        best->weight = weight;
        best->offset = offset;
    }
}

/* Offsets where b would lie behind one of its neighbours, or before one, ascending: those that
 * begin before its end and do not end before it are in its way. */
static choice choose(fitting *f, int b, int count)
{
    const int64_t bytes = draft_bytes(f->d, b);
    choice best = {.offset = -1, .weight = 1e300};
    for (int before = 0; before < 2; before++) {
        const place *at = before ? f->near_offset : f->near_end;
        double begun = 0, ended = 0;
        int o = 0, e = 0;
        for (int k = before ? 0 : -1; k < count; k++) {
            const int64_t offset = k < 0 ? 0 : before ? at[k].at - bytes : at[k].at;
            for (; o < count && f->near_offset[o].at < offset + bytes; o++)
                begun += f->weight[f->near_offset[o].buffer];
            for (; e < count && f->near_end[e].at <= offset; e++)
                ended += f->weight[f->near_end[e].buffer];
            consider(f, &best, offset, bytes, begun - ended);
        }
    }
    f->work += 4 * count;
    return best;
}

static bool settle(fitting *f, int b)
{
    const int64_t bytes = draft_bytes(f->d, b);
    const int count = filter(f, b, f->by_offset, f->near_offset);
    filter(f, b, f->by_end, f->near_end);
    const choice best = choose(f, b, count);
    if (best.offset < 0)
        return false;
    for (int k = 0; k < count && f->near_offset[k].at < best.offset + bytes; k++) {
        const int c = f->near_offset[k].buffer;
        if (f->offset[c] + draft_bytes(f->d, c) > best.offset)
            turn_out(f, c);
    }
    put(f, b, best.offset);
    return true;
}

bool arena_fit(const draft *d, int64_t *offset, int64_t cap, int64_t work,
               const base_limits *limits)
{
    const size_t count = (size_t)d->buffer_count;
    fitting f = {.d = d,
                 .cap = cap,
                 .offset = offset,
                 .weight = base_malloc(count, sizeof *f.weight),
                 .by_offset = base_malloc(count, sizeof *f.by_offset),
                 .by_end = base_malloc(count, sizeof *f.by_end),
                 .waiting = base_malloc(count, sizeof *f.waiting),
                 .near_offset = base_malloc(count + 1, sizeof *f.near_offset),
                 .near_end = base_malloc(count + 1, sizeof *f.near_end),
                 .rng = {.state = 1}};
    for (int b = 0; b < d->buffer_count; b++) {
        const int64_t bytes = draft_bytes(d, b);
        f.weight[b] = (double)bytes;
        if (bytes > 0 && offset[b] + bytes <= cap)
            put(&f, b, offset[b]);
        else if (bytes > 0)
            f.waiting[f.waits++] = b;
    }
    bool fits = true;
    while (fits && f.waits > 0 && f.work < work && base_limits_check(limits) == BASE_GO) {
        const int k = (int)base_rng_below(&f.rng, (uint64_t)f.waits), b = f.waiting[k];
        f.waiting[k] = f.waiting[--f.waits];
        fits = settle(&f, b);
    }
    fits = fits && f.waits == 0;
    base_free(f.weight);
    base_free(f.by_offset);
    base_free(f.by_end);
    base_free(f.waiting);
    base_free(f.near_offset);
    base_free(f.near_end);
    return fits;
}
