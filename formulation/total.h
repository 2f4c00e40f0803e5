/* formulation/total: weighted sums of actions that are integers in every schedule.
 *
 * Tensors of equal cost are almost interchangeable to the LP, which takes a part of each. Where
 * costs are multiples of each other, it trades a dear action for several cheap ones at the same
 * price. Costs of activation functions are such: they grow with their bytes. The bound then does
 * not rise while cells are branched on. Branching on the sums prevents this: it decides first on
 * the amount spent, then on the cells. */
#ifndef FORMULATION_TOTAL_H
#define FORMULATION_TOTAL_H

#include "formulation/formulation.h"

/* The sum, over all stages t and tensors i, of weight[i] times cell (t,i) of the kind. */
typedef struct formulation_total {
    cell_kind kind;  /* CELL_R, CELL_IN or CELL_OUT */
    bool leading;    /* to be branched on before the others */
    int64_t *weight; /* extent graph->n, >= 0; 0: not in it */
} formulation_total;

/* Finds the totals of a graph, the same for every model of it. Leading totals: recomputations of
 * tensors with costs that are multiples of the least among them, in units of this least cost; the
 * numbers of page-ins and of page-outs; and their bytes, in units likewise. The other totals count
 * the recomputations of all tensors of equal cost, and the page-outs of all tensors of equal size.
 * They help once the leading totals are integral, since the LP still mixes tensors of several
 * sizes. Returns the number of totals; *totals is freed by formulation_totals_free. O(n^2) for each
 */
int formulation_totals(const graph *g, formulation_total **totals);

/* Joules of the unit of the leading total in which most tensors' recomputations are; 0 without one.
 * Where the gap is a small part of this unit, few values of the total are left, and branching on it
 * decides much; where it is larger, nothing. */
double formulation_total_unit(const graph *g);
void formulation_totals_free(formulation_total *totals, int count); /* NULL allowed */

#endif
