/* lp/factor/rational_lu: factors of a sparse square matrix of doubles in rational arithmetic (GMP):
 * nothing is rounded, and a matrix is singular or is not. Private to lp/. */
#ifndef LP_RATIONAL_LU_H
#define LP_RATIONAL_LU_H

#include <gmp.h>

#include "base/base.h"

/* What computing exactly may take: numbers grow with the matrix, and so does what one operation on
 * them costs. */
typedef struct rational_budget {
    const base_limits *limits; /* NULL: none */
    double work; /* left of it: of one multiplication or so, the product of the operands' words */
} rational_budget;

bool rational_budget_lasts(const rational_budget *b);

typedef struct rational_lu rational_lu; /* opaque */

/* A vector of zeros; a fresh array. */
mpq_t *rational_vector_create(int n);
void rational_vector_clear(mpq_t *v, int n); /* frees it; NULL allowed */
void rational_vector_zero(mpq_t *v, int n);

/* The factors of the n x n matrix whose column k has the entries start[k] .. start[k+1]-1 of (row,
 * value): no duplicates, no zeros, all finite. Elimination takes pivots of few entries first. NULL
 * when the budget is spent before it is done. */
rational_lu *rational_lu_create(int n, const int *start, const int *row, const double *value,
                                rational_budget *budget);
void rational_lu_free(rational_lu *f); /* NULL allowed */

/* Pairs of a column that depends on others and a row that no pivot was found for: with the row's
 * unit vector in the column's place for every pair the matrix is regular. Fills both arrays (extent
 * n) and returns the number of pairs, 0 for a regular matrix. */
int rational_lu_deficiency(const rational_lu *f, int *column, int *row);

/* v, extent n, becomes the solution of B x = v (by rows in, by columns out), or that of B'y = v (by
 * columns in, by rows out). Of regular matrices only. One pass over the factors. */
void rational_lu_solve(const rational_lu *f, mpq_t *v);
void rational_lu_solve_transposed(const rational_lu *f, mpq_t *v);

#endif
