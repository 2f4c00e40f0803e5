/* Efforts that go on whatever the proof over the models does: schedules by annealing, bounds and
 * schedules from the coarse timeline. The search gives them turns between those of the proof, or
 * beside them (exact/task.h); not for others. */
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
    unsigned busy; /* bits of efforts that have a turn now: of those there is no other */
} finder;

/* What is due; EFFORTS: nothing. Each has its share of all work. */
exact_effort finder_due(const finder *f);
/* The same where no proof has turns between theirs: what has had the least of its share so far. */
exact_effort finder_next(const finder *f);
/* The state of an effort goes from one engine, if it has it, to another. */
void finder_hand_over(engine *from, engine *to, exact_effort effort);
/* A turn of that. */
void finder_run(finder *f, exact_effort effort);

/* 10^-9 of it is in the result. */
double engine_spent_on(const engine *e, exact_effort effort);
/* Writes down what a turn took and whether it brought something. */
void engine_spend(engine *e, exact_effort effort, const exact_spent *turn);
/* That of a turn, from what was so before it. */
typedef struct ledger {
    double work, seconds, lower, upper;
} ledger;
ledger ledger_open(const engine *e);
exact_spent ledger_close(const ledger *before, const engine *e);
bool engine_is_within_effort(const engine *e, exact_effort effort, double per_mille);
/* Work of a turn of a tree or the coarse timeline. */
double engine_slice(const engine *e);

#endif
