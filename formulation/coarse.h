/* formulation/coarse: POET on a coarse timeline, a relaxation of a size that does not grow with
 * n^2.
 *
 * Of the n stages a few are chosen as points; the time between two points is an interval, in
 * which the order of events is forgotten. Point number j = 1 .. points is the moment at which stage
 * point[j-1] computes its own node; interval j lies behind point j (interval 0 before the first)
 * and ends with the next point, the last one with the last stage. Columns, all 0/1:
 *
 *   live[j,i]     i is in RAM at point j
 *   kept[j,i]     i stays in RAM from point j through interval j to point j+1
 *   compute[j,i]  i is computed again within interval j
 *   pagein[j,i]   i comes from storage and is there within interval j
 *   out[i]        i is ever written to storage
 *
 * load[j] is the number of bytes of kept[j,.]. Rows:
 *
 *   live[j+1,i] <= kept[j,i] + compute[j,i] + pagein[j,i]
 *   kept[j,i] <= live[j,i]
 *   kept[j,i] <= live[j+1,i]
 *
 *   For an edge (i,k), i before the interval: the node k has its input.
 *     k first computed in the interval:  1 <= live[j,i] + compute[j,i] + pagein[j,i]
 *     k before the interval:             compute[j,k] <= the same sum; left out where it follows
 *                                        from a row of the first kind
 *
 *   pagein[j,i] <= out[i]
 *   pagein[j,i] <= sum of compute[j,k] over the users k of i, unless one of them is first computed
 *   in the interval
 *
 *   With m the first interval behind j in which a user of i is first computed:
 *     1 <= kept[j,i] + out[i] + sum of compute[j..m,i]
 *
 *   Memory at point j: live[j,.] and the point's node with its workspace fit into the budget.
 *   Memory in interval j, for each node k: load[j], k, its workspace and its inputs fit; a kept
 *   input counts once. For k before the interval the row holds if compute[j,k] is 1.
 *
 *   In an interval of one stage t the order of the nodes is known. There the following rows replace
 *   the memory rows of the interval. needed[i,k] in [0,1] says that i < k is still needed at event
 *   k of stage t or later; from[i] says that i is in RAM when stage t begins.
 *     needed[i,k] >= compute[j,u] for a user u >= k of i, u < t
 *     needed[i,k] >= live[j+1,i]
 *     from[i] >= needed[i,0] - compute[j,i]
 *     from[i] >= kept[j,i]
 *     for each k < t, if compute[j,k] is 1: needed[i,k] of i < k, from[i] of i >= k, k and its
 *     workspace fit into the budget
 *
 *   The seconds of recomputations (and of transfers, if they count) fit into the deadline's slack.
 *   The sum of compute[.,i] is at most the limit on computations, less the first one.
 *
 * Each row holds for every schedule, except that which limits page-ins by their users. (A tensor
 * that is needed at event k of stage t or later and is before k in the order has its only copy in
 * stage t by then. A tensor that is needed and not computed in t was there as t began, until that
 * need ends. A tensor that is there for user m, and neither kept nor computed in between, was paged
 * in.) The exception holds for some optimal schedule: remove the recomputations and page-ins
 * that nothing needs, but not the releases that they made, and delay each page-in to the stage
 * before its first use. No change costs more or takes more memory at any moment.
 *
 * The cost counts one recomputation and one page-in per interval and one page-out per tensor, never
 * more than the schedule pays. So each bound on the coarse model bounds the problem, and a solution
 * is optimal if a schedule with its cost exists. With more points the model is tighter and larger.
 * With few points it is solved to integrality sooner than the LP of all stages, which spreads one
 * recomputation over many stages. Without page-ins, the timeline in which each stage is a point is
 * the problem itself.
 *
 * Idea: dynamic discretisation discovery, Boland, Hewitt, Marshall, Savelsbergh, The
 * continuous-time service network design problem (Operations Research 65, 2017). */
#ifndef FORMULATION_COARSE_H
#define FORMULATION_COARSE_H

#include "formulation/formulation.h"

typedef enum coarse_column_kind {
    COARSE_OUT,
    COARSE_LIVE,
    COARSE_KEPT,
    COARSE_COMPUTE,
    COARSE_PAGEIN,
    COARSE_LOAD,   /* bytes times byte_scale, as COARSE_THERE */
    COARSE_NEEDED, /* i by k or later, in an interval of one stage */
    COARSE_FROM,
    COARSE_THERE, /* bytes beside k at its event, times byte_scale */
    COARSE_STAY,  /* formulation/coarse_fate.h, as the next one and COARSE_ROW_AWAY */
    COARSE_EARLY
} coarse_column_kind;

/* Of interval or point j, in the order of the text above. */
typedef enum coarse_row_kind {
    COARSE_ROW_LIVE,   /* live[j+1,i] <= ... */
    COARSE_ROW_LEFT,   /* kept[j,i] <= live[j+1,i] */
    COARSE_ROW_KEPT,   /* kept[j,i] <= live[j,i] */
    COARSE_ROW_INPUT,  /* i of k */
    COARSE_ROW_STORED, /* pagein[j,i] <= out[i] */
    COARSE_ROW_USED,   /* pagein[j,i] <= users */
    COARSE_ROW_BACK,   /* kept[j,i], compute[j..m,i] or out[i] */
    COARSE_ROW_LOAD,   /* bytes of kept[j,.] <= load[j]; in units of byte_scale, as the next two */
    COARSE_ROW_MEMORY, /* at point j */
    COARSE_ROW_ROOM,   /* for k in interval j */
    COARSE_ROW_DEADLINE,     /* times formulation_deadline_scale */
    COARSE_ROW_COMPUTATIONS, /* of i */
    /* Of an interval of one stage: */
    COARSE_ROW_AGAIN, /* needed[i,k] >= compute[j,k] */
    COARSE_ROW_LATER, /* needed[i,k] >= needed[i,.] of the next one, or live[j+1,i] */
    COARSE_ROW_FROM,  /* from[i] >= needed[i,0] - compute[j,i] */
    COARSE_ROW_STAYS, /* from[i] >= kept[j,i] */
    COARSE_ROW_THERE, /* bytes beside k at its event; in units of byte_scale, as the next one */
    COARSE_ROW_EVENT, /* bytes beside k and those of k */
    COARSE_ROW_AWAY,  /* stay[i] + early[i] + actions on i >= 1 */
    COARSE_ROW_KINDS
} coarse_row_kind;

typedef struct coarse {
    const problem *problem; /* borrowed */
    int points, *point;     /* stages, ascending */
    lp_model *model;        /* minimises joules of overhead times the scale */
    double byte_scale;      /* model units per byte, a power of two */
    /* Meaning of columns and rows: kind, point or interval as t, i and k (-1: none); extents:
     * columns and rows of the model. */
    formulation_key *column, *row;
    /* Columns, extent (points+1)*n; -1: none, as the point's own node is live for certain and other
     * tensors are not yet computed or of no use any more. */
    int *live, *kept, *compute, *pagein;
    int *out; /* extent n */
} coarse;

/* Index of interval or point j and tensor i in live, kept, compute, pagein. */
static inline size_t coarse_cell(const coarse *c, int j, int i)
{
    return (size_t)j * (size_t)c->problem->graph->n + (size_t)i;
}

/* Last stage before interval j; its stages are coarse_before + 1 .. coarse_end. */
static inline int coarse_before(const coarse *c, int j)
{
    return j > 0 ? c->point[j - 1] : -1;
}

static inline int coarse_end(const coarse *c, int j)
{
    return j < c->points ? c->point[j] : c->problem->graph->n - 1;
}

/* Builds the model. point: `points` >= 1 stages, ascending, each below n. features: those of
 * formulation_round_memory. O(points * (n + edges)). */
coarse *coarse_build(const problem *p, unsigned features, const int *point, int points,
                     double scale);
void coarse_free(coarse *c); /* NULL allowed */

/* The same for the stages before a moment m in the stage of the last point: its beginning, or any
 * time up to the event of its own node. live of the last point means in RAM at m, and has lower
 * bounds of 0. Later actions have upper bounds of 0, and later rows are left out. The model holds
 * for each m. */
coarse *coarse_build_before(const problem *p, unsigned features, const int *point, int points,
                            double scale);

/* The schedule of solution x (extent: the model's columns, 0/1 up to rounding) with each action
 * as late as possible. It costs at most as much as x. It obeys all rules except, perhaps, the
 * budget and the rules of storage. Free it with schedule_free. O(n^2 + n * edges). */
schedule *coarse_schedule(const coarse *c, const double *x);

/* s has its recomputations and page-ins alone: adds residency in RAM and on storage for them, and
 * each page-out in its first stage, and prunes s. O(n^2 + n * edges). */
void coarse_complete(const graph *g, schedule *s);

/* Initial points: the stages in which checkpoint-all exceeds the budget, in `count` equal parts,
 * and of each part the stage of the largest memory. Writes them ascending to point (extent
 * `count`); returns their number, less than `count` if there are fewer such stages. O(n). */
int coarse_first_points(const problem *p, int count, int *point);

/* The stage that leaves least memory at its own event beside the tensors that may neither be
 * computed again nor paged; the last one among equals. -1: there is no such tensor. O(n + edges).
 */
int coarse_tightest_stage(const problem *p);

/* Lower bound on the overhead, joules. At the first point tensors that are read later have to
 * leave RAM, and each pays at least a recomputation or a page-out and a page-in: a fractional
 * knapsack. At most the bound of the timeline with this point, without an LP. O(n log n). */
double coarse_cover_bound(const problem *p);

/* Refines the timeline: writes the points of c and up to `most` more, ascending. New points are
 * the worst stages of different intervals in which the tensors that x needs exceed the budget for
 * every choice of the moments of recomputation. If there is none, the stages in which
 * coarse_schedule exceeds it become points, each in an interval of one stage. point: extent n.
 * Returns the number of points; that of c if there is no excess or nothing to refine. O(n^2 + n *
 * edges). */
int coarse_more_points(const coarse *c, const double *x, int most, int *point);

#endif
