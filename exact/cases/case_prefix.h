/* exact/cases/case_prefix: a bound for a case by labels (exact/labels/label_pass.h) of its first
 * stages. Part of exact/cases/cases.c; not for others.
 *
 * The labels begin at a moment, the beginning of a stage. The tensors that the case keeps are in
 * RAM then, if a later stage uses them. For each set of dear tensors that are not kept there is a
 * label with this set. It begins with the cost of the later stages, bounded by the LP of a
 * timeline. Beside the kept tensors few others fit, so that few labels are left. */
#ifndef EXACT_CASE_PREFIX_H
#define EXACT_CASE_PREFIX_H

#include "exact/cases/case.h"

typedef struct case_moment {
    const problem *p;    /* of the case, with pins on the kept tensors */
    const uint8_t *fate; /* coarse_fate, extent n */
    unsigned features;   /* formulation/formulation.h */
    double scale;        /* model units per joule */
    int stage;           /* the moment is the beginning of this stage, from 1 */
    const int *point;    /* points of the timeline beside stage - 1, ascending */
    int points;
    engine *e; /* a search that is done ends the labels; NULL: none */
} case_moment;

/* Lower bound on the schedules of the case, joules, at most `cutoff`. width: most labels. Ends
 * after about `work` steps, and when it cannot exceed `least` any more, joules. */
double case_moment_bound(const case_moment *m, long width, double cutoff, double least,
                         double work);

enum { CASE_MOMENTS = 15 }; /* moments at equal distances behind the fullest stage */

/* Tries of labels, from one of the moments or from all. */
typedef struct case_record {
    int tries, successes; /* a success raised the bound of a case */
} case_record;

/* The moment with the best rate of successes, (successes + 1) / (tries + 2); among equals the
 * first. record: extent CASE_MOMENTS. passed: bit k: not moment k; not all of them. */
int case_choose_moment(const case_record *record, unsigned passed);

/* The bound of one moment, from 0 to CASE_MOMENTS - 1, model units. Ends after about `work` steps,
 * and when it cannot raise the bound of the case any more. Requires timelines of the case, and
 * what engine_labels_left asks for. */
double case_prefix(const engine_case *c, engine *e, double work, long width, int moment);

#endif
