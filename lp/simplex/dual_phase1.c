/* Phase 1 of the dual simplex: the boxed subproblem (Koberstein, thesis 2005, section 4.3; as
 * "artificial bounds" also in Maros, Computational techniques of the simplex method, 2003). */
#include <math.h>
#include <string.h>

#include "lp/simplex/compute.h"
#include "lp/simplex/dual.h"

#define FREE_BOX 1000.0 /* weight of a free variable; a variable with one bound has 1 */

/* Sets the bounds of j in the subproblem. A dual infeasibility of size d costs d, for free
 * variables FREE_BOX d. Variables with two bounds cost nothing: they can be placed on the side
 * that suits their reduced cost. */
static void set_box(lp_solver *s, int j)
{
    const bool low = s->lower[j] > -INFINITY, high = s->upper[j] < INFINITY;
    const double size = low || high ? 1.0 : FREE_BOX;
    s->lo[j] = low ? 0.0 : -size;
    s->up[j] = high ? 0.0 : size;
}

double lp_dual_infeasibility(const lp_solver *s)
{
    double largest = 0.0;
    for (int j = 0; j < s->vars; j++)
        largest = lp_max(largest, lp_engine_wrong_sign(s, j));
    return largest;
}

lp_status lp_dual_phase1(lp_solver *s)
{
    const double cutoff = s->cutoff;
    for (int j = 0; j < s->vars; j++)
        set_box(s, j);
    s->bounds_perturbed = s->had_phase1 = true;
    s->cutoff = INFINITY;
    lp_engine_place_all(s);
    lp_engine_compute_objective(s);
    lp_engine_compute_primal(s);
    lp_status status = lp_dual_simplex(s);
    s->cutoff = cutoff;
    return status;
}
