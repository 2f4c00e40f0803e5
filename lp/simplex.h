/* lp/simplex: the bounded dual and primal simplex on a sparse model, with warm
 * starts, rows and columns added and removed in place.
 *
 * Working form (slack s_r = row r's activity, a logical variable per row):
 *
 *     minimise c'x   subject to   A x - s = 0,   l <= (x,s) <= u
 *
 * Variables are numbered 0..cols-1 for the columns and cols+r for the logical of
 * row r. The dual value y_r of row r has the sign for which the reduced cost of
 * column j is d_j = c_j - sum_r y_r a_rj; at an optimum d_j >= 0 where x_j is at
 * its lower bound, <= 0 at its upper; y_r >= 0 where row r is at its lower bound,
 * <= 0 at its upper. */
#ifndef LP_SIMPLEX_H
#define LP_SIMPLEX_H

#include "lp/model.h"
#include "lp/tuning.h"

typedef enum lp_status {
    LP_UNSOLVED = 0,
    LP_OPTIMAL,
    LP_INFEASIBLE,      /* lp_farkas is valid */
    LP_UNBOUNDED,       /* lp_ray is valid, primal is a feasible point */
    LP_CUTOFF,          /* dual objective passed params.cutoff; dual is feasible */
    LP_ITERATION_LIMIT, /* dual bound of the last dual feasible basis is kept */
    LP_TIME_LIMIT,
    LP_MEMORY_LIMIT,
    LP_INTERRUPTED,
    LP_NUMERICAL_TROUBLE /* could not be solved to the tolerances; nothing is claimed */
} lp_status;

const char *lp_status_name(lp_status status); /* "optimal", "infeasible", ... */
lp_status lp_limit_status(base_stop stop);    /* LP_UNSOLVED for BASE_GO */

typedef enum lp_basis_status {
    LP_AT_LOWER = 0,
    LP_AT_UPPER,
    LP_BASIC,
    LP_FREE, /* nonbasic free, value 0 */
    LP_FIXED /* nonbasic, lower == upper */
} lp_basis_status;

/* The simplex that a solve begins with. */
typedef enum lp_method { LP_METHOD_DUAL = 0, LP_METHOD_PRIMAL } lp_method;

typedef struct lp_params {
    double primal_tolerance; /* 1e-9; where rounding errors leave no basis within it, 1e-7 counts */
    double dual_tolerance;   /* 1e-9, or what rounding errors of the costs leave of it */
    double cutoff;           /* stop when the dual objective exceeds it; INFINITY */
    long iteration_limit;    /* per solve; LONG_MAX */
    bool scale;              /* geometric, powers of two; true */
    lp_method method;        /* LP_METHOD_DUAL */
    int log;                 /* 0 silent, 1 summary, 2 progress; lines on stderr */
    uint64_t seed;           /* of the perturbation */
    base_limits limits;
    lp_tuning tuning; /* effort */
} lp_params;

lp_params lp_params_default(void);

typedef struct lp_solver lp_solver;

/* A solver for a private copy of the model (integrality is ignored), with the
 * slack basis. params NULL: defaults. */
lp_solver *lp_solver_create(const lp_model *m, const lp_params *params);
/* Copy with model, basis, factors' inputs and weights; for another thread. */
lp_solver *lp_solver_copy(const lp_solver *s);
void lp_solver_free(lp_solver *s);         /* NULL allowed */
lp_params *lp_solver_params(lp_solver *s); /* may be changed between solves */

/* Solves from the present basis. Dual simplex, after its phase 1 where the basis is not dual
 * feasible and flipping bounds or small shifts of costs do not make it so (clean-up by the primal);
 * the primal simplex where the basis, not the slack basis of the beginning, is primal feasible.
 * Unless params.method says otherwise. */
lp_status lp_solve(lp_solver *s);

/* Results of the last lp_solve; arrays belong to the solver and are valid until
 * its next change. x, d: extent cols; activity, y: extent rows. Unscaled. */
lp_status lp_last_status(const lp_solver *s);
double lp_objective(const lp_solver *s);      /* offset included; primal objective */
double lp_dual_objective(const lp_solver *s); /* of the last dual feasible basis; -INFINITY: none.
                                                 Not safe in floating point: see lp/safe.h */
const double *lp_primal(const lp_solver *s);
const double *lp_activity(const lp_solver *s);
const double *lp_dual(const lp_solver *s);
const double *lp_reduced_cost(const lp_solver *s);
/* After LP_INFEASIBLE: multipliers, extent rows, for which lp_farkas_is_proof of
 * lp/safe.h holds; where free or one-sided columns leave no proof free of rounding, ones for
 * which it holds within 1e-13. Zeros when a variable's bounds cross. */
const double *lp_farkas(const lp_solver *s);
/* After LP_UNBOUNDED: direction, extent cols, with c'ray < 0. */
const double *lp_ray(const lp_solver *s);
long lp_iterations(const lp_solver *s); /* since creation, all phases */

int lp_rows(const lp_solver *s);
int lp_cols(const lp_solver *s);

/* Changes in place; the basis stays usable, the next lp_solve starts from it. */
void lp_set_bounds(lp_solver *s, int col, double lower, double upper);
/* New rows' logicals are basic: a dual feasible basis stays dual feasible. */
void lp_add_rows(lp_solver *s, int count, const double *lower, const double *upper,
                 const int *row_start, const int *cols, const double *values);
/* New columns are nonbasic at the finite bound nearest zero: primal feasibility
 * stays. Entries by column, over existing rows. */
void lp_add_cols(lp_solver *s, int count, const double *cost, const double *lower,
                 const double *upper, const int *col_start, const int *rows, const double *values);
/* Rows whose logical is nonbasic may be deleted too: the basis is then repaired. */
void lp_delete_rows(lp_solver *s, const bool *drop);

/* Basis: one lp_basis_status per variable, extent cols + rows. set repairs a basis
 * that is singular or has the wrong number of basic variables. */
void lp_get_basis(const lp_solver *s, unsigned char *status);
void lp_set_basis(lp_solver *s, const unsigned char *status);
/* Dual steepest edge weights (Forrest and Goldfarb, Math. Prog. 57 (1992)) of the basic variables,
 * extent cols + rows, in the variables' own units, the rows' as they are scaled; 0 for the others.
 * set: for the basis at hand, where they are above 0. They decide about the dual's way, not about
 * its answer: from the basis of a similar model, without its weights, each row that is looked at
 * costs a solve first. */
void lp_get_weights(const lp_solver *s, double *weight);
void lp_set_weights(lp_solver *s, const double *weight);
/* Changes the basis into one whose duals are y (extent rows, as lp_dual has them), or as good: what
 * lp_set_basis was told is a start, and the fewer basic variables have a reduced cost by y the
 * less is to be done. x (extent cols; NULL: unknown) is the solution that belongs to y. Where both
 * are optimal, so is the basis in the end, as a rule; where some multipliers are wrong, they are
 * those that change. Ends early at a limit of params. Returns the pivots; about an iteration for
 * each basic variable with a reduced cost. */
int lp_push_duals(lp_solver *s, const double *y, const double *x);
/* The basis of all rows' slacks; columns at their lower bounds, or at what bound they have. */
void lp_set_slack_basis(lp_solver *s);

/* Prepares the basis of m (status, extent cols + rows, and more rows after them are possible) for
 * a model in which only the variables with kept (same extent) are left. A row that bound and goes,
 * since what is left implies it, leaves a basic variable too many: of its columns, one that is
 * kept, basic and at a bound in x (extent cols) becomes nonbasic there, so that x stays the basis'
 * own point. Makes at most `excess` variables nonbasic; returns how many. O(entries of m). */
int lp_basis_shrink(const lp_model *m, const bool *kept, const double *x, int excess,
                    unsigned char *status);

/* Row `row` of the simplex tableau for the basic variable in position `row` of the
 * basis header: alpha_j over all cols (extent cols) and rho over rows (extent rows) with
 * alpha = rho'A. *variable gets the basic variable. Needs LP_OPTIMAL. */
void lp_tableau_row(lp_solver *s, int row, int *variable, double *alpha, double *rho);
/* Basis header: variable number in each position, extent rows. */
const int *lp_basis_header(const lp_solver *s);

#endif
