/* exact/labels/label_guide: keeps the labels of a pass near a given schedule, the guide
 * (exact/labels/label_pass.h). Not for others.
 *
 * At each moment the guide has a set of wanted tensors, too. The distance of a label is the number
 * of tensors in one of both sets alone. Labels beyond the reach are removed. Of the rest the
 * cheapest ones stay, by their cost if they joined the guide now: with the cost to bring back the
 * tensors in the label's set alone, less the guide's cost for the tensors in its set alone.
 */
#ifndef EXACT_LABEL_GUIDE_H
#define EXACT_LABEL_GUIDE_H

#include "exact/labels/label_set.h"
#include "problem/schedule.h"

typedef struct label_guide {
    const problem *p;
    schedule *s;
    int reach;       /* largest distance */
    double joules;   /* of the guide after the moment */
    uint64_t *bits;  /* wanted by the guide at the moment, as in a label */
    double *source;  /* joules by which the guide obtains a tensor in `bits`, extent n */
    double *regain;  /* about the joules to bring back a tensor not in `bits`, extent n */
    bool *is_stored; /* paged in by the guide after the moment, extent n */
} label_guide;

/* s: a schedule of p, copied. */
label_guide label_guide_open(const problem *p, const schedule *s, int reach);
void label_guide_close(label_guide *l);

/* Goes back in time over the event of k in stage t; over the page-in of i as stage t begins. */
void label_guide_event(label_guide *l, int t, int k);
void label_guide_page_in(label_guide *l, int t, int i);

/* Sets the distance of labels, and removes labels beyond the reach. */
void label_guide_clean(const label_guide *l, label_set *s);
/* Keeps about `most` labels, an equal number at each distance. Requires label_guide_clean since the
 * last change of labels. O(labels log labels) */
void label_guide_cut(label_guide *l, label_set *s, long most);

#endif
