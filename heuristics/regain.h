/* heuristics/regain: the cheapest way to have a tensor in RAM again for a stage, at the present
 * prices of memory. It is paged in or computed; then each input stays longer, is paged in or is
 * computed, too. Prices of inputs add up although a copy may serve several readers, and effects
 * of the changes on each other are ignored. So the cost is an estimate, for the choice of moves. */
#ifndef HEURISTICS_REGAIN_H
#define HEURISTICS_REGAIN_H

#include "heuristics/intervals.h"

typedef struct regain regain;

/* s is borrowed. Memory O(n). */
regain *regain_create(intervals *s);
void regain_free(regain *r); /* NULL allowed */

/* Returns joules and charges of a copy of v for stage first, in which none begins; INFINITY: no
 * such copy is possible, or it costs more than `most`. noise: the cost of every way is multiplied
 * by a factor drawn from 1 to 1 + noise. O(tensors that may be computed again, at most a few
 * hundred). */
double regain_cost(regain *r, int v, int first, double most, double noise, base_rng *rng);

/* Makes the copies of the last regain_cost, between intervals_begin and intervals_settle, with
 * nothing changed since. */
void regain_make(regain *r);

#endif
