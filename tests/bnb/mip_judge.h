/* What is true of a mixed-integer model, in exact rational arithmetic. */
#ifndef TESTS_BNB_MIP_JUDGE_H
#define TESTS_BNB_MIP_JUDGE_H

#include <gmp.h>

#include "lp/model.h"

/* The best solution known. objective is exact. */
typedef struct mip_truth {
    bool feasible; /* there is a solution: x, of that objective */
    bool complete; /* all integer points were tried: that is the optimum, or there is none */
    bool endless;  /* the relaxation is unbounded, and there is a solution or complete is false */
    mpq_t objective;
    double *x; /* extent cols; continuous values rounded */
} mip_truth;

void mip_truth_init(mip_truth *t, const lp_model *m);
void mip_truth_clear(mip_truth *t);

typedef enum mip_fate {
    MIP_SOLUTION, /* with the best values of the continuous columns: an exact solution */
    MIP_NEARLY,   /* one where all sides and bounds are wider by the tolerance */
    MIP_NO_SOLUTION,
    MIP_UNJUDGED /* the rational simplex would take too long */
} mip_fate;

/* Fixes the integers at x rounded, solves for the rest exactly, and keeps it in the truth if it is
 * better than what is there (only a MIP_SOLUTION is). The exact objective goes to objective unless
 * that is NULL. tolerance: relative to 1 + the size of a side. */
mip_fate mip_judge(const lp_model *m, const double *x, double tolerance, mip_truth *t,
                   mpq_t *objective);

/* The least objective with these integers where all sides and bounds are wider by the tolerance;
 * -INFINITY when that is endless or would take too long, INFINITY when there is no solution. */
double mip_least_nearly(const lp_model *m, const double *x, double tolerance);

/* Tries all integer points if there are at most so many. */
void mip_enumerate(const lp_model *m, double most, mip_truth *t);

/* LP_OPTIMAL, LP_INFEASIBLE or LP_UNBOUNDED: the relaxation in exact arithmetic, with sides and
 * bounds wider by the tolerance; LP_UNSOLVED where that would take too long. */
int mip_relaxation(const lp_model *m, double tolerance);

/* True if the objective falls along a direction that breaks no row by more than a part of its
 * entries. */
bool mip_has_direction(const lp_model *m, double tolerance);

#endif
