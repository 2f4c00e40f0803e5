/* lp/simplex/dual: the dual simplex, its phase 1 and its ratio test. */
#ifndef LP_DUAL_H
#define LP_DUAL_H

#include "lp/simplex/engine.h"

/* The pivot of one iteration. */
typedef struct lp_pivot {
    int row;                        /* position of the leaving variable; -1: primal feasible */
    int leaving, entering;          /* entering -1: dual unbounded */
    bool to_upper;                  /* the leaving variable exceeds its upper bound */
    double alpha_zero;              /* row elements up to this size are no candidates */
    double alpha_row, alpha_column; /* pivot element from price and from ftran */
    double theta_dual;
    int flips; /* entries of s->flips: variables that move to their other bound */
} lp_pivot;

/* Runs the dual simplex from a dual feasible basis (with respect to work_cost, lo and up).
 * LP_OPTIMAL: primal feasible too; LP_INFEASIBLE: rho is a dual ray. */
lp_status lp_dual_simplex(lp_solver *s);
/* Returns the largest reduced cost of the wrong sign. O(vars) */
double lp_dual_infeasibility(const lp_solver *s);
/* Leads to a dual feasible basis, if there is one: runs the dual simplex on a subproblem that
 * minimises dual infeasibility, or goes on with it after a limit. The bounds of the subproblem are
 * in force afterwards (bounds_perturbed). */
lp_status lp_dual_phase1(lp_solver *s);
/* Chooses the leaving position by dual steepest edge; computes rho and its exact weight. */
void lp_dual_choose_row(lp_solver *s, lp_pivot *pivot);
/* The first computes tau, B^-1 rho, and the second the weights after the pivot. */
void lp_dual_ftran_weights(lp_solver *s);
void lp_dual_update_weights(lp_solver *s, const lp_pivot *pivot);
/* Chooses the entering variable by the bound flipping ratio test on alpha and rho. */
void lp_dual_choose_column(lp_solver *s, lp_pivot *pivot);
/* Collects the nonbasic variables with a reduced cost that moves towards zero when the
 * multipliers move along sign * rho. ratio_var gets the variables, ratio_alpha the rates (>
 * zero), ratio_dual the reduced costs. Returns their number. */
int lp_dual_collect(lp_solver *s, double sign, double zero);

#endif
