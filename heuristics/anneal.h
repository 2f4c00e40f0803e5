/* heuristics/anneal: schedules for any graph, by simulated annealing on the intervals in which
 * tensors are in RAM (heuristics/intervals.h). The walk passes through schedules over the budget,
 * at a price for each byte and stage that follows from the state of the walk. It also passes
 * through schedules that compute a node too often (problem.max_computations). So it needs no
 * schedule to begin with, and finds one where other constructions fail. The use of intervals
 * follows the annealing of Jiang et al. (FastSA, NeurIPS 2023). The fixed order of the nodes
 * follows Moccasin (Bartan et al., ICML 2023). */
#ifndef HEURISTICS_ANNEAL_H
#define HEURISTICS_ANNEAL_H

#include "heuristics/tuning.h"
#include "problem/schedule.h"

typedef struct anneal anneal;

/* p is borrowed, the parameters anneal_* of tuning are copied. Memory O(n + edges + copies). */
anneal *anneal_create(const problem *p, const heuristic_tuning *tuning, uint64_t seed);
void anneal_free(anneal *a); /* NULL allowed */

/* From now on moves include chains: several tensors leave RAM in place of one that stays, or stay
 * in place of one that leaves. The walk exchanges dear tensors by them. A chain costs several times
 * as much as another move. */
void anneal_allow_chains(anneal *a);

/* Continues for about `work` steps (base_work), one cooling cycle after another. With a schedule,
 * one cycle of three begins anew and the others start from the best schedule. Without one, most
 * cycles begin where the last one ended. */
void anneal_run(anneal *a, double work);

/* The first run: starts from s, which may be over the budget, at the lowest temperature, and
 * continues for about `work` steps. O(n^2) to take s over. */
void anneal_quench(anneal *a, const schedule *s, double work);

/* The overhead of the best schedule in joules; INFINITY: none so far. */
double anneal_joules(const anneal *a);
/* The best schedule, for the caller to free; NULL: none. The walk goes on from where it is. O(n^2).
 */
schedule *anneal_best(anneal *a);

#endif
