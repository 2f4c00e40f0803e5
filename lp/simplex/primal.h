/* lp/simplex/primal: the primal simplex, and its state, shared by its files. */
#ifndef LP_PRIMAL_H
#define LP_PRIMAL_H

#include "lp/simplex/dual.h"

/* Slower basic variables do not limit a step; unless that makes it long or endless, in a direction
 * that is no ray. */
#define LP_RATE_ZERO 1e-9
#define LP_RATE_TINY 1e-12
#define LP_RATE_DOUBTFUL 1e-7 /* the former for columns whose pivots are not to be trusted */

/* A value of the step at which a basic variable meets a bound. */
typedef struct lp_breakpoint {
    double step, rate; /* rate: change of the basic variable per step, > 0 here */
    int position;
    bool to_upper;
} lp_breakpoint;

/* Looks for a ray otherwise: true when results have one that proves itself. */
typedef bool lp_ray_search(lp_solver *s);

typedef struct lp_primal_state {
    int phase;          /* 1: the sum of infeasibilities is minimised */
    signed char *cost;  /* extent rows: phase 1 cost of the basic variable */
    double *weight;     /* extent vars: steepest edge, at least 1; see lp/simplex/primal.c */
    int *candidate;     /* nonbasic variables with infeasible d, and some without */
    bool *is_candidate; /* extent vars */
    int candidates;
    lp_breakpoint *breakpoint; /* extent 2 rows + 1 */
    lp_vector change;          /* extent rows: changes of phase 1 costs */
    lp_pivot pivot;            /* row -1: entering goes to its other bound, or no limit */
    double direction, step;    /* of the entering variable: +1 or -1, and length */
    double dual_zero;          /* smaller reduced costs of the wrong sign do not enter */
    double rate_zero;          /* basic variables that move slower do not limit the step */
    bool rebuild, fresh, unlimited;
    lp_ray_search *find_ray; /* NULL: it has looked */
    int refused;             /* columns set aside since the last rebuild */
    int smallest; /* entered with the smallest pivot in size since the last rebuild, or -1 */
    double smallest_pivot;
    bool *is_doubtful; /* extent vars: led to a nearly singular basis when it entered */
    long degenerate, steps, troubles;
} lp_primal_state;

/* Primal simplex, both phases. LP_OPTIMAL, LP_UNBOUNDED with the ray in results, or
 * LP_INFEASIBLE with farkas. find_ray is asked, once, where the simplex' own ray proves nothing. */
lp_status lp_primal_simplex(lp_solver *s, lp_ray_search *find_ray);

/* Chooses the leaving position and the step for the entering variable from its column:
 * Harris' two passes in phase 2; in phase 1 the minimum of the piecewise linear
 * sum of infeasibilities. */
void lp_primal_ratio_test(lp_solver *s, lp_primal_state *l);

#endif
