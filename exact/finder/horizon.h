/* exact/finder/horizon: schedules by a rolling horizon, from the last stage to the first, over
 * coarse timelines (formulation/coarse.h). Not for others. */
#ifndef EXACT_HORIZON_H
#define EXACT_HORIZON_H

#include "exact/engine.h"

/* Offers a schedule built from the last stage to the first, `stages` >= 1 stages at a time. Each
 * part is solved to integrality at the least total cost, with a timeline as lower bound for the
 * earlier stages. The tensors that it reads become the demand on the part before it. Without
 * page-ins unless `pages`. Ends after about `work` steps. No schedule comes of it if a part finds
 * no solution in its work, or none below the incumbent. Memory as for a timeline of as many points.
 */
void engine_horizon(engine *e, int stages, bool pages, double work);

#endif
