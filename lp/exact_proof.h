/* lp/exact_proof: what shows an answer of rational arithmetic, unrounded, and its judge. The judge
 * takes the model's doubles at their exact values and rounds nothing; it shares no code with the
 * simplex. */
#ifndef LP_EXACT_PROOF_H
#define LP_EXACT_PROOF_H

#include <gmp.h>

#include "lp/model.h"
#include "lp/simplex.h"

/* LP_OPTIMAL: x and y; LP_INFEASIBLE: y; LP_UNBOUNDED: x and ray. What is not there is NULL. */
typedef struct lp_exact_proof {
    int rows, cols;
    mpq_t *x, *ray; /* extent cols */
    mpq_t *y;       /* extent rows */
} lp_exact_proof;

/* One with nothing in it. */
lp_exact_proof *lp_exact_proof_create(const lp_model *m);
lp_exact_proof *lp_exact_proof_copy(const lp_exact_proof *p); /* NULL of NULL */
void lp_exact_proof_free(lp_exact_proof *p);                  /* NULL allowed */

/* Whether p shows, for the relaxation of m, what status says:
 * LP_OPTIMAL: x meets all rows and bounds, and costs as much as what y proves to be the least;
 * LP_INFEASIBLE: y proves that no point meets the rows within the bounds (or bounds cross);
 * LP_UNBOUNDED: x meets all rows and bounds, and goes on along the ray, ever cheaper.
 * False for every other status. O(nnz) operations on the proof's numbers. */
bool lp_exact_proof_holds(const lp_model *m, lp_status status, const lp_exact_proof *p);

/* The largest double that is not above the value (-INFINITY below all finite ones). */
double lp_exact_round_down(const mpq_t value);

#endif
