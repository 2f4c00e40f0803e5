/* exact/dear_stages: stages at which the best schedule suggests points of a coarse timeline. Not
 * for others. */
#ifndef EXACT_DEAR_STAGES_H
#define EXACT_DEAR_STAGES_H

#include "problem/schedule.h"

enum { EXACT_DEAR_STAGES = 12 };

/* The stages in which a schedule pays most for recomputations and page-ins, each between its
 * neighbours: the stage is an interval by itself there, whose events count one by one, and a tensor
 * for which it pays twice is away between the two stages. The dearest first; some may come twice.
 */
typedef struct dear_stages {
    int count, stage[EXACT_DEAR_STAGES];
} dear_stages;

/* Those of schedule s of g. O(n^2). */
dear_stages exact_dear_stages(const graph *g, const schedule *s);

#endif
