/* lp/simplex/compute: the iterate and its parts, from scratch and from pivot to pivot. */
#ifndef LP_COMPUTE_H
#define LP_COMPUTE_H

#include "lp/simplex/engine.h"

/* A row or column is chosen again if its updated steepest edge weight was less than this part of
 * the exact one (Forrest, Goldfarb 1992). */
#define WEIGHT_TRUST 0.25

/* v -= factor * column of variable j. */
void lp_engine_subtract_column(const lp_solver *s, lp_vector *v, int j, double factor);
/* Factorises the present basis; weights move with their variables. A singular basis is repaired,
 * which invalidates the iterate. */
void lp_engine_refactor(lp_solver *s);
/* Computes xb from the nonbasic values, and the infeasibilities. */
void lp_engine_compute_primal(lp_solver *s);
/* Returns work_cost[j] minus the product of column j with the multipliers y (scaled, extent
 * rows). */
double lp_engine_reduced_cost(const lp_solver *s, int j, const double *y);
/* Computes d from work_cost, and dual_objective. */
void lp_engine_compute_dual(lp_solver *s);
/* Computes dual_objective from d and value. O(vars) */
void lp_engine_compute_objective(lp_solver *s);
/* Applies the pending right-hand side to xb. */
void lp_engine_apply_shift(lp_solver *s);
/* Updates the infeasibility of position p from xb, lb, ub; lists p if it is positive. */
void lp_engine_check_position(lp_solver *s, int p);
/* The same for all positions, hidden ones too. */
void lp_engine_check_all(lp_solver *s);
/* True if no position is infeasible, by the last checks. */
bool lp_engine_is_feasible(const lp_solver *s);
/* rho := row p of the inverse of the basis; column := column of variable j times the inverse. Both
 * are kept for lp_engine_update_factor. */
void lp_engine_btran_unit(lp_solver *s, int p);
void lp_engine_ftran_column(lp_solver *s, int j);
/* alpha := rho' A over the columns (the logicals' part is rho itself). */
void lp_engine_price(lp_solver *s);
/* d -= theta * the row of alpha and rho, for nonbasic variables. Returns the largest change. */
double lp_engine_move_duals(lp_solver *s, double theta);
/* Returns the relative difference of a pivot element from the row and from the column. */
double lp_engine_disagreement(lp_solver *s, double row, double column);
/* Replaces the column in position p of the factors; alpha is the pivot element. True if a new
 * factorisation should follow; an inaccurate update counts as a trouble. */
bool lp_engine_update_factor(lp_solver *s, int p, double alpha);
/* Puts nonbasic j on the bound that suits d_j. A boxed j keeps its side if |d_j| is within the
 * tolerance. Adds a move to shift and to the objective. True if j is dual feasible. */
bool lp_engine_place_nonbasic(lp_solver *s, int j);
/* The same for all nonbasic variables; sets dual_clean. */
void lp_engine_place_all(lp_solver *s);
/* Exchanges head[p] for q; the leaving variable goes to its upper bound if to_upper, else to its
 * lower bound. */
void lp_engine_exchange(lp_solver *s, int p, int q, double entering_value, bool to_upper);
/* Returns the status of a reached limit, LP_UNSOLVED for none. Checks the clock at intervals of
 * work. */
lp_status lp_engine_poll(lp_solver *s);
/* True if a limit ended the solve. */
bool lp_is_stopped(lp_status status);
/* Charges the work since the last call to base_work_count. */
void lp_engine_charge(lp_solver *s);
/* Begins a simplex: sets its counts to 0, unless it goes on from a limit. */
void lp_engine_begin_simplex(lp_solver *s, bool primal);
/* True if the simplex should give up: too many steps, or too frequent troubles. It cycles, or its
 * factors are inaccurate. */
bool lp_engine_is_hopeless(const lp_solver *s);
/* lo, up := lower, upper, if they are perturbed; xb must be computed again. */
void lp_engine_restore_bounds(lp_solver *s);
/* work_cost := cost; d must be computed again. */
void lp_engine_restore_costs(lp_solver *s);

/* Writes one line of progress on stderr if params.log. */
void lp_engine_log(const lp_solver *s, const char *phase);

#endif
