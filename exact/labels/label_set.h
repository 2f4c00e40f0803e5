/* exact/labels/label_set: the labels of a label search (exact/labels/label_pass.h). Not for others.
 *
 * A label stands for the end of a schedule from some moment on: its cost, and the tensors needed in
 * RAM at that moment. */
#ifndef EXACT_LABEL_SET_H
#define EXACT_LABEL_SET_H

#include "problem/graph.h"

/* Sets of tensors in a label. */
typedef enum label_kind {
    LABEL_WANTED = 0, /* needed in RAM */
    LABEL_STORED,     /* paged in later, so that its page-out is paid */
    LABEL_OWED,       /* stored, and its page-out has no moment yet */
    LABEL_LATE,       /* wanted; to compute it now is no better than it was a stage later */
    LABEL_READ,       /* read in this stage */
    LABEL_COMPUTED,   /* computed again in this stage */
    LABEL_PAGED,      /* paged in as this stage begins; until it is done, as the next one does */
    LABEL_KINDS
} label_kind;

typedef struct label {
    double cost;     /* of the end of the schedule, joules */
    double earlier;  /* lower bound on the cost before it, joules; may be negative */
    int64_t bytes;   /* of the wanted tensors */
    int trail;       /* actions of later stages (exact/labels/label_pass.c) */
    int rest;        /* number of the bound that `earlier` is from (exact/labels/label_rest.h) */
    int distance;    /* from a guide (exact/labels/label_guide.h); 0 without one */
    bool dead;       /* to be removed */
    uint64_t bits[]; /* LABEL_KINDS sets of `words` words */
} label;

typedef struct label_set {
    const graph *g;
    int words;     /* of a set */
    size_t stride; /* bytes of a label */
    char *row, *spare;
    long count, capacity;
    double least_dropped; /* least bound of the labels that label_set_cut has dropped */
    int *often;           /* extent n */
} label_set;

/* Bytes of a label. */
size_t label_bytes(const graph *g);

label_set label_set_open(const graph *g);
void label_set_close(label_set *s);

static inline label *label_at(const label_set *s, long a)
{
    return (label *)(void *)(s->row + (size_t)a * s->stride);
}

static inline uint64_t *label_bits(const label_set *s, label *l, label_kind kind)
{
    return l->bits + (size_t)kind * (size_t)s->words;
}

static inline bool label_has(const label_set *s, const label *l, label_kind kind, int i)
{
    return l->bits[kind * s->words + i / 64] >> (i % 64) & 1;
}

static inline void label_add(const label_set *s, label *l, label_kind kind, int i)
{
    l->bits[kind * s->words + i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void label_remove(const label_set *s, label *l, label_kind kind, int i)
{
    l->bits[kind * s->words + i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* Lower bound on the cost of all schedules with this end, joules. */
static inline double label_bound(const label *l)
{
    return l->cost + (l->earlier > 0 ? l->earlier : 0);
}

/* A label's position and the key of an order. */
typedef struct label_place {
    double key;
    long at;
} label_place;

/* For qsort: by key, equal ones by position. */
int label_place_compare(const void *a, const void *b);

/* Appends a copy of label a, which may move all labels. Returns the copy. */
label *label_set_copy(label_set *s, long a);
/* Removes labels that are dead or have a bound of `cutoff` or more. */
void label_set_clean(label_set *s, double cutoff);
/* Cleans, and removes labels that another one dominates: it costs no more, needs no other tensors,
 * owes no other page-outs, pages in no others now, and is no farther from a guide. The rest is
 * ordered by cost. */
void label_set_dominate(label_set *s, double cutoff);
/* Orders the labels by bound. Returns their number, at most `most`. */
long label_set_lead(label_set *s, long most);
/* Keeps the `most` labels with the least bounds. */
void label_set_cut(label_set *s, long most);

#endif
