/* exact/dear_stages: stages at which the best schedule suggests points of a coarse timeline. Not
 * for others. */
#ifndef EXACT_DEAR_STAGES_H
#define EXACT_DEAR_STAGES_H

#include "exact/engine.h"

enum { EXACT_DEAR_STAGES = 12 };

/* The stages in which the best schedule pays most for recomputations and page-ins, each between its
 * neighbours: the stage is an interval by itself there, whose events count one by one, and a tensor
 * for which it pays twice is away between the two stages. Writes them to stage (extent
 * EXACT_DEAR_STAGES), the dearest first; some may come twice. Returns their number; 0 without a
 * schedule. O(n^2). */
int engine_dear_stages(const engine *e, int *stage);

#endif
