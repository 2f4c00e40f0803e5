/* exact/find: efforts that do not depend on the models of the proof: annealing, coarse timelines,
 * cases and label searches. The search gives them turns between the turns of the proof, or beside
 * them (exact/task.h). Not for others. */
#ifndef EXACT_FIND_H
#define EXACT_FIND_H

#include "exact/cells/working.h"

/* State of the proof that the choice of efforts depends on. */
typedef struct outlook {
    double wide_bound;             /* LP bound of the last model of growth */
    bool growth_over, growth_long; /* engine_growth_over and engine_growth_is_long */
} outlook;

typedef struct finder {
    engine *e;
    outlook now;
    unsigned busy; /* bit set of efforts that have a turn now; no second turn begins */
} finder;

/* The effort that is due, within its share of all work; EFFORTS: none. */
exact_effort finder_due(const finder *f);
/* The effort that has used the least of its share, when no turn of the proof is possible; EFFORTS:
 * none. */
exact_effort finder_next(const finder *f);
/* Moves the state of an effort from one engine to another; nothing if `from` has none. */
void finder_hand_over(engine *from, engine *to, exact_effort effort);
/* Runs a turn of the effort. */
void finder_run(finder *f, exact_effort effort);
/* Frees the states of all efforts in the engine but the walk of annealing, which continues in the
 * next search. */
void finder_clear(engine *e);

/* Steps spent on the effort; the result has them in units of 10^9. */
double engine_spent_on(const engine *e, exact_effort effort);
/* Adds the work, time and success of a turn to the result. */
void engine_spend(engine *e, exact_effort effort, const exact_spent *turn);
/* State of the engine before a turn; turn_end returns the cost and success of the turn. */
typedef struct turn_start {
    double work, seconds, lower, upper;
} turn_start;
turn_start turn_begin(const engine *e);
exact_spent turn_end(const turn_start *before, const engine *e);
bool engine_is_within_effort(const engine *e, exact_effort effort, double per_mille);
/* Steps of one turn of a tree, of growth, of the coarse timeline or of the cases. */
double engine_slice(const engine *e);

#endif
