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

#include "formulation/event_cut.h"
#include "formulation/formulation.h"

/* Adds to list violated cuts at x (extent model->cols) of the families that f->features allow: at
 * most one of each kind per event (two of weights), and source cuts; thread safe. O(events *
 * literals * divisors). */
void formulation_separate(const formulation *f, const double *x, event_cut_list *list);

/* The power of two that brings its largest coefficient into [1,2). */
double event_cut_scale(const event_cut *cut);

/* Writes the cut's inequality over the columns of f, which may be another model of the
 * same problem (a larger mask): fills count, col, value, upper. False when the event does not
 * exist there. */
bool event_cut_express(const formulation *f, event_cut *cut);

#endif
