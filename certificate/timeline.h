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
 * Each is a function of the cells, so that every schedule has them; the rows follow from those of
 * the cells where these are integral (certificate/FORMAT.md). */
#ifndef CERTIFICATE_TIMELINE_H
#define CERTIFICATE_TIMELINE_H

#include "certificate/proof_internal.h"

/* Column of point q and tensor i (load: of no matter; out: of the timeline of q); -1: none. */
int cert_coarse_column(const cert_proof *p, cert_coarse what, int q, int i);

#endif
