/* formulation/separate: cuts on whole memory events.
 *
 * Every memory event is a 0-1 knapsack over its live literals, and literals are sums of
 * columns. A cut on the literals is therefore one on the columns. Besides the plain
 * event there is the conditional one: if k is recomputed in stage t, its inputs are live
 * there whole, so
 *     sum of bytes * literal over the others + (bytes of k and its inputs) R[t][k] <= budget.
 */
#ifndef FORMULATION_SEPARATE_H
#define FORMULATION_SEPARATE_H

#include "formulation/formulation.h"

enum { SOURCE_DEPTH = 16 };

/* One cut: what inequality it is, so that it can be written on any model of the problem,
 * and its columns on one. */
typedef struct event_cut {
    int t, k;         /* the event; for a source cut first stage and node */
    bool conditional; /* with R[t][k] as a literal (tensor k) in place of k and its inputs */
    int depth;        /* > 0: a source cut (formulation/source.h) on the stages t .. last with */
    int last;
    int path[SOURCE_DEPTH]; /* the path v_1 .. v_depth of inputs, v_1 an input of k */
    unsigned stored;        /* ... where v_j counts by its page-outs if bit j-1 is set, */
    bool kept;              /* on k's presence instead of its recomputations */
    int tensors;            /* literals with nonzero coefficient */
    int *tensor;            /* extent tensors */
    double *coef;           /* extent tensors: integral */
    double rhs;             /* integral: sum coef * literal <= rhs */
    int count;              /* the same over columns, scaled by a power of two */
    int *col;
    double *value;
    double upper;
    double efficacy; /* violation / norm over columns when found */
} event_cut;

typedef struct event_cut_list {
    int count, capacity;
    event_cut *cut;
} event_cut_list;

void event_cut_list_clear(event_cut_list *list); /* frees everything */

/* Room for one more cut, which the caller fills. */
event_cut *event_cut_list_add(event_cut_list *list);

/* Moves the cuts of one list to the end of another; `from` is empty then. */
void event_cut_list_join(event_cut_list *to, event_cut_list *from);

typedef struct separate_params {
    double min_efficacy; /* 1e-4 */
    int max_cuts;        /* keep the best by efficacy; 200 */
    bool rounding, covers, weights, conditional, sources;
} separate_params;

/* The families that the features allow. */
separate_params separate_params_for(unsigned features);

separate_params separate_params_default(void);

/* Adds to list violated cuts at x (extent model->cols), at most one of each kind per
 * event (two of weights), and source cuts; thread safe. O(events * literals * divisors). */
void formulation_separate(const formulation *f, const double *x, const separate_params *params,
                          event_cut_list *list);

/* Writes the cut's inequality over the columns of f, which may be another model of the
 * same problem (a larger mask): fills count, col, value, upper. False when the event does not
 * exist there. */
bool event_cut_express(const formulation *f, event_cut *cut);

#endif
