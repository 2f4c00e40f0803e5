/* bnb/bound: bounds a node by its LP. */
#ifndef BNB_BOUND_H
#define BNB_BOUND_H

#include "bnb/bnb.h"

/* What an LP of a node ends with. */
typedef enum bnb_outcome {
    BNB_LP_SOLVED = 0, /* optimal: x, d, y, objective and bound are set */
    BNB_LP_PRUNED,     /* proven: nothing below the cutoff here */
    BNB_LP_ITERATIONS, /* iteration limit: bound is set */
    BNB_LP_UNPROVEN,   /* the LP claims infeasibility or failed: nothing proven */
    BNB_LP_UNBOUNDED,
    BNB_LP_STOPPED /* a limit of the run */
} bnb_outcome;

/* Solves the LP within the domain (at most `limit` iterations) and evaluates it. */
bnb_outcome bnb_relaxation_solve(bnb_context *c, long limit);

/* Corrects x and the multipliers of the last LP, an optimum, by further digits (lp/refine.h), at
 * most `rounds` times, until they prune or prove that there is no point; true when they do. Offers
 * each x as a solution from `source`; NULL: none. No rounds where `accept' decides on solutions, or
 * a proof is told. At last the multipliers are believed, if any are. */
bool bnb_refine(bnb_context *c, int rounds, const char *source);

#endif
