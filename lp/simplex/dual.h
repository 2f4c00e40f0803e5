/* lp/simplex/dual: the dual simplex, its phase 1, its ratio test and its perturbation. */
#ifndef LP_DUAL_H
#define LP_DUAL_H

#include "lp/simplex/engine.h"

/* The pivot of one iteration. */
typedef struct lp_pivot {
    int row;                        /* position of the leaving variable; -1: primal feasible */
    int leaving, entering;          /* entering -1: dual unbounded */
    bool to_upper;                  /* the leaving variable exceeds its upper bound */
    double alpha_zero;              /* smaller elements of the row are no candidates */
    double alpha_row, alpha_column; /* pivot element from price and from ftran */
    double theta_dual;
    int flips; /* entries of s->flips: variables that move to their other bound */
} lp_pivot;

/* Dual simplex from a dual feasible basis (to work_cost and lo, up). LP_OPTIMAL: primal
 * feasible too; LP_INFEASIBLE: rho is a ray. */
lp_status lp_dual_simplex(lp_solver *s);
/* The largest reduced cost of a wrong sign. O(vars) */
double lp_dual_infeasibility(const lp_solver *s);
/* Leads to a basis that is dual feasible, if there is one: the dual simplex on the subproblem in
 * which a wrong reduced cost is what costs. Its bounds are in force afterwards (bounds_perturbed).
 */
lp_status lp_dual_phase1(lp_solver *s);
/* Leaving position by dual steepest edge, with rho and its exact weight. */
void lp_dual_choose_row(lp_solver *s, lp_pivot *pivot);
/* weights after the pivot; tau is B^-1 rho. */
void lp_dual_update_weights(lp_solver *s, const lp_pivot *pivot);
/* Entering variable by the bound flipping ratio test on alpha and rho. */
void lp_dual_choose_column(lp_solver *s, lp_pivot *pivot);
/* Nonbasic variables whose reduced cost moves towards zero when the multipliers move along sign
 * times rho, into ratio_var, with the amounts in ratio_alpha (> zero) and ratio_dual; how many. */
int lp_dual_collect(lp_solver *s, double sign, double zero);
/* Perturbs the costs of nonbasic variables, away from zero reduced cost; more where steps stalled
 * although that had been done. */
void lp_perturb_costs(lp_solver *s, bool stalled);

#endif
