/* exact/labels/label_pass: one pass of a label search, from the last stage to the first. Not for
 * others.
 *
 * A label is the end of a schedule from a moment on, with the tensors that it needs in RAM at that
 * moment (exact/labels/label_set.h). Going back in time, a node that is computed is no longer
 * needed, and its inputs are. A node is computed again, or paged in, only where it is needed. A
 * label is removed if another one dominates it, or if its bound reaches the cutoff. The best
 * `width` of the labels left after a stage go on.
 *
 * A pass relaxes or restricts the moments of page-outs (docs/formulation.md, section 4). It leaves
 * out the deadline and the limit on computations. With a guide (exact/labels/label_guide.h) labels
 * stay near a given schedule, which finds better ones and proves nothing. */
#ifndef EXACT_LABEL_PASS_H
#define EXACT_LABEL_PASS_H

#include "exact/labels/label_guide.h"
#include "exact/labels/label_price.h"
#include "exact/labels/label_rest.h"
#include "exact/labels/label_set.h"
#include "problem/schedule.h"

typedef struct label_pass {
    const problem *p;
    bool relaxed; /* a tensor that is computed again may be written to storage at any later moment;
                     else it has to be in RAM as some stage begins, or in all of the stage
                     after its own */
    label_guide *guide; /* borrowed; NULL: none */
    long width;
    int stage; /* stages from this one on are done */
    label_set labels;
    label_price price;
    label_rest rest;
    double share;                    /* most steps on bounds of timelines, as a part of all steps */
    double done, begun, raised;      /* steps of the stages that are done; base_work_done() as the
                                        present one began; steps on bounds of timelines */
    int *trail, trails, trail_space; /* actions of the labels, see label_pass_schedule */
} label_pass;

/* target: joules, a bound that prices are chosen for. points: borrowed; NULL: bounds of prices
 * alone. */
label_pass label_pass_open(const problem *p, const label_points *points, bool relaxed, long width,
                           double target);
void label_pass_close(label_pass *q);

/* Before the first step: the pass begins with stage - 1 in place of the last stage. This label is
 * one of its first ones: the tensors wanted as `stage` begins, the tensors with a paid page-out
 * (extents n), and the cost of `stage` and later, joules. */
void label_pass_add(label_pass *q, int stage, const bool *wanted, const bool *stored, double cost);

/* About the most memory of a pass, bytes. */
double label_pass_bytes(const problem *p, long width);

/* Does one stage more. cutoff: joules. False: no label is left, or stage 0 is done. */
bool label_pass_step(label_pass *q, double cutoff);

/* Least bound of the labels dropped because of the width; INFINITY: none. */
double label_pass_dropped(const label_pass *q);
/* Least bound of all labels so far. With `relaxed`, no schedule costs less than the least of this
 * and of the cutoffs. */
double label_pass_bound(const label_pass *q);
/* Relative rounding error of the costs of labels. */
double label_pass_error(const label_pass *q);

/* Labels that have reached stage 0, by cost, and the schedule of the first of them. It may exceed
 * the budget where a page-out has no moment. Free it with schedule_free. */
long label_pass_ends(const label_pass *q);
double label_pass_cost(const label_pass *q, long a);
schedule *label_pass_schedule(const label_pass *q, long a);

#endif
