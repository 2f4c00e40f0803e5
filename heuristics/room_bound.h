/* heuristics/room_bound: what the stages before t must still pay for memory.
 *
 * Pick a stage c < t. A tensor made before c and read after c either stays in RAM
 * through c or was, at some time, brought back: recomputed, or written out and
 * paged in. At the event that computes c, those that stay, c and its inputs fit
 * the budget. So the tensors read between c and t, whose fate is still open, and
 * those that a state keeps from before c must together shed what exceeds the
 * budget; the cheapest way to shed so many bytes, were tensors divisible, is a
 * lower bound on the cost (Dantzig's bound of the knapsack). It is taken at a
 * dozen stages c; the largest holds.
 *
 * It is a guide, not a proof: tensors that a state keeps and that are not near the
 * stages to come count as staying, and a second page-in is charged as a first. */
#ifndef HEURISTICS_ROOM_BOUND_H
#define HEURISTICS_ROOM_BOUND_H

#include "problem/graph.h"

typedef struct room_bound room_bound;

/* For p, which is borrowed. Chooses the stages c where checkpoint-all holds most. */
room_bound *room_bound_create(const problem *p);
void room_bound_free(room_bound *b); /* NULL allowed */

/* Starts a run in which nothing is settled beforehand. */
void room_bound_reset(room_bound *b);

/* Notes, after a reset, what is settled: keep (bit set over nodes) is certainly in
 * RAM at the start of stage t. Call it for t = n-1 down to 0, then
 * room_bound_settle with the nodes whose cost is accounted for elsewhere. */
void room_bound_keeps(room_bound *b, int t, const uint64_t *keep);
void room_bound_settle(room_bound *b, const uint64_t *charged);

/* Readies the bound for states that ask something of the stages before t; active
 * and, unless NULL, loose: the nodes that those stages may still shed. O(n) for each c. */
void room_bound_stage(room_bound *b, int t, const uint64_t *active, const uint64_t *loose);

/* Least joules that the stages before t add to a state that keeps `keep`, beyond
 * what is settled; INFINITY when it cannot fit. May stop at any value >= enough. */
double room_bound_joules(const room_bound *b, const uint64_t *keep, double enough);

#endif
