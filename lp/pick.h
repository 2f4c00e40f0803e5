/* lp/pick: of all optimal duals of an LP, those with large reduced costs. */
#ifndef LP_PICK_H
#define LP_PICK_H

#include "lp/simplex.h"

/* A degenerate LP has many optimal duals, and the simplex ends with any of them: most of their
 * reduced costs are zero, though nearly every column at a bound has a positive one in some. The
 * picked ones maximise the sum of min(|d_j|, enough) over the columns with side[j] != 0 (extent
 * cols): 1 for a column that is at its lower bound at the optimum, -1 for one at its upper. They
 * are the duals of the same LP in which the first little step that such a column moves from its
 * bound is paid with `enough`:
 *
 *     x_j = l_j + v_j + u_j,  0 <= u_j <= step,  the cost of u_j is c_j - enough
 *
 * (at an upper bound with signs changed). The step is so small (1e-4) that their bound in the true
 * LP is the optimum again, as a rule; at worst it is less by `enough` times the step times the
 * number of sides.
 *
 * lp: solved, LP_OPTIMAL; it stays as it is. y: extent rows, gets the duals. iterations: how many
 * it took, added. It may take two per side; what it has by then is not the best,
 * but good for the purpose. False when there are none, for whatever reason. Another LP from lp's
 * basis; as a rule less than an iteration per column with a side.
 *
 * Idea: Bajgiran, Cire, Rousseau, A First Look at Picking Dual Variables for Maximizing Reduced
 * Cost Fixing (CPAIOR 2017). */
bool lp_pick_duals(const lp_solver *lp, const signed char *side, double enough, double *y,
                   long *iterations);

#endif
