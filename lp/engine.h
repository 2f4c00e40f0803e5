/* lp/engine: the state shared by the files of the simplex.
 *
 * Inner working form, scaled, with a logical z_r = -(activity of row r) per row so that
 * the slack basis is the identity:
 *
 *     minimise c'x   subject to   A x + z = 0,   lower <= (x,z) <= upper
 *
 * Variable j < cols is a column, cols + r the logical of row r. Scaled value times unit[j]
 * is the unscaled value; unit is a power of two, so scaling is exact. The scaled matrix is
 * a_rj unit[j] / unit[cols + r]; scaled cost and reduced cost are the unscaled ones times unit[j]
 * and cost_unit. With y = B^-T c_B the reduced costs are d_j = c_j - y'a_j, d_{cols+r} = c_{cols+r}
 * - y_r. Positions of the basis are rows: the variable head[p] has its pivot in row p. */
#ifndef LP_ENGINE_H
#define LP_ENGINE_H

#include <float.h>

#include "lp/factor.h"
#include "lp/simplex.h"
#include "lp/vector.h"

/* Results, made from the iterate when they are asked for. */
typedef struct lp_results {
    bool farkas_proves; /* free of rounding */
    bool have_primal, have_dual, have_farkas, have_ray, have_objective;
    double *x, *d, *activity, *y, *farkas, *ray; /* extents cols, cols, rows, rows, rows, cols */
    double objective;
    struct lp_exact_proof *exact_proof; /* of an answer of rational arithmetic; else NULL */
} lp_results;

/* What to expect of the solves of an iteration. */
typedef struct lp_expectations {
    lp_expectation column, row, weight, flip;
} lp_expectations;

typedef struct lp_saved lp_saved; /* lp/saved.c */

struct lp_solver {
    lp_params params;
    lp_model *model; /* unscaled, bounds and costs as last set */
    int rows, cols, vars;
    int row_space, var_space; /* extents that the arrays below have room for */

    /* scaled problem; extent vars, matrix parallel to model->index */
    double *unit, *cost, *lower, *upper;
    double *a_value;
    int a_space;
    int *row_start, *row_col; /* A by rows */
    double *row_value;
    bool has_units; /* some unit differs from one */
    double
        row_unit; /* the largest of a row, at least 1: what is scaled to nothing counts so much */
    double cost_unit; /* scaled costs and objective are cost_unit times the unscaled ones;
                         a power of two */

    /* basis */
    unsigned char *status; /* extent vars: lp_basis_status in terms of z */
    int *head, *place;     /* extents rows, vars: variable in a position; position or -1 */
    lp_factor *factor;
    double threshold; /* relative pivot tolerance of the factorisation */

    /* iterate */
    double *value;         /* extent vars: of nonbasic variables */
    double *d;             /* extent vars: reduced costs to work_cost, 0 for basic ones */
    double *work_cost;     /* extent vars: cost plus perturbation and shifts */
    double *lo, *up;       /* extent vars: working bounds: lower, upper, or perturbed */
    double *xb, *lb, *ub;  /* extent rows: basic values and their working bounds */
    double *infeasibility; /* extent rows: squared violation, 0 within the tolerance */
    double *weight;        /* extent rows: dual steepest edge */
    int *candidate;        /* positions with infeasibility > 0, and perhaps some without */
    bool *is_candidate;    /* extent rows */
    int candidates;
    int *top;     /* candidates of violation^2 / weight at least top_least, perhaps others */
    bool *is_top; /* extent rows */
    int tops;
    double top_least;      /* INFINITY: top is not kept */
    double dual_objective; /* sum of d_j x_j over nonbasic j, without the offset */

    /* what of the above is valid */
    bool has_factor, has_primal, has_dual;
    bool perturbed;        /* work_cost differs from cost */
    bool bounds_perturbed; /* lo, up differ from lower, upper */
    bool may_perturb;      /* this solve may perturb bounds or costs */
    bool dual_clean;       /* no nonbasic variable is dual infeasible */
    bool bounds_stale;     /* value, lb and ub are to be taken from lo and up anew */
    bool save_wanted;      /* lp_saved_take when the iterate is next up to date */
    bool cold;             /* the slack basis of the beginning: nothing solved, none set */
    bool from_nothing;     /* the solve under way began so */
    bool had_phase1;       /* the dual's, in the solve under way */
    int *changed;          /* variables whose bounds changed since the last solve */
    bool *is_changed;      /* extent vars */
    int changes;
    int crossed;     /* variables with lower > upper */
    lp_vector shift; /* right-hand side not yet brought into xb; extent rows */

    /* work space of an iteration */
    lp_vector rho, column, tau, flip; /* extent rows */
    lp_vector alpha;                  /* extent cols */
    int *ratio_var, *flips;           /* extent vars */
    double *ratio_alpha, *ratio_dual; /* extent vars */
    double *scratch;                  /* extent vars */
    lp_expectations expected;

    /* control */
    double primal_tolerance, dual_tolerance; /* scaled */
    long iterations, primal_iterations; /* since creation, all phases; the primal simplex' own */
    long rows_set_aside; /* by the dual: for the time being, for want of a pivot that is not tiny */
    long iteration_end;  /* iterations at which to stop */
    double cutoff;       /* params.cutoff while it can be shown, or INFINITY */
    long since_recompute;   /* pivots since xb and d were computed afresh */
    double drift;           /* largest disagreement of pivots since then */
    double residual;        /* of xb when it was computed, beyond its rounding errors */
    double rounding;        /* sum of the rounding errors of xb since then, roughly */
    double next_poll, work; /* touched entries, and at how many to poll the limits again */
    double charged;         /* ... up to which base_work was told of them */
    base_rng rng;
    lp_status last;
    double last_dual_bound; /* with the offset */
    lp_results *results;
    lp_saved *saved;
};

/* Without the call that fmax is. */
static inline double lp_max(double a, double b)
{
    return a > b ? a : b;
}

/* ---- solver.c ------------------------------------------------------------- */
/* Room for so many rows and variables in all arrays. */
void lp_engine_reserve(lp_solver *s, int rows, int vars);
/* Work vectors and empty factors for the present rows and cols. */
void lp_engine_make_vectors(lp_solver *s);
/* Row-wise copy and room for scaled values of the model's matrix, unscaled yet. */
void lp_engine_scale_matrix(lp_solver *s);
/* Scaled values by columns and rows from the model's and unit. */
void lp_engine_apply_units(lp_solver *s);
/* Scaled bounds of variable j from unscaled ones (of the activity for a logical). */
void lp_engine_take_bounds(lp_solver *s, int j, double lower, double upper);
/* Everything scaled from the model, and the slack basis: the state of the beginning. */
void lp_engine_begin(lp_solver *s);
/* Cost and bounds of j from the model; nonbasic state is cleared. */
void lp_engine_take_var(lp_solver *s, int j);
void lp_engine_make_basic(lp_solver *s, int j, int p);

/* ---- scale.c -------------------------------------------------------------- */
/* Chooses unit for all rows and columns (geometric, powers of two), or ones; cost_unit
 * so that small costs stand out from the dual tolerance, and large ones do not drown it. */
void lp_scale_all(lp_solver *s);
/* The unit of the logical of row r / of column j from its entries and the others' units. */
double lp_scale_row(const lp_solver *s, int r);
double lp_scale_col(const lp_solver *s, int j);

/* ---- compute.c ------------------------------------------------------------ */
lp_columns lp_engine_columns(const lp_solver *s);
/* v -= factor * column of variable j. */
void lp_engine_subtract_column(const lp_solver *s, lp_vector *v, int j, double factor);
/* Factorises the present basis; weights move with their variables. A singular basis is
 * repaired, which invalidates the iterate. */
void lp_engine_refactor(lp_solver *s);
/* xb from the nonbasic values; infeasibilities. */
void lp_engine_compute_primal(lp_solver *s);
/* work_cost of j less what the multipliers y (scaled, extent rows) charge its column. */
double lp_engine_reduced_cost(const lp_solver *s, int j, const double *y);
/* d from work_cost, dual_objective. */
void lp_engine_compute_dual(lp_solver *s);
/* dual_objective from d and value. O(vars) */
void lp_engine_compute_objective(lp_solver *s);
/* Brings the pending right-hand side into xb. */
void lp_engine_apply_shift(lp_solver *s);
/* Infeasibility of position p from xb, lb, ub; lists it when positive. */
void lp_engine_check_position(lp_solver *s, int p);
void lp_engine_check_all(lp_solver *s);
/* Whether no position is infeasible, by the last checks. */
bool lp_engine_is_feasible(const lp_solver *s);
/* rho := row p of the inverse of the basis. */
void lp_engine_btran_unit(lp_solver *s, int p);
/* alpha := rho' A over the columns (the logicals' part is rho itself). */
void lp_engine_price(lp_solver *s);
/* Puts nonbasic j on the bound that suits d_j (any if |d_j| is within the tolerance, then
 * the present side); a move goes to shift and the objective. True when it is dual feasible. */
bool lp_engine_place_nonbasic(lp_solver *s, int j);
/* The same for all nonbasic variables; sets dual_clean. Returns the infeasible ones left. */
int lp_engine_place_all(lp_solver *s);
/* Exchanges head[p] for q; leaving goes to its lower or upper bound. */
void lp_engine_exchange(lp_solver *s, int p, int q, double entering_value, bool to_upper);
/* The limit that is reached, LP_UNSOLVED for none; looks at the clock now and then. */
lp_status lp_engine_poll(lp_solver *s);
/* Counts what was done since the last call. */
void lp_engine_charge(lp_solver *s);
/* Whether a simplex is to give up after so many steps of a call, so many of which were trouble:
 * rows or columns refused and bad updates. It turns in circles, or the factors are not to be
 * trusted. */
bool lp_engine_is_hopeless(const lp_solver *s, long steps, long troubles);
/* work_cost := cost; d must be computed again. */
void lp_engine_restore_costs(lp_solver *s);

/* One line of progress on stderr at log level 2. */
void lp_engine_log(const lp_solver *s, const char *phase);

/* ---- dual.c, dual_row.c, dual_column.c, perturb.c ------------------------- */

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

/* ---- primal.c ------------------------------------------------------------- */
/* Primal simplex, both phases. LP_OPTIMAL, LP_UNBOUNDED with the ray in results, or
 * LP_INFEASIBLE with farkas. */
lp_status lp_primal_simplex(lp_solver *s);

/* ---- ray.c ---------------------------------------------------------------- */
/* Looks for a ray among the directions without end, by a linear programme of its own; true when
 * results have one that proves itself. As costly as a solve. */
bool lp_engine_find_ray(lp_solver *s);

/* ---- finish.c ------------------------------------------------------------- */
/* The status that counts of a solve that ended with this one. Where a small model is in trouble, or
 * an optimum in doubt (lp_rational_is_wanted), the simplex goes on from the basis in rational
 * arithmetic and its answer becomes the results, if it has one within a limited amount of work.
 * O(entries) where there is no doubt. */
lp_status lp_engine_finish(lp_solver *s, lp_status status);

/* ---- results.c ------------------------------------------------------------ */
void lp_results_reset(lp_solver *s);
void lp_results_free(lp_solver *s);
/* Lower bound on the objective from the present d, offset included. */
double lp_results_dual_bound(lp_solver *s);
/* Multipliers from rho with the given sign; true when they prove infeasibility, strictly or
 * else within rounding. */
bool lp_results_take_farkas(lp_solver *s, double sign, bool within_rounding);
/* Multipliers that prove infeasibility, extent rows; unscaled. */
void lp_results_keep_farkas(lp_solver *s, const double *y);

/* ---- saved.c -------------------------------------------------------------- */
/* Keeps a copy of factors, iterate and weights (all valid, nothing perturbed). */
void lp_saved_take(lp_solver *s);
/* True when there is a copy with the basic variables of status (extent vars). */
bool lp_saved_matches(const lp_solver *s, const unsigned char *status);
/* Goes back to the copy; bounds may be others by now (bounds_stale). O(copied bytes) */
void lp_saved_restore(lp_solver *s);
void lp_saved_free(lp_solver *s);

#endif
