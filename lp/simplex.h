/* lp/simplex: the bounded dual and primal simplex on a sparse model, with warm starts. Rows are
 * added and removed in place.
 *
 * Working form (slack s_r = activity of row r, one logical variable per row):
 *
 *     minimise c'x   subject to   A x - s = 0,   l <= (x,s) <= u
 *
 * Variables 0..cols-1 are the columns; variable cols+r is the logical of row r. The dual value
 * y_r of row r has the sign for which the reduced cost of column j is d_j = c_j - sum_r y_r a_rj.
 * At an optimum d_j >= 0 where x_j is at its lower bound, and <= 0 at its upper bound. Likewise
 * y_r >= 0 where row r is at its lower bound, and <= 0 at its upper bound. */
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
    LP_TIME_LIMIT,      /* from here to LP_WORK_LIMIT as in base_stop */
    LP_MEMORY_LIMIT,
    LP_INTERRUPTED,
    LP_WORK_LIMIT,
    LP_NUMERICAL_TROUBLE /* not solved to the tolerances; nothing is claimed */
} lp_status;

const char *lp_status_name(lp_status status); /* "optimal", "infeasible", ... */

/* Returns the status of a limit of the run; LP_UNSOLVED for BASE_GO. */
static inline lp_status lp_limit_status(base_stop stop)
{
    return stop == BASE_GO ? LP_UNSOLVED : (lp_status)(LP_TIME_LIMIT + (stop - BASE_STOP_TIME));
}

/* Returns the limit of the run that the status means; BASE_GO: none. */
static inline base_stop lp_status_limit(lp_status status)
{
    const bool limit = status >= LP_TIME_LIMIT && status <= LP_WORK_LIMIT;
    return limit ? (base_stop)(BASE_STOP_TIME + (status - LP_TIME_LIMIT)) : BASE_GO;
}

typedef enum lp_basis_status {
    LP_AT_LOWER = 0,
    LP_AT_UPPER,
    LP_BASIC,
    LP_FREE, /* nonbasic free, value 0 */
    LP_FIXED /* nonbasic, lower == upper */
} lp_basis_status;

/* The simplex that a solve starts with. */
typedef enum lp_method { LP_METHOD_DUAL = 0, LP_METHOD_PRIMAL } lp_method;

typedef struct lp_params {
    double cutoff;        /* stop once the dual objective exceeds it; default INFINITY */
    long iteration_limit; /* per solve; default LONG_MAX */
    bool scale;           /* geometric scaling by powers of two; default true */
    lp_method method;     /* default LP_METHOD_DUAL */
    bool log;             /* progress, in lines on stderr; default false */
    uint64_t seed;        /* seed of the perturbation; default 1 */
    base_limits limits;
    lp_tuning tuning; /* parameters of lp/tuning.h */
} lp_params;

lp_params lp_params_default(void);

typedef struct lp_solver lp_solver;

/* Creates a solver with the slack basis for a private copy of the model. Integrality is ignored.
 * params NULL: defaults. */
lp_solver *lp_solver_create(const lp_model *m, const lp_params *params);
void lp_solver_free(lp_solver *s);         /* NULL allowed */
lp_params *lp_solver_params(lp_solver *s); /* may be changed between solves */

/* Tolerance of bounds, sides and reduced costs. 1e-7 for bounds and sides after repeated numerical
 * trouble; for reduced costs at least the rounding error of the costs. */
#define LP_TOLERANCE 1e-9

/* Solves from the present basis, with the dual simplex unless params.method is LP_METHOD_PRIMAL.
 * Phase 1 of the dual runs if the basis is not dual feasible and neither bound flips nor small
 * cost shifts make it so. The primal simplex cleans up after shifted costs. It also runs if the
 * basis is primal feasible but not dual feasible; not from the slack basis of a new solver. If a
 * limit ended the last solve, and the model, the basis, the cutoff and the method are the same
 * since, goes on where it stopped. */
lp_status lp_solve(lp_solver *s);

/* Results of the last lp_solve, unscaled. Arrays belong to the solver and are valid until its
 * next change. x: extent cols; activity, y: extent rows. */
lp_status lp_last_status(const lp_solver *s);
double lp_objective(const lp_solver *s);      /* primal objective with the offset */
double lp_dual_objective(const lp_solver *s); /* objective of the last dual feasible basis;
                                                 -INFINITY: none. Not safe in floating point: see
                                                 lp/safe.h */
const double *lp_primal(const lp_solver *s);
const double *lp_activity(const lp_solver *s);
const double *lp_dual(const lp_solver *s);
/* After LP_INFEASIBLE: multipliers, extent rows, that pass lp_farkas_is_proof of lp/safe.h. If
 * free or one-sided columns leave no proof free of rounding, they prove infeasibility within
 * 1e-13. Zeros if the bounds of a variable cross. */
const double *lp_farkas(const lp_solver *s);
/* After LP_UNBOUNDED: direction with c'ray < 0, extent cols. */
const double *lp_ray(const lp_solver *s);
long lp_iterations(const lp_solver *s); /* since creation, all phases */

/* The solver's own model, with all changes so far. */
const lp_model *lp_solver_model(const lp_solver *s);

/* Functions that change the model in place. The basis stays usable; the next lp_solve starts from
 * it. */
void lp_set_bounds(lp_solver *s, int col, double lower, double upper);
/* Adds rows with basic logicals: a dual feasible basis stays dual feasible. */
void lp_add_rows(lp_solver *s, int count, const double *lower, const double *upper,
                 const int *row_start, const int *cols, const double *values);
/* Deletes the rows r with drop[r]. If the logical of a deleted row is nonbasic, some other variable
 * leaves the basis for it. */
void lp_delete_rows(lp_solver *s, const bool *drop);

/* Basis: one lp_basis_status per variable, extent cols + rows. lp_set_basis repairs a basis that
 * is singular or has the wrong number of basic variables. */
void lp_get_basis(const lp_solver *s, unsigned char *status);
void lp_set_basis(lp_solver *s, const unsigned char *status);
/* Pivots towards a basis with duals y (extent rows, as returned by lp_dual), or as good.
 * Starts from the present basis. The work grows with the number of basic variables that have a
 * reduced cost by y. x (extent cols; NULL: unknown) is the primal solution that belongs to y. If
 * x and y are optimal, the final basis is optimal too, as a rule; wrong multipliers are changed.
 * Ends early at a limit of params. Returns the number of pivots: about one for each basic
 * variable with a reduced cost. */
int lp_push_duals(lp_solver *s, const double *y, const double *x);
/* Sets the slack basis: logicals basic, columns at the lower bound, or at the only finite one. */
void lp_set_slack_basis(lp_solver *s);

/* Prepares the basis of m for a model that keeps only the variables with kept. status and kept
 * have extent cols + rows; status may continue with further rows. A removed row with a nonbasic
 * logical leaves one basic variable too many. Then one of its columns becomes nonbasic: a kept
 * basic column at a bound in x (extent cols), so that x stays the basic solution. Makes at most
 * `excess` variables nonbasic and returns their number. O(entries of m). */
int lp_basis_shrink(const lp_model *m, const bool *kept, const double *x, int excess,
                    unsigned char *status);

/* Computes the multipliers rho (extent rows) of the row of the simplex tableau for the basic
 * variable in position `row` of the basis header; the row is rho'A. Requires LP_OPTIMAL. */
void lp_tableau_row(lp_solver *s, int row, double *rho);
/* Basis header: variable number in each position, extent rows. */
const int *lp_basis_header(const lp_solver *s);

#endif
