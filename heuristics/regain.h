/* heuristics/regain: how a tensor is had again for a stage at the least price, as the memory of the
 * stages is taken now: by a page-in, or by computing it, for which each input stays longer, is
 * paged in or is computed again, too. Prices of inputs add up although copies may serve several
 * readers, and what is changed meets itself nowhere: an estimate, for choosing moves by. */
#ifndef HEURISTICS_REGAIN_H
#define HEURISTICS_REGAIN_H

#include "heuristics/intervals.h"

typedef struct regain regain;

/* s is borrowed. Memory O(n). */
regain *regain_create(intervals *s);
void regain_free(regain *r); /* NULL allowed */

/* Joules and charges of a copy of v for stage first, where none begins; INFINITY: there cannot be
 * one, or it costs more than most. noise: every way costs more by a factor drawn from 1 to
 * 1 + noise. O(what may be computed again, at most a few hundred tensors). */
double regain_cost(regain *r, int v, int first, double most, double noise, base_rng *rng);

/* Makes the copies of the last regain_cost, between intervals_begin and intervals_settle, with
 * nothing changed since. */
void regain_make(regain *r);

#endif
