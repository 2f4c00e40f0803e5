/* formulation/event_cut: a cut on a memory event, or on what feeds one, and lists of them. */
#ifndef FORMULATION_EVENT_CUT_H
#define FORMULATION_EVENT_CUT_H

#include "base/base.h"

#define EVENT_CUT_EFFICACY 1e-4 /* the least of a cut that is kept */
enum { SOURCE_DEPTH = 16 };

/* One cut: what inequality it is, so that it can be written on any model of the problem,
 * and its columns on one. */
typedef struct event_cut {
    int t, k;         /* the event; for a source cut first stage and node */
    bool conditional; /* with R[t][k] as a literal (tensor k) in place of k and its inputs */
    int depth;        /* > 0: a source cut (formulation/source.h) on the stages t .. last */
    int last;
    int path[SOURCE_DEPTH]; /* the path v_1 .. v_depth of inputs, v_1 an input of k */
    unsigned stored;        /* bit j-1 set: v_j counts by its page-outs */
    bool kept;              /* source cut on the presence of k; false: on its recomputations */
    int tensors;            /* literals with nonzero coefficient */
    int *tensor;            /* extent tensors */
    double *coef;           /* extent tensors: integral, of the literals */
    double *made; /* extent tensors: of a recomputation, coef being of the residency alone;
                     NULL, as with CANONICAL: coef is of both */
    double rhs;   /* integral: sum coef * literal <= rhs */
    int count;    /* the same over columns, scaled by a power of two */
    int *col;
    double *value;
    double upper;
    double efficacy; /* violation / norm over columns when found */
} event_cut;

typedef struct event_cut_list {
    int count, capacity;
    event_cut *cut;
} event_cut_list;

void event_cut_clear(event_cut *cut); /* frees its arrays */

void event_cut_list_clear(event_cut_list *list); /* frees everything */

/* Room for one more cut, which the caller fills. */
event_cut *event_cut_list_add(event_cut_list *list);

/* Moves the cuts of one list to the end of another; `from` is empty then. */
void event_cut_list_join(event_cut_list *to, event_cut_list *from);

#endif
