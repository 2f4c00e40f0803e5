/* Efforts that go on whatever the proof over the models does: schedules by annealing, bounds and
 * schedules from the coarse timeline. The search gives them turns of its
 * own, or they have a thread of their own beside it (exact/lane.h); not for others. */
#ifndef EXACT_FIND_H
#define EXACT_FIND_H

#include "exact/working.h"

/* What they depend on of how far the proof is. */
typedef struct outlook {
    double wide_bound;             /* LP bound of the last model of growth */
    bool growth_over, growth_long; /* engine_growth_over, ... */
} outlook;

typedef struct finder {
    engine *e;
    outlook now;
} finder;

/* What is due; EFFORTS: nothing. Each has its share of all work. */
exact_effort finder_due(const finder *f);
/* The same where no proof has turns between theirs: what has had the least of its share so far. */
exact_effort finder_next(const finder *f);
/* A turn of that. */
void finder_run(finder *f, exact_effort effort);

/* 10^-9 of it is in the result. */
double engine_spent_on(const engine *e, exact_effort effort);
/* Writes down what a turn took and whether it brought something. */
void engine_spend(engine *e, exact_effort effort, const exact_spent *turn);
/* The same of a turn of this thread, from what was so before it. */
typedef struct ledger {
    double work, seconds, lower, upper;
} ledger;
ledger ledger_open(const engine *e);
void ledger_close(const ledger *before, engine *e, exact_effort effort);
bool engine_is_within_effort(const engine *e, exact_effort effort, double per_mille);
/* Work of a turn of a tree or the coarse timeline. */
double engine_slice(const engine *e);

#endif
