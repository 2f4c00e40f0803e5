/* lp/rational: the primal simplex in rational arithmetic (GMP): every double of the model is taken
 * at its exact value, nothing is rounded, no tolerance decides. For models that double precision
 * cannot decide, and for answers that are to be exact. */
#ifndef LP_RATIONAL_H
#define LP_RATIONAL_H

#include "lp/answer.h"

/* Solves m (integrality is ignored) from a basis (one lp_basis_status per variable, extent cols +
 * rows; it is repaired where it is singular or no basis; NULL: the slack basis). The status is that
 * of exact arithmetic, or the limit that was reached; of params (NULL: none) only the limits and
 * the iteration limit count, which is also said to be reached when the work is spent (see
 * lp/factor/rational_lu.h; INFINITY: no limit). Values of the answer are the exact ones rounded
 * towards zero, so that points stay within the bounds of their columns; the multipliers of
 * LP_INFEASIBLE and the ray of LP_UNBOUNDED were exact before that, and exact_proof has them so.
 * exact_objective is a fraction, "p/q" or "p", dual_objective the largest double not above it. The
 * caller frees the answer with lp_answer_free.
 *
 * Meant for a basis that is next to optimal: each iteration factorises the basis, and takes
 * O(entries + entries of the factors) operations on numbers of up to some hundred bits a row.
 * Bland's rule, once steps stall, makes it end. */
lp_answer *lp_rational_solve(const lp_model *m, const unsigned char *basis, const lp_params *params,
                             double work);

/* Whether m is small enough for the above to be a matter of some tenths of a second, and an optimum
 * x, y (extents cols and rows) is in doubt: it meets the optimality conditions only within more
 * than the tolerances (relative to the largest side or cost), or rounding errors of the activities
 * or reduced costs may be larger than these, where large terms cancel as nearly singular bases make
 * them. O(entries) */
bool lp_rational_is_wanted(const lp_model *m, const double *x, const double *y,
                           const lp_params *params);

#endif
