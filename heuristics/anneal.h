/* heuristics/anneal: schedules for any graph, by simulated annealing on the intervals in which
 * tensors are in RAM (heuristics/intervals.h). It passes through schedules over the budget, at a
 * price for each byte and stage that follows from where the walk stays, and through those that
 * compute a node too often (problem.max_computations); so it needs no schedule to
 * begin with, and finds one where orders and sizes leave other constructions nothing. After the
 * annealing of Jiang et al. (FastSA, NeurIPS 2023) in its use of intervals, and Moccasin (Bartan et
 * al., ICML 2023) for the order of the nodes, which stays. */
#ifndef HEURISTICS_ANNEAL_H
#define HEURISTICS_ANNEAL_H

#include "heuristics/tuning.h"
#include "problem/schedule.h"

typedef struct anneal anneal;

/* p is borrowed, the parameters anneal_* of tuning are copied. Memory O(n + edges + copies). */
anneal *anneal_create(const problem *p, const heuristic_tuning *tuning, uint64_t seed);
void anneal_free(anneal *a); /* NULL allowed */

/* Goes on for about so much base_work, cooling cycle after cycle: with a schedule one of three
 * begins anew, the others with the best; without one most begin where the last one ended. */
void anneal_run(anneal *a, double work);

/* What s, which may be over the budget, becomes at the end of the temperatures: the first run, for
 * about so much base_work. O(n^2) beside that. */
void anneal_quench(anneal *a, const schedule *s, double work);

/* The overhead of the best schedule in joules; INFINITY: none so far. */
double anneal_joules(const anneal *a);
/* The best schedule, for the caller to free; NULL: none. The walk goes on from where it is. O(n^2).
 */
schedule *anneal_best(anneal *a);

#endif
