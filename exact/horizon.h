/* exact/horizon: schedules by a rolling horizon, from the last stage to the first, over coarse
 * timelines (formulation/coarse.h). Not for others. */
#ifndef EXACT_HORIZON_H
#define EXACT_HORIZON_H

#include "exact/engine.h"

/* Takes `stages` >= 1 stages at a time: solves to integrality what they do, at the least cost with
 * that of all stages before them, which a timeline bounds from below, and goes on with what they
 * ask for; without page-ins unless `pages`. Offers what comes of it. Ends after about so much work,
 * without a schedule when a part has no solution by then or none below the best schedule. Memory as
 * for a timeline of as many points. */
void engine_horizon(engine *e, int stages, bool pages, double work);

#endif
