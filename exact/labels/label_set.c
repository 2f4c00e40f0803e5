/* The labels of a label search: storage, dominance, and the choice of the best. */
#include "exact/labels/label_set.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 2000 }; /* labels looked at to choose the items of signatures, about */
enum { BLOCK = 32 };     /* signatures compared at a time */

static int words(const graph *g)
{
    return g->n / 64 + 1;
}

size_t label_bytes(const graph *g)
{
    return sizeof(label) + LABEL_KINDS * (size_t)words(g) * sizeof(uint64_t);
}

label_set label_set_open(const graph *g)
{
    label_set s = {.g = g, .words = words(g), .stride = label_bytes(g), .least_dropped = INFINITY};
    s.capacity = 64;
    s.row = base_calloc((size_t)s.capacity, s.stride);
    s.spare = base_calloc((size_t)s.capacity, s.stride);
    s.often = base_malloc((size_t)g->n, sizeof *s.often);
    s.count = 1;
    return s;
}

void label_set_close(label_set *s)
{
    base_free_all(s->row, s->spare, s->often);
}

label *label_set_copy(label_set *s, long a)
{
    if (s->count == s->capacity) {
        s->row = base_realloc(s->row, 2 * (size_t)s->capacity, s->stride);
        s->spare = base_realloc(s->spare, 2 * (size_t)s->capacity, s->stride);
        s->capacity *= 2;
    }
    label *l = label_at(s, s->count++);
    memcpy(l, label_at(s, a), s->stride);
    base_work(s->stride / 8);
    return l;
}

void label_set_clean(label_set *s, double cutoff)
{
    long kept = 0;
    for (long a = 0; a < s->count; a++) {
        const label *l = label_at(s, a);
        if (l->dead || label_bound(l) >= cutoff)
            continue;
        if (kept != a)
            memcpy(label_at(s, kept), l, s->stride);
        kept++;
    }
    base_work((size_t)s->count);
    s->count = kept;
}

/* ---- order --------------------------------------------------------------------- */

int label_place_compare(const void *a, const void *b)
{
    const label_place *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static double cost_of(const label *l)
{
    return l->cost;
}

/* Orders the labels by a key, equal ones as they stand. */
static void order(label_set *s, double (*key)(const label *))
{
    label_place *p = base_malloc((size_t)s->count + 1, sizeof *p);
    for (long a = 0; a < s->count; a++)
        p[a] = (label_place){key(label_at(s, a)), a};
    qsort(p, (size_t)s->count, sizeof *p, label_place_compare);
    for (long a = 0; a < s->count; a++)
        memcpy(s->spare + (size_t)a * s->stride, label_at(s, p[a].at), s->stride);
    char *row = s->row;
    s->row = s->spare;
    s->spare = row;
    base_free(p);
    base_work((size_t)s->count * (60 + s->stride / 8));
}

long label_set_lead(label_set *s, long most)
{
    order(s, label_bound);
    return s->count < most ? s->count : most;
}

void label_set_cut(label_set *s, long most)
{
    if (s->count <= most)
        return;
    order(s, label_bound);
    s->least_dropped = fmin(s->least_dropped, label_bound(label_at(s, most)));
    s->count = most;
}

/* ---- dominance ------------------------------------------------------------------- */

static bool is_subset(const label_set *s, const label *x, const label *y, label_kind kind)
{
    const size_t from = (size_t)kind * (size_t)s->words;
    for (size_t k = from; k < from + (size_t)s->words; k++)
        if (x->bits[k] & ~y->bits[k])
            return false;
    return true;
}

/* Joules that x would pay for the page-outs that only y has paid. */
static double unpaid(const label_set *s, const label *x, const label *y)
{
    const size_t from = (size_t)LABEL_STORED * (size_t)s->words;
    double joules = 0;
    for (int k = 0; k < s->words; k++)
        for (uint64_t left = y->bits[from + (size_t)k] & ~x->bits[from + (size_t)k]; left;
             left &= left - 1)
            joules += s->g->pageout_joules[64 * k + __builtin_ctzll(left)];
    return joules;
}

static bool dominates(const label_set *s, const label *x, const label *y)
{
    return x->cost <= y->cost && x->distance <= y->distance && is_subset(s, x, y, LABEL_WANTED) &&
           is_subset(s, x, y, LABEL_OWED) && is_subset(s, x, y, LABEL_PAGED) &&
           x->cost + unpaid(s, x, y) <= y->cost;
}

/* Chooses up to 64 tensors that are wanted in about half of the labels; returns their number. */
static int choose_items(const label_set *s, int *item)
{
    const long step = s->count / SAMPLES + 1;
    int count = 0, seen = 0;
    memset(s->often, 0, (size_t)s->g->n * sizeof *s->often);
    for (long a = 0; a < s->count; a += step, seen++) {
        const label *l = label_at(s, a);
        for (int k = 0; k < s->words; k++)
            for (uint64_t left = l->bits[k]; left; left &= left - 1)
                s->often[64 * k + __builtin_ctzll(left)]++;
    }
    for (int i = 0; i < s->g->n; i++)
        if (seen - s->often[i] < s->often[i])
            s->often[i] = seen - s->often[i];
    for (; count < 64; count++) {
        int best = 0;
        for (int i = 1; i < s->g->n; i++)
            if (s->often[i] > s->often[best])
                best = i;
        if (s->often[best] == 0)
            break;
        item[count] = best;
        s->often[best] = 0;
    }
    base_work(64 * (size_t)s->g->n + (size_t)seen * 20);
    return count;
}

/* Bit k: item[k] is wanted. */
static uint64_t sign(const label_set *s, const label *l, const int *item, int items)
{
    uint64_t bits = 0;
    for (int k = 0; k < items; k++)
        bits |= (uint64_t)label_has(s, l, LABEL_WANTED, item[k]) << k;
    return bits;
}

/* True if one of the first `count` labels dominates label a, of signature `own`. */
static bool is_dominated(const label_set *s, const uint64_t *signature, long count, uint64_t own,
                         long a)
{
    for (long from = 0; from < count; from += BLOCK) {
        const long end = from + BLOCK < count ? from + BLOCK : count;
        unsigned subset = 0;
        for (long b = from; b < end; b++)
            subset |= (signature[b] & ~own) == 0;
        base_work(BLOCK / 4);
        for (long b = from; subset && b < end; b++)
            if (!(signature[b] & ~own) && dominates(s, label_at(s, b), label_at(s, a)))
                return true;
    }
    return false;
}

void label_set_dominate(label_set *s, double cutoff)
{
    label_set_clean(s, cutoff);
    order(s, cost_of);
    int item[64];
    const int items = choose_items(s, item);
    uint64_t *signature = base_malloc((size_t)s->count + 1, sizeof *signature);
    long kept = 0;
    for (long a = 0; a < s->count; a++) {
        const uint64_t own = sign(s, label_at(s, a), item, items);
        if (is_dominated(s, signature, kept, own, a))
            continue;
        if (kept != a)
            memcpy(label_at(s, kept), label_at(s, a), s->stride);
        signature[kept++] = own;
    }
    base_work((size_t)s->count * 100);
    s->count = kept;
    base_free(signature);
}
