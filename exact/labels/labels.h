/* exact/labels/labels: schedules and a bound by label searches (exact/labels/label_pass.h) of
 * growing width. Not for others. */
#ifndef EXACT_LABELS_H
#define EXACT_LABELS_H

#include "exact/engine.h"
#include "exact/labels/label_pass.h"

/* One pass, which ends early after about `work` steps. */
void engine_labels(engine *e, double work);
/* True if passes suit the problem. They do not with a deadline or a limit on computations, which
 * they leave out. */
bool engine_labels_suit(const engine *e);
/* Offers the best schedules of the pass until one is accepted; true if one is. */
bool engine_labels_offer(engine *e, const label_pass *pass, const char *source);
/* True if the gap is above labels_gap. */
bool engine_is_far(const engine *e);
/* True if label searches may begin: far from the cutoff, or after labels_begin steps. Once one
 * has succeeded they go on. */
bool engine_labels_due(const engine *e);
/* True if a pass may find or prove more. There is none with a proof, since no step of a
 * certificate expresses it. */
bool engine_labels_left(const engine *e);
void engine_labels_clear(engine *e);

#endif
