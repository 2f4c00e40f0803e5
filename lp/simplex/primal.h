/* lp/simplex/primal: the primal simplex, and the state shared by its files. */
#ifndef LP_PRIMAL_H
#define LP_PRIMAL_H

#include "lp/simplex/dual.h"

/* Basic variables with at most this rate of change do not limit a step. If the step is then long,
 * or unlimited without a ray, a smaller threshold is used, down to LP_RATE_TINY. */
#define LP_RATE_ZERO 1e-9
#define LP_RATE_TINY 1e-12
#define LP_RATE_DOUBTFUL 1e-7 /* in place of LP_RATE_ZERO for doubtful columns */

/* A step length at which a basic variable meets a bound. */
typedef struct lp_breakpoint {
    double step, rate; /* rate: change of the basic variable per step, > 0 here */
    int position;
    bool to_upper;
} lp_breakpoint;

/* Searches for another ray; true if results then hold a ray that proves unboundedness. */
typedef bool lp_ray_search(lp_solver *s);

struct lp_primal_state {
    int phase;          /* 1: minimise the sum of infeasibilities; 2: minimise the cost */
    signed char *cost;  /* extent rows: phase 1 costs of the basic variables */
    double *weight;     /* extent vars: steepest edge, at least 1; see lp/simplex/primal.c */
    int *candidate;     /* nonbasic variables with infeasible d, and possibly others */
    bool *is_candidate; /* extent vars */
    int candidates;
    lp_breakpoint *breakpoint; /* extent 2 rows + 1 */
    lp_vector change;          /* extent rows: changes of phase 1 costs, not yet applied to d */
    lp_pivot pivot;            /* row -1: entering moves to its other bound, or nothing limits it */
    double direction, step;    /* of the entering variable: +1 or -1, and length */
    double dual_zero;          /* smaller reduced costs of the wrong sign do not enter */
    double rate_zero;          /* basic variables that move slower do not limit the step */
    bool rebuild, fresh, unlimited;
    lp_ray_search *find_ray; /* NULL: none, or called already */
    int refused;             /* columns set aside since the last rebuild */
    int smallest;            /* entered with the smallest pivot since the last rebuild; -1: none */
    double smallest_pivot;   /* its size */
    bool *is_doubtful;       /* extent vars: led to a nearly singular basis when it entered */
};

/* Runs both phases of the primal simplex. LP_OPTIMAL, LP_UNBOUNDED with the ray in results, or
 * LP_INFEASIBLE with farkas in results. find_ray is called at most once, if the ray of the
 * simplex proves nothing. Keeps its state if a limit ends it, and then goes on with it in the next
 * call, unless lp_primal_forget comes first. */
lp_status lp_primal_simplex(lp_solver *s, lp_ray_search *find_ray);
/* Frees the kept state, if there is one. */
void lp_primal_forget(lp_solver *s);

/* Chooses the leaving position and the step of the entering variable from its column. Phase 2:
 * the two passes of Harris. Phase 1: the minimum of the piecewise linear sum of infeasibilities. */
void lp_primal_ratio_test(lp_solver *s, lp_primal_state *l);

#endif
