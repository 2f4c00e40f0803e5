/* exact/timeline/dear_stages: stages at which the incumbent suggests points of a coarse timeline.
 * Not for others. */
#ifndef EXACT_DEAR_STAGES_H
#define EXACT_DEAR_STAGES_H

#include "problem/schedule.h"

enum { EXACT_DEAR_STAGES = 12 };

/* The stages in which a schedule pays most for recomputations and page-ins, each with its
 * neighbours. Between its neighbours as points, a stage is an interval by itself, and its events
 * count one by one. A tensor that the schedule pays for twice is away between two such stages. The
 * dearest stage comes first; stages may repeat. */
typedef struct dear_stages {
    int count, stage[EXACT_DEAR_STAGES];
} dear_stages;

/* Returns the dear stages of schedule s of g. O(n^2). */
dear_stages exact_dear_stages(const graph *g, const schedule *s);

#endif
