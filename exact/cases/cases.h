/* exact/cases/cases: branch and bound over cases: which dear tensors are ever away. Not for others.
 *
 * A tensor is away in a schedule if it is computed again or paged in at some time. Otherwise it
 * stays in RAM from its first computation to its last use (formulation/coarse_fate.h). Branching
 * decides first which dear tensors are away. A kept tensor is pinned. A tensor that is away pays at
 * least its least cost. Each case is a problem of its own, with coarse timelines of its own. The
 * first has the points of the best timeline before. The bound of all schedules is the least bound
 * of the open cases. A schedule of a case is a schedule of the problem. */
#ifndef EXACT_CASES_H
#define EXACT_CASES_H

#include "exact/engine.h"

/* Continues for about `work` steps. */
void engine_cases(engine *e, double work);
/* True if the cases can begin or continue. They need a schedule. */
bool engine_cases_left(const engine *e);
void engine_cases_clear(engine *e);

#endif
