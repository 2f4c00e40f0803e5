/* bnb/model/domain: column bounds of the present subproblem with a trail for undoing, and
 * propagation of rows by activity bounds (Savelsbergh 1994; Achterberg 2007, 7.1). */
#ifndef BNB_DOMAIN_H
#define BNB_DOMAIN_H

#include "bnb/model/instance.h"

/* An integer bound moves only when rounding noise below this cannot have moved it. */
#define BNB_INTEGER_SLACK 1e-6

/* By how much a bound of an integer column may be missed that the row's side and the column's
 * coefficient give: no more than the row allows. */
static inline double bnb_bound_slack(double side, double coefficient)
{
    return fmin(BNB_INTEGER_SLACK, lp_side_room(side, BNB_INTEGER_SLACK) / fabs(coefficient));
}

typedef enum bnb_reason {
    BNB_BY_BRANCHING = 0,
    BNB_BY_PROPAGATION, /* row: which, model->rows for the objective */
    BNB_BY_REDUCED_COST,
    BNB_BY_STRONG_BRANCHING,
    BNB_BY_GLOBAL,   /* holds everywhere in the tree */
    BNB_BY_HEURISTIC /* a dive or a trial: may cut off anything, undone later */
} bnb_reason;

typedef struct bnb_change {
    double value;
    int col;
    int row;
    bool upper;
    unsigned char reason;
} bnb_change;

typedef struct bnb_trail_entry {
    bnb_change change;
    double old;
} bnb_trail_entry;

typedef struct bnb_domain {
    const bnb_instance *in;
    double *lower, *upper; /* extent cols */
    double cutoff;         /* only solutions below it are of interest */
    bool integers_only;    /* deductions leave continuous columns alone */
    bool empty;            /* proven: no such solution within the bounds */
    int empty_row;         /* row that showed it; -1: not by a row */
    bnb_trail_entry *trail;
    int trail_count, trail_capacity;
    /* Rows waiting to be propagated: a ring of rows + 1 places. */
    int *queue;
    bool *queued;
    int queue_first, queue_count;
    /* Columns whose bounds changed since the LP was told. */
    int *dirty;
    bool *is_dirty;
    int dirty_count;
    int trial; /* > 0: inside a dive or a trial, whose assumptions prove nothing */
} bnb_domain;

/* Starts at the model's bounds. */
void bnb_domain_init(bnb_domain *d, const bnb_instance *in, double cutoff);
void bnb_domain_clear(bnb_domain *d);

/* Sets all bounds (extent cols), empties trail and queue. O(cols). */
void bnb_domain_load(bnb_domain *d, const double *lower, const double *upper);

/* Tightens one bound (integers: rounded with BNB_INTEGER_SLACK); looser values are ignored.
 * Returns true when the bound changed; d->empty is set when no value is left. */
bool bnb_domain_tighten(bnb_domain *d, int col, bool upper, double value, bnb_reason reason,
                        int row);

/* Position in the trail / back to it. Undoing also clears `empty` and the queue. */
int bnb_domain_mark(const bnb_domain *d);
void bnb_domain_undo(bnb_domain *d, int mark);

/* Propagates queued rows until nothing changes (or a work limit is hit); false when the
 * domain is empty. */
bool bnb_domain_propagate(bnb_domain *d);
/* Queues every row (and the objective). */
void bnb_domain_queue_all(bnb_domain *d);

/* True when the debug solution lies within the bounds and beats the cutoff. */
bool bnb_domain_holds_debug(const bnb_domain *d);
/* Has every integer column just one value left? */
bool bnb_domain_is_fixed(const bnb_domain *d);

#endif
