/* certificate/timeline: the problem on a coarse timeline, as columns and rows beside those of the
 * cells; with canonical rows only.
 *
 * Some stages are points. Interval q, behind point q, are the stages after that of the point, p, up
 * to `end`: that of the next point of the timeline or, behind the last one, of the graph. "Live" is
 * a tensor i at the event of node k of a stage t where S[t][i] + R[t][i] (if i <= k) less the
 * releases before k are 1. The columns say of a schedule:
 *
 *   live     i < p is live at the event of node p of stage p
 *   compute  i <= p is computed again in a stage of the interval
 *   pagein   i <= p is paged in, in a stage before one of the interval
 *   kept     i <= p is live at the next point, and none of both
 *   load     bytes of all that is kept
 *   out      i is paged out at all: one column for the timeline
 *
 * and, where the interval is one stage and another point follows, with "may come again" of what
 * may be recomputed and has a user, or the user of one and so on, behind p:
 *
 *   needed   of an edge (i,k), k may come again: i is live at the next point, or a user from k on
 *            that may come again is computed in the stage
 *   from     i, which may come again, is live as the stage begins
 *   there    bytes of what is needed at the event of a k that may come again or later, of those
 *            before k, and of what was live as the stage began, of the others
 *
 * Each is a function of the cells, so that every schedule has them; the rows follow from those of
 * the cells where these are integral (certificate/FORMAT.md). */
#ifndef CERTIFICATE_TIMELINE_H
#define CERTIFICATE_TIMELINE_H

#include "certificate/proof_internal.h"

/* Column of point q and tensor i (load: of no matter; out: of the timeline of q; needed: edge i, an
 * index into graph->user; there: event i); -1: none. */
int cert_coarse_column(const cert_proof *p, cert_coarse what, int q, int i);
/* k may be of use when it is computed again in the interval of point q, which is one stage. */
bool cert_may_come_again(const cert_proof *p, int q, int k);

#endif
