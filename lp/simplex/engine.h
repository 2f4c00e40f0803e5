/* lp/simplex/engine: the state shared by the files of the simplex.
 *
 * Inner working form, scaled, with a logical z_r = -(activity of row r) per row so that the slack
 * basis is the identity:
 *
 *     minimise c'x   subject to   A x + z = 0,   lower <= (x,z) <= upper
 *
 * Variable j < cols is a column, cols + r the logical of row r. The scaled value times unit[j] is
 * the unscaled value; unit is a power of two, so that scaling is exact. The scaled matrix is a_rj
 * unit[j] / unit[cols + r]. Scaled costs and reduced costs are the unscaled ones times unit[j]
 * and cost_unit. With y = B^-T c_B the reduced costs are d_j = c_j - y'a_j, d_{cols+r} =
 * c_{cols+r} - y_r. Positions of the basis are rows: the variable head[p] has its pivot in row p.
 */
#ifndef LP_ENGINE_H
#define LP_ENGINE_H

#include <float.h>
#include <math.h>

#include "lp/factor/factor.h"
#include "lp/factor/vector.h"
#include "lp/simplex.h"

/* Expected numbers of nonzeros in the solves of an iteration. */
typedef struct lp_expectations {
    lp_expectation column, row, weight, flip;
} lp_expectations;

/* Counts of the simplex that runs. A solve that goes on after a limit keeps them. */
typedef struct lp_counts {
    long steps, troubles; /* steps; refused rows or columns, and bad updates of the factors */
    long degenerate;      /* degenerate pivots */
    bool perturbed;       /* of the dual: it has perturbed the costs */
} lp_counts;

/* Where a solve stands in its rounds (lp/solve.c). If a limit ends it, the next one goes on from
 * here, unless the model, the basis, the cutoff or the method has changed. */
typedef struct lp_progress {
    int round, troubles; /* rounds; rounds that ended in trouble */
    long stuck_at;       /* iterations at the last trouble; -1: none */
    bool primal;         /* the round starts with the primal simplex */
    bool unconfirmed;    /* only shifted costs reached the cutoff */
    bool runs_primal;    /* the simplex that runs is the primal one */
    bool runs_phase1;    /* it is phase 1 of the dual */
    bool cleans_up;      /* it runs to clean up after shifted costs */
    double cutoff;       /* params when the solve began */
    lp_method method;
} lp_progress;

/* Results, computed from the iterate on request. */
typedef struct lp_results {
    bool farkas_proves; /* farkas proves infeasibility free of rounding */
    bool have_primal, have_dual, have_farkas;
    double *x, *activity, *y, *farkas, *ray; /* extents cols, rows, rows, rows, cols */
} lp_results;

typedef struct lp_saved lp_saved;               /* lp/simplex/saved.c */
typedef struct lp_primal_state lp_primal_state; /* lp/simplex/primal.h */

struct lp_solver {
    lp_params params;
    lp_model *model; /* unscaled, bounds and costs as last set */
    int rows, cols, vars;
    int row_space, var_space; /* extents of the arrays below */

    /* scaled problem; extent vars, matrix parallel to model->index */
    double *unit, *cost, *lower, *upper;
    double *a_value;
    int a_space;
    lp_by_rows by_rows;
    bool has_units;   /* some unit differs from one */
    double row_unit;  /* largest unit of a row, at least 1: unscaled per scaled residual */
    double cost_unit; /* scaled costs and objective are cost_unit times the unscaled ones;
                         a power of two */

    /* basis */
    unsigned char *status; /* extent vars: lp_basis_status in terms of z */
    int *head, *place;     /* extents rows, vars: variable in a position; position or -1 */
    lp_factor *factor;
    double threshold; /* relative pivot tolerance of the factorisation */

    /* iterate */
    double *value;         /* extent vars: values of nonbasic variables */
    double *d;             /* extent vars: reduced costs for work_cost, 0 for basic ones */
    double *work_cost;     /* extent vars: costs with perturbation and shifts */
    double *lo, *up;       /* extent vars: working bounds, equal to lower, upper or perturbed */
    double *xb, *lb, *ub;  /* extent rows: basic values and their working bounds */
    double *infeasibility; /* extent rows: squared violation, 0 within the tolerance */
    double *weight;        /* extent rows: dual steepest edge */
    int *candidate;        /* positions with infeasibility > 0, and possibly others */
    bool *is_candidate;    /* extent rows */
    int candidates;
    int *top;     /* candidates with violation^2 / weight at least top_least, and possibly others */
    bool *is_top; /* extent rows */
    int tops;
    double top_least;      /* INFINITY: top is not kept */
    double dual_objective; /* sum of d_j x_j over nonbasic j, without the offset */

    /* validity of the data above */
    bool has_factor, has_primal, has_dual;
    bool perturbed;        /* work_cost differs from cost */
    bool bounds_perturbed; /* lo, up differ from lower, upper */
    bool may_perturb;      /* this solve may perturb bounds or costs */
    bool dual_clean;       /* no nonbasic variable is dual infeasible */
    bool bounds_stale;     /* value, lb and ub have to be taken from lo and up again */
    bool save_wanted;      /* call lp_saved_store once the iterate is up to date */
    bool cold;             /* initial slack basis: nothing solved, no basis set */
    bool from_nothing;     /* the present solve started cold */
    bool had_phase1;       /* the present solve ran phase 1 of the dual */
    bool goes_on;          /* the next simplex goes on from a limit */
    int *changed;          /* variables with bounds changed since the last solve */
    bool *is_changed;      /* extent vars */
    int changes;
    int crossed;     /* variables with lower > upper */
    lp_vector shift; /* right-hand side not yet applied to xb; extent rows */

    /* work space of an iteration */
    lp_vector rho, column, tau, flip; /* extent rows */
    lp_vector alpha;                  /* extent cols */
    int *ratio_var, *flips;           /* extent vars */
    double *ratio_alpha, *ratio_dual; /* extent vars */
    double *scratch;                  /* extent vars */
    lp_expectations expected;

    /* control */
    double primal_tolerance, dual_tolerance; /* scaled */
    long iterations, primal_iterations;      /* since creation: all; of the primal simplex */
    long rows_set_aside; /* rows that the dual hid for lack of a usable pivot, until its next
                            rebuild */
    int hidden;          /* rows that are hidden now: their infeasibility is 0 */
    lp_counts counts;
    lp_primal_state *stopped; /* the primal simplex that a limit ended; NULL: none */
    lp_progress progress;
    long iteration_end;   /* value of `iterations` at which to stop */
    double cutoff;        /* params.cutoff; INFINITY in phase 1 or once it could not be confirmed */
    long since_recompute; /* pivots since xb and d were computed from scratch */
    double drift;         /* largest disagreement of pivot elements since then */
    double residual;      /* residual of xb when it was computed, less its rounding errors */
    double rounding;      /* rough sum of the rounding errors of xb and d since then */
    double next_poll, work; /* work at which to check the limits; touched entries */
    double charged;         /* work already charged to base_work_count */
    base_rng rng;
    lp_status last;
    double last_dual_bound; /* dual bound of the last solve, with the offset */
    lp_results *results;
    lp_saved *saved;
};

/* Maximum, without the function call of fmax. */
static inline double lp_max(double a, double b)
{
    return a > b ? a : b;
}

/* Returns by how much the reduced cost of j has the wrong sign; at most 0: it has the right one. */
static inline double lp_engine_wrong_sign(const lp_solver *s, int j)
{
    switch (s->status[j]) {
    case LP_AT_LOWER:
        return -s->d[j];
    case LP_AT_UPPER:
        return s->d[j];
    case LP_FREE:
        return fabs(s->d[j]);
    default:
        return 0.0;
    }
}

/* Returns the element of variable j in the row of the tableau that alpha and rho hold. */
static inline double lp_engine_row_element(const lp_solver *s, int j)
{
    return j < s->cols ? s->alpha.value[j] : s->rho.value[j - s->cols];
}

/* Entries of that row: a variable for each k from 0 to lp_engine_row_count - 1. */
static inline int lp_engine_row_count(const lp_solver *s)
{
    return s->alpha.count + s->rho.count;
}

static inline int lp_engine_row_variable(const lp_solver *s, int k)
{
    return k < s->alpha.count ? s->alpha.index[k] : s->cols + s->rho.index[k - s->alpha.count];
}

/* ---- solver.c -------------------------------------------------------------- */
/* Makes room for `rows` rows and `vars` variables in all arrays. */
void lp_engine_reserve(lp_solver *s, int rows, int vars);
/* Creates work vectors and empty factors for the present rows and cols. */
void lp_engine_make_vectors(lp_solver *s);
/* Copies the matrix of the model by rows and makes room for its scaled values; nothing is scaled
 * yet. */
void lp_engine_scale_matrix(lp_solver *s);
/* Computes the scaled values by columns and rows from the model and unit. */
void lp_engine_apply_units(lp_solver *s);
/* Scales the whole model and sets the slack basis: the initial state. */
void lp_engine_begin(lp_solver *s);
/* Takes cost and bounds of j from the model; clears its nonbasic state. */
void lp_engine_take_var(lp_solver *s, int j);
void lp_engine_make_basic(lp_solver *s, int j, int p);

/* ---- scale.c --------------------------------------------------------------- */
/* Chooses unit for all rows and columns (geometric, powers of two), or ones without scaling.
 * Chooses cost_unit so that small costs stand out from the dual tolerance and large ones do not
 * drown it. */
void lp_scale_all(lp_solver *s);
/* Returns the unit of the logical of row r from its entries and the units of the columns. */
double lp_scale_row(const lp_solver *s, int r);

/* ---- saved.c: a stored basis with its factors, to return to ---------------- */
/* Stores a copy of factors, iterate and weights. Requires that all are valid and nothing is
 * perturbed. */
void lp_saved_store(lp_solver *s);
/* Restores the copy; false if there is none with the basic variables of status (extent vars).
 * Bounds may have changed since then: sets bounds_stale. O(copied bytes) */
bool lp_saved_restore(lp_solver *s, const unsigned char *status);
/* True if both statuses (extent vars) have the same basic variables. */
bool lp_engine_is_same_basis(const lp_solver *s, const unsigned char *a, const unsigned char *b);
void lp_saved_free(lp_solver *s);

/* ---- results.c: unscaled results of the iterate ---------------------------- */
void lp_results_reset(lp_solver *s);
void lp_results_free(lp_results *r);
/* Returns a lower bound on the objective from the present d, with the offset. */
double lp_results_dual_bound(lp_solver *s);
/* Takes multipliers from rho with the given sign. True if they prove infeasibility strictly, or
 * with within_rounding up to rounding errors. */
bool lp_results_compute_farkas(lp_solver *s, double sign, bool within_rounding);
/* Stores multipliers that prove infeasibility, extent rows, unscaled. */
void lp_results_store_farkas(lp_solver *s, const double *y);

#endif
