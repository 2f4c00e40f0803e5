/* bnb/model/domain: column bounds of the present subproblem, a trail to undo changes, and
 * propagation of rows by activity bounds (Savelsbergh 1994; Achterberg 2007, 7.1). */
#ifndef BNB_DOMAIN_H
#define BNB_DOMAIN_H

#include "bnb/model/instance.h"

/* Tolerance of integer columns: of a value, and for rounding a bound. */
#define BNB_INTEGER_SLACK 1e-6

/* Returns the tolerance for a bound of an integer column that follows from a row's side and the
 * column's coefficient in it. It does not exceed the tolerance of the row. */
static inline double bnb_bound_slack(double side, double coefficient)
{
    return fmin(BNB_INTEGER_SLACK, lp_side_room(side, BNB_INTEGER_SLACK) / fabs(coefficient));
}

typedef enum bnb_reason {
    BNB_BY_BRANCHING = 0,
    BNB_BY_PROPAGATION, /* bnb_change.row: the row; model->rows: the objective */
    BNB_BY_REDUCED_COST,
    BNB_BY_STRONG_BRANCHING,
    BNB_BY_HEURISTIC /* of a dive or a trial: may cut off solutions, undone later */
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
    double cutoff;         /* only solutions below it count */
    bool integers_only;    /* deductions leave bounds of continuous columns unchanged */
    bool empty;            /* proven: no solution below the cutoff within the bounds */
    int empty_row;         /* row that proves it; -1: not proven by a row */
    bnb_trail_entry *trail;
    int trail_count, trail_capacity;
    /* Rows to be propagated: a ring of rows + 1 places. */
    int *queue;
    bool *queued;
    int queue_first, queue_count;
    /* Columns with bounds that the LP does not have yet (bnb_relaxation_sync). */
    int *dirty;
    bool *is_dirty;
    int dirty_count;
    int trial; /* > 0: in a dive or a trial; its bounds are assumed, not proven */
} bnb_domain;

/* Initialises the bounds to the model's. */
void bnb_domain_init(bnb_domain *d, const bnb_instance *in, double cutoff);
void bnb_domain_clear(bnb_domain *d);

/* Sets all bounds (extent cols); empties trail and queue. O(cols). */
void bnb_domain_load(bnb_domain *d, const double *lower, const double *upper);

/* Tightens one bound; integer columns are rounded with BNB_INTEGER_SLACK. Ignores values that are
 * looser or gain too little. Returns true if the bound changed or the domain became empty
 * (d->empty). */
bool bnb_domain_tighten(bnb_domain *d, int col, bool upper, double value, bnb_reason reason,
                        int row);

/* Undoes all changes since trail_count was `mark`; clears `empty` and the queue. */
void bnb_domain_undo(bnb_domain *d, int mark);

/* Propagates queued rows until nothing changes or a work limit is reached. Returns false if the
 * domain is empty. */
bool bnb_domain_propagate(bnb_domain *d);
/* Queues every row and the objective. */
void bnb_domain_queue_all(bnb_domain *d);

/* True if every integer column is fixed. */
bool bnb_domain_is_fixed(const bnb_domain *d);

#endif
