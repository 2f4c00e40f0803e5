/* lp/simplex/engine: the state shared by the files of the simplex.
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

#include "lp/factor/factor.h"
#include "lp/factor/vector.h"
#include "lp/simplex.h"

/* What to expect of the solves of an iteration. */
typedef struct lp_expectations {
    lp_expectation column, row, weight, flip;
} lp_expectations;

typedef struct lp_results lp_results; /* lp/simplex/results.h */
typedef struct lp_saved lp_saved;     /* lp/simplex/saved.c */

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

/* ---- solver.c -------------------------------------------------------------- */
/* Room for so many rows and variables in all arrays. */
void lp_engine_reserve(lp_solver *s, int rows, int vars);
/* Work vectors and empty factors for the present rows and cols. */
void lp_engine_make_vectors(lp_solver *s);
/* Row-wise copy and room for scaled values of the model's matrix, unscaled yet. */
void lp_engine_scale_matrix(lp_solver *s);
/* Scaled values by columns and rows from the model's and unit. */
void lp_engine_apply_units(lp_solver *s);
/* Everything scaled from the model, and the slack basis: the state of the beginning. */
void lp_engine_begin(lp_solver *s);
/* Cost and bounds of j from the model; nonbasic state is cleared. */
void lp_engine_take_var(lp_solver *s, int j);
void lp_engine_make_basic(lp_solver *s, int j, int p);

#endif
