/* lp/factor/factor: sparse LU factors of a simplex basis, with Forrest-Tomlin updates.
 *
 * The basis matrix B has a column per position p = 0..rows-1. The variable head[p] is a column of
 * A (number < cols) or the logical of row r (number cols + r, column +e_r). The factorisation
 * permutes head so that the variable in position p has its pivot in row p: vectors indexed by
 * rows and by positions then share one index space.
 *
 *     B = L R_1^-1 .. R_k^-1 U
 *
 * L is from the factorisation. Each update adds a row eta R, and U is upper triangular in the
 * order of a list of pivots. The factorisation uses a singleton phase, then Markowitz ordering
 * with threshold pivoting. Updates: Forrest and Tomlin, Math. Prog. 2 (1972). Sparse solves
 * follow Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9 (1988); other solves loop over the
 * nontrivial pivots. Solves use arrays of the nontrivial pivots only, in their order. If most of
 * a large basis are logicals, a solve touches little memory. */
#ifndef LP_FACTOR_H
#define LP_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "lp/factor/vector.h"

/* The columns of the basis come from this matrix: column j < cols has entries
 * start[j]..start[j+1]-1. */
typedef struct lp_columns {
    int rows, cols;
    const int *start, *index;
    const double *value;
} lp_columns;

typedef struct lp_factor lp_factor;

/* Expected numbers of nonzeros after the first and the second triangle of a solve. The solves
 * update them as running means and use them to choose between search and loop. One record for
 * each kind of right-hand side. */
typedef struct lp_expectation {
    double first, second;
} lp_expectation;

/* Creates factors for bases of the given order; nothing is factorised yet. O(rows). */
lp_factor *lp_factor_create(int rows);
/* Copies the factors with their updates, to return to them later. Both have the same order. */
void lp_factor_copy(lp_factor *to, const lp_factor *from);
void lp_factor_free(lp_factor *f); /* NULL allowed */

/* Factorises the columns head[0..rows-1] and permutes head. threshold in (0,1) is the relative
 * pivot tolerance. Returns the number of dependent columns. Each one is replaced in head by the
 * logical of a row without pivot; the caller compares head before and after. */
int lp_factor_build(lp_factor *f, const lp_columns *a, int *head, double threshold);

/* x := B^-1 x. x has its list on entry, and on return, when it is packed. expected NULL: many
 * nonzeros. With keep_spike the partial solution is kept for lp_factor_update; x must then be the
 * entering column. */
void lp_factor_ftran(lp_factor *f, lp_vector *x, lp_expectation *expected, bool keep_spike);
/* As lp_factor_ftran, but only for the entries listed in wanted; all others become zero. x lists
 * exactly the wanted entries on return, zeros as LP_VECTOR_TINY. Cheaper if most of the result is
 * in positions of logicals. */
void lp_factor_ftran_wanted(lp_factor *f, lp_vector *x, lp_expectation *expected,
                            const lp_vector *wanted);
/* x := B^-T x, as lp_factor_ftran. With keep_row the partial solution is kept for
 * lp_factor_update; x must then be the unit vector of the leaving position. */
void lp_factor_btran(lp_factor *f, lp_vector *x, lp_expectation *expected, bool keep_row);

/* Replaces the column in position p. Requires that the entering column went through
 * lp_factor_ftran with keep_spike and e_p through lp_factor_btran with keep_row. alpha is the
 * pivot element, entry p of the result of the ftran. Returns the relative error of the new
 * diagonal element of U, measured against alpha; a large error asks for a new factorisation. */
double lp_factor_update(lp_factor *f, int p, double alpha);

/* Returns the number of updates since the last build. */
int lp_factor_updates(const lp_factor *f);
/* True if a new factorisation pays. Either the updates have added more work than builds cost, by
 * entries touched, or storage runs full, or there have been many updates. The more rows, the more
 * updates are allowed. */
bool lp_factor_is_worn(const lp_factor *f);
/* Returns the entries touched since creation by builds and solves: a clock that is the same in
 * every run. */
double lp_factor_work(const lp_factor *f);

#endif
