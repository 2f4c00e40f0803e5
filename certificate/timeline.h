/* certificate/timeline: the problem on a coarse timeline, as columns and rows beside those of the
 * cells; with canonical rows only.
 *
 * Some stages are points. Interval q consists of the stages after the point's own, p, up to `end`:
 * the stage of the timeline's next point or, behind the last one, the last stage. Tensor i is
 * "live" at the event of node k of stage t where S[t][i], plus R[t][i] if i <= k, less the releases
 * before k, is 1. The columns of a schedule are:
 *
 *   live     i < p is live at the event of node p of stage p
 *   compute  i <= p is computed again in a stage of the interval
 *   pagein   i <= p is paged in, in a stage before one of the interval
 *   kept     i <= p is live at the next point, and neither computed again nor paged in
 *   load     bytes of all kept tensors
 *   out      i is paged out in some stage: one column for the timeline
 *
 * Some columns exist only where the interval is one stage and another point follows. There node k
 * "may come again" if it may be recomputed and a chain of users leads from k to a node behind p:
 *
 *   needed   of an edge (i,k), k may come again: i is live at the next point, or a user of i from k
 *            on that may come again is computed in the stage
 *   from     i, which may come again, is live as the stage begins
 *   there    at the event of a k that may come again, the bytes of the tensors made before k that
 *            are needed at k or later, and of the other tensors that were live as the stage began
 *
 * A timeline of a case of tensors that are ever away has two columns more for every tensor:
 *
 *   early    i is away, but its columns compute and pagein are 0; it counts the least cost of that
 *   stay     i is not away
 *
 * Each column is a function of the cells, so that every schedule has values for all. The rows
 * follow from those of the cells where the cells are integral (certificate/FORMAT.md). */
#ifndef CERTIFICATE_TIMELINE_H
#define CERTIFICATE_TIMELINE_H

#include "certificate/proof_internal.h"

/* Number of a column of point q; -1: there is none. i: the tensor; of `needed` the edge, an index
 * into graph->user; of `there` the node of the event; of `load` not read. */
int cert_coarse_column(const cert_proof *p, cert_coarse what, int q, int i);
/* True if k may come again in the interval of point q, which is one stage. */
bool cert_may_come_again(const cert_proof *p, int q, int k);
/* Writes the named row of a point into row; false: there is none. */
bool cert_point_row(const cert_proof *p, cert_key key, cert_row *row);
/* Joules of a column at 1: on the priced timeline, or, where p->priced is -1, on the cells. */
double cert_overhead(const cert_proof *p, int col);
/* True if a column of the priced timeline counts the joules of the cell. */
bool cert_is_covered(const cert_proof *p, int col);

#endif
