/* exact/beside: the efforts beside the proof, which need no model of cells: annealing, coarse
 * timelines, cases and label searches. They have turns between the turns of the proof, or side by
 * side with them (exact/task.h). Not for others. */
#ifndef EXACT_BESIDE_H
#define EXACT_BESIDE_H

#include "exact/spent.h"

/* State of the proof that the choice of efforts depends on. */
typedef struct outlook {
    double wide_bound; /* LP bound of the last model of growth */
    bool growth_over;  /* engine_growth_over */
} outlook;

typedef struct beside {
    engine *e;
    outlook now;
    unsigned busy; /* bit set of efforts that have a turn now; they get no second one */
} beside;

/* The effort that may have a turn, has used less than its share, and the least part of it; EFFORTS:
 * none. */
exact_effort beside_due(const beside *f);
/* The effort that may have a turn and has used the least part of its share, even if that is more
 * than all; EFFORTS: none. */
exact_effort beside_next(const beside *f);
/* True if efforts beside the proof come before the LP over the windows: far from the cutoff, while
 * at least half of the turns of label searches succeed, for at most first_wait steps;
 * without a schedule labels_begin. */
bool beside_leads(const beside *f);
/* Moves the state of an effort from one engine to another; nothing if `from` has none. */
void beside_hand_over(engine *from, engine *to, exact_effort effort);
/* Runs a turn of the effort. */
void beside_run(beside *f, exact_effort effort);
/* Frees the states of all efforts in the engine but the walk of annealing, which continues in the
 * next search. */
void beside_clear(engine *e);

#endif
