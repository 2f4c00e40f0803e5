/* exact/warm: bases and duals that are carried over from one model to another. Not for others. */
#ifndef EXACT_WARM_H
#define EXACT_WARM_H

#include "exact/working.h"

/* The basis of from's LP for the model of f with a number of cuts as rows after its own, of which
 * the first are from's; matched by what rows and columns mean. Statuses of columns, then rows; free
 * with base_free. weights (may be NULL) gets from's for lp_set_weights, likewise to be freed. point
 * (extent the columns of f; may be NULL) gets the LP's solution on them. What is new is taken from
 * the extension of from's duals, if that was the last one. */
unsigned char *warm_basis(const engine *e, const formulation *f, int cuts, const working *from,
                          double **weights, double *point);

/* Duals for the rows of f, then so many cuts, of which the first are from's: the extension of
 * from's, if that was the last one, else from's own. As good as where they come from, except for
 * what f has and that has not. To be freed. */
double *warm_duals(const engine *e, const formulation *f, int cuts, const working *from);

#endif
