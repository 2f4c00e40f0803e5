/* lp/factor/factor: sparse LU factors of a simplex basis, with Forrest-Tomlin updates.
 *
 * The basis matrix B has a column per position p = 0..rows-1; the variable head[p] is a
 * column of A (number < cols) or the logical of row r (number cols + r, column +e_r). The
 * factorisation permutes head so that the variable in position p has its pivot in row p:
 * vectors indexed by rows and by positions then share one index space.
 *
 *     B = L R_1^-1 .. R_k^-1 U
 *
 * with L from the factorisation, a row eta R per update, and U upper triangular in the
 * order of a list of pivots. Markowitz ordering with threshold pivoting after a
 * singleton phase; Forrest and Tomlin, Math. Prog. 2 (1972); the solves are those of
 * Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9 (1988), where sparse, and loops over the
 * nontrivial pivots where not. The solves work on these alone, in arrays in their order: where
 * most of a large basis are logicals, what a solve touches stays small and close together. */
#ifndef LP_FACTOR_H
#define LP_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "lp/factor/vector.h"

/* The columns the basis is taken from: column j < cols has entries
 * start[j]..start[j+1]-1. */
typedef struct lp_columns {
    int rows, cols;
    const int *start, *index;
    const double *value;
} lp_columns;

typedef struct lp_factor lp_factor;

/* How many nonzeros to expect after the first and after the second triangle of a solve: running
 * means, which the solves keep themselves, one of these for each kind of right-hand side. They
 * choose between search and loop. */
typedef struct lp_expectation {
    double first, second;
} lp_expectation;

/* Factors for bases of the given order; nothing is factorised yet. O(rows). */
lp_factor *lp_factor_create(int rows);
/* Copy of the factors with their updates, to return to them later; the same order of
 * rows. */
void lp_factor_copy(lp_factor *to, const lp_factor *from);
void lp_factor_free(lp_factor *f); /* NULL allowed */

/* Factorises the columns head[0..rows-1] and permutes head. threshold in (0,1) is the
 * relative pivot tolerance. Returns the number of dependent columns: each was replaced in
 * head by the logical of a row without pivot (the caller compares head before and after). */
int lp_factor_build(lp_factor *f, const lp_columns *a, int *head, double threshold);

/* x := B^-1 x. x has its list, on entry and on return, when it is packed; expected NULL: many
 * nonzeros. With keep_spike the partial solution needed by lp_factor_update is remembered (x
 * must then be the entering column). */
void lp_factor_ftran(lp_factor *f, lp_vector *x, lp_expectation *expected, bool keep_spike);
/* As lp_factor_ftran, but only for the entries listed in wanted, which x lists on return,
 * zeros among them as LP_VECTOR_TINY: all others are zero then. Cheaper where most of the
 * result is in positions of logicals. */
void lp_factor_ftran_wanted(lp_factor *f, lp_vector *x, lp_expectation *expected,
                            const lp_vector *wanted);
/* x := B^-T x, as lp_factor_ftran. With keep_row the partial solution needed by
 * lp_factor_update is remembered (x must then be the unit vector of the leaving position). */
void lp_factor_btran(lp_factor *f, lp_vector *x, lp_expectation *expected, bool keep_row);

/* Replaces the column in position p: the entering column went through ftran with
 * keep_spike, e_p through btran with keep_row, and alpha is the pivot element, entry p of
 * the former's result. Returns the relative error of the new diagonal element of U as
 * measured against alpha: large values ask for a new factorisation. */
double lp_factor_update(lp_factor *f, int p, double alpha);

/* Updates since the last build. */
int lp_factor_updates(const lp_factor *f);
/* True when solving with the updated factors has cost more than a new factorisation would,
 * by entries touched, storage is running full, or there have been many, the more the more rows. */
bool lp_factor_is_worn(const lp_factor *f);
/* Entries touched since creation by builds and solves: a clock that is the same in every
 * run. */
double lp_factor_work(const lp_factor *f);
/* Entries of L and U / of the basis matrix at the last build. */
double lp_factor_fill(const lp_factor *f);

#endif
