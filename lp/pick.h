/* lp/pick: among all optimal duals of an LP, duals with large reduced costs. */
#ifndef LP_PICK_H
#define LP_PICK_H

#include "lp/simplex.h"

/* A degenerate LP has many optimal duals, and the simplex ends with an arbitrary one. Most of its
 * reduced costs are zero, although nearly every column at a bound has a positive one in some
 * optimal dual. The picked duals maximise the sum of min(|d_j|, enough) over the columns with
 * side[j] != 0 (extent cols; 1: at its lower bound at the optimum, -1: at its upper bound). They
 * are the duals of an LP that rewards the first small step of such a column from its bound with
 * `enough`:
 *
 *     x_j = l_j + v_j + u_j,  0 <= u_j <= step,  the cost of u_j is c_j - enough
 *
 * (at an upper bound with signs changed). The step is small (1e-4): in the true LP the bound of
 * these duals is the optimum again, as a rule. At worst it is less by `enough` times the step
 * times the number of sides.
 *
 * lp: solved, LP_OPTIMAL; unchanged. y: extent rows, gets the duals. iterations: increased by the
 * iterations used, at most two per side. At that limit the duals are not the best ones, but good
 * for the purpose. False if there are none. Solves another LP from the basis of lp; as a rule
 * less than one iteration per column with a side.
 *
 * Idea: Bajgiran, Cire, Rousseau, A First Look at Picking Dual Variables for Maximizing Reduced
 * Cost Fixing (CPAIOR 2017). */
bool lp_pick_duals(const lp_solver *lp, const signed char *side, double enough, double *y,
                   long *iterations);

#endif
