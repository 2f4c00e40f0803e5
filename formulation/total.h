/* formulation/total: weighted sums of actions that are integers in every schedule.
 *
 * Tensors of equal cost are as good as interchangeable to the LP, which takes a part of each. Where
 * costs are multiples of each other, as those of activation functions are, which cost as much as
 * they have bytes, it trades a dear action for several cheap ones at the same price, and its bound
 * stands still while cells are branched on. The sums leave it no such way out: branching on them
 * decides first what is spent, then on which cells. */
#ifndef FORMULATION_TOTAL_H
#define FORMULATION_TOTAL_H

#include "formulation/formulation.h"

/* The sum, over all stages t and tensors i, of weight[i] times cell (t,i) of the kind. */
typedef struct formulation_total {
    cell_kind kind;  /* CELL_R, CELL_IN or CELL_OUT */
    bool leading;    /* to be branched on before the others */
    int64_t *weight; /* extent graph->n, >= 0; 0: not in it */
} formulation_total;

/* The totals of a graph, the same for every model of it. Leading are those of the recomputations
 * of tensors whose costs are multiples of the least among them, in units of that; the numbers of
 * page-ins and of page-outs; and their bytes, in units likewise. The others count the
 * recomputations of all tensors of equal cost, and the page-outs of all of equal size: once the
 * leading ones are settled, how many of each size they are made of is what the LP still mixes.
 * Returns their number; *totals is freed by formulation_totals_free. O(n^2) for each */
int formulation_totals(const graph *g, formulation_total **totals);

/* Joules of the unit of the leading total in which most tensors' recomputations are; 0 without one.
 * Where the gap is a small part of that, few values of the total are left, and branching on it
 * decides much; where it is larger, nothing. */
double formulation_total_unit(const graph *g);
void formulation_totals_free(formulation_total *totals, int count); /* NULL allowed */

#endif
