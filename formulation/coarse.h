/* formulation/coarse: POET on a coarse timeline, a relaxation that is small whatever n is.
 *
 * Of the n stages a few are chosen as points; the time between two points is an interval, in
 * which nothing is said of order. Point number j = 1 .. points is the moment at which stage
 * point[j-1] computes its own node; interval j lies behind point j (interval 0 before the first)
 * and ends with the next point, the last one with the last stage. Columns, all 0/1:
 *
 *   live[j,i]     i is in RAM at point j
 *   kept[j,i]     ... and stays there all through interval j, to point j+1, not computed again
 *   compute[j,i]  i is computed again within interval j
 *   pagein[j,i]   i comes from storage and is there within interval j
 *   out[i]        i is ever written to storage
 *
 * and load[j], the bytes of kept[j,.]. Rows, each true of every schedule
 * but the one of late page-ins, which is true of an optimal one:
 *
 *   live[j+1,i] <= kept[j,i] + compute[j,i] + pagein[j,i],  kept[j,i] <= live[j,i], live[j+1,i]
 *   1, compute[j,k] <= live[j,i] + compute[j,i] + pagein[j,i]     edge (i,k), the 1 where k is
 *                                                     first computed in the interval and i before
 *   pagein[j,i] <= out[i];  <= sum of compute[j,k] over the users k of i, unless one of them is
 * first computed in the interval: in an optimal schedule that pages in late bytes of live[j,.] and
 * of the point's node <= budget load[j] + bytes of k and its inputs, those kept not twice <= budget
 * for each k first computed within the interval; with a factor compute[j,k] else seconds of
 * recomputations (and transfers, where they count) within the deadline
 *
 * The cost counts one recomputation and one page-in per interval and one page-out per tensor: never
 * more than what the schedule pays. So every bound on the coarse model bounds the problem, and a
 * solution that a schedule with the same cost follows is optimal. More points make it tighter and
 * larger; with few of them it is solved to integrality where the LP of all stages, which spreads
 * one recomputation over many of them, is not even finished.
 *
 * Idea: dynamic discretisation discovery, Boland, Hewitt, Marshall, Savelsbergh, The
 * continuous-time service network design problem (Operations Research 65, 2017). */
#ifndef FORMULATION_COARSE_H
#define FORMULATION_COARSE_H

#include "formulation/formulation.h"

typedef struct coarse {
    const problem *problem; /* borrowed */
    int points, *point;     /* stages, ascending */
    lp_model *model;        /* minimises joules of overhead times the scale */
    /* Columns, -1: none, for being 0 or 1 in any case; extent (points+1)*n */
    int *live, *kept, *compute, *pagein;
    int *out; /* extent n */
} coarse;

/* point: `points` >= 1 stages, ascending, each below n. features: those of
 * formulation_round_memory. O(points * (n + edges)). */
coarse *coarse_build(const problem *p, unsigned features, const int *point, int points,
                     double scale);
void coarse_free(coarse *c); /* NULL allowed */

/* The schedule that does what the solution x says (extent the model's columns, 0/1 but for
 * rounding) as late as it can be of use. It costs no more than x, and obeys all rules but, maybe,
 * the budget and those on storage; free with schedule_free. O(n^2 + n * edges). */
schedule *coarse_schedule(const coarse *c, const double *x);

/* The first `count` or so points: stages at which keeping everything takes more than the budget,
 * evenly. Writes them ascending to point (extent n), returns their number. */
int coarse_first_points(const problem *p, int count, int *point);

/* The points of c and up to `most` more, ascending: the worst stages of different intervals at
 * which what x needs takes more than the budget, wherever in the intervals it recomputes. point:
 * extent n. Returns their number. */
int coarse_more_points(const coarse *c, const double *x, int most, int *point);

#endif
