/* exact/cases: the split on which dear tensors are ever away. Not for others.
 *
 * A tensor is away in a schedule if it is computed again or paged in at some time, else it stays in
 * RAM from its first computation to its last use (formulation/coarse_fate.h). Which of the dear
 * tensors are away is decided first: in the case that one stays it is pinned, in the case that it
 * is away it pays for that. Each case is a problem of its own with coarse timelines of its own,
 * which choose their points anew; the bound of all schedules is the least one of the cases that are
 * open, and a schedule of a case is one of the problem. */
#ifndef EXACT_CASES_H
#define EXACT_CASES_H

#include "exact/engine.h"

/* Goes on for about so much work. */
void engine_cases(engine *e, double work);
/* True if it can go on, or begin: with a schedule, without a certificate to be written, whose steps
 * do not say it. */
bool engine_cases_left(const engine *e);
void engine_cases_clear(engine *e);

#endif
