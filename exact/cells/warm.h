/* exact/cells/warm: bases and duals that are carried over from one model to another. Not for
 * others. */
#ifndef EXACT_WARM_H
#define EXACT_WARM_H

#include "exact/cells/working.h"

/* Returns a basis for the model of f with `cuts` cuts as rows after its own: statuses of columns,
 * then rows. It is the basis of from's LP, matched by the meaning of rows and columns. The first
 * cuts are from's cuts. New rows and columns use the extension of from's duals if from was extended
 * last. point (extent columns of f; may be NULL): receives the LP solution. Free with base_free. */
unsigned char *warm_basis(const engine *e, const formulation *f, int cuts, const working *from,
                          double *point);

/* Returns duals for the rows of f, then for `cuts` cuts, of which the first are from's. They stem
 * from the extension of from's duals if from was extended last, else from from's own duals. Parts
 * of f without a counterpart get 0. Free with base_free. */
double *warm_duals(const engine *e, const formulation *f, int cuts, const working *from);

#endif
