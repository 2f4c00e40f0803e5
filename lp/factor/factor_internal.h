/* Shared by the files of the factorisation; see lp/factor/factor.h for the algebra.
 *
 * A pivot is trivial if its logical was basic at the last build and still is. Its column of U is
 * a unit vector, and it has no entries in L or the row etas. All other pivots are the core,
 * numbered in the order in which they were made. L, the row etas and the core part of U use these
 * numbers. A row that gets another column than its logical joins the core with the next number.
 * It stays in the core until the next build. */
#ifndef LP_FACTOR_INTERNAL_H
#define LP_FACTOR_INTERNAL_H

#include "lp/factor/factor.h"

/* The entries of a pivot. begin..leaf-1 lead to pivots that may have entries of their own.
 * leaf..end-1 lead to leaves: pivots that never get entries and have a diagonal of one. Lists
 * that can grow have room for `space` entries from begin on. */
typedef struct lp_span {
    int begin, leaf, end, space;
} lp_span;

/* A triangular factor as a graph: solving for pivot p changes the entries
 * index[begin..end-1] of span[p]. The diagonal is kept elsewhere. */
typedef struct lp_triangle {
    lp_span *span; /* extent rows */
    int *index;    /* extent capacity */
    double *value; /* extent capacity */
    int used, capacity;
} lp_triangle;

/* An entry of L or U, and the entries as they are found. */
typedef struct lp_triplet {
    int row, slot; /* slot of the column */
    double value;
} lp_triplet;

typedef struct lp_triplets {
    lp_triplet *item;
    int count, capacity;
} lp_triplets;

/* A list of core pivots in solving order; -1 marks a removed one. */
typedef struct lp_pivot_list {
    int *pivot;
    int count, capacity;
} lp_pivot_list;

struct lp_factor {
    int rows;
    int core;     /* pivots numbered so far */
    int *core_of; /* extent rows: number of the pivot of a row; -1: trivial */
    int *row_of;  /* extent rows: row of the pivot with a number */
    lp_triangle l_cols, l_rows;
    lp_triangle u_cols;    /* entries from leaf on are in trivial rows: their index is the row */
    lp_triangle u_rows;    /* of core pivots */
    lp_triangle u_tops;    /* rows of trivial pivots, by row; entries are core pivots */
    lp_pivot_list l_order; /* pivots with a nonempty column of L, first to last */
    lp_pivot_list l_row_order; /* pivots with a nonempty row of L, first to last */
    lp_pivot_list u_order;     /* all pivots of the core */
    int *u_place;              /* extent rows, by number: place of a pivot in u_order */
    double *pivot;             /* extent rows, by number: diagonal of U */
    /* row etas: x[eta_row[k]] -= sum of the entries eta_start[k]..eta_start[k+1]-1 times x[index]
     */
    lp_pivot_list eta_row, eta_start;
    lp_triangle eta; /* without spans */
    int updates;
    /* the update in progress, in core numbers: the spike, row p of U^-1, and the entries of the
     * spike in trivial rows */
    lp_vector spike, row;
    int *top_row, tops; /* extent rows */
    double *top_value;
    /* work space */
    lp_vector x;              /* core part of a solve, zero between calls */
    char *mark;               /* extent rows, all 0 between calls */
    int *list, *stack, *edge; /* extent rows */
    /* measures */
    double work, build_work;     /* all builds and solves before the last build; the last build */
    double solve_work, eta_work; /* since the last build: solves; extra work of solves due to
                                    updates */
    int u_entries_at_build;
};

/* lp/factor/factor.c */
/* Adds the pivot of a row to the core, last in the order of U; returns its number. */
int lp_factor_add_pivot(lp_factor *f, int row, double pivot);

/* lp/factor/triangular.c */
void lp_triangle_init(lp_triangle *t, int rows); /* all pivots without entries */
void lp_triangle_free(lp_triangle *t);
void lp_triangle_reserve(lp_triangle *t, int extra);
void lp_pivot_list_push(lp_pivot_list *l, int pivot);
/* Solves with t in topological order, by a search from the nonzeros of x. Entries at leaves are
 * added to the vector `leaves`: x itself, or another vector with a list; NULL: left out. Returns
 * the number of entries touched. */
double lp_triangle_solve_sparse(lp_factor *f, const lp_triangle *t, const double *pivot,
                                lp_vector *x, lp_vector *leaves);
/* The same by a loop over order[from], order[from+step], .. (count steps). */
double lp_triangle_solve_loop(const lp_triangle *t, const double *pivot, const int *order, int from,
                              int count, int step, lp_vector *x, lp_vector *leaves);

/* lp/factor/markowitz.c: the part of the basis that has no singletons. */
/* Doubly linked lists of the columns or rows of equal count. */
typedef struct lp_links {
    int *head;        /* by count; -1: none */
    int *next, *prev; /* by column or row */
} lp_links;

typedef struct lp_kernel {
    lp_factor *factor;
    lp_triplets *u;
    double threshold;
    int slots;     /* columns of the basis: slot numbers are below */
    int *slot_row; /* extent slots: pivot row, -1 before */
    /* active columns with values, active rows as patterns: segments in growing pools */
    int *col_begin, *col_count, *col_space, *col_index; /* by slot */
    double *col_value, *col_max;
    int col_used, col_capacity;
    int *row_begin, *row_count, *row_space, *row_index; /* by row */
    int row_used, row_capacity;
    lp_links cols, rows; /* columns and rows of equal count */
    int heads;           /* counts are below */
    double *multiplier;  /* extent rows, zero between pivots */
    int *pattern;        /* extent rows */
    char *slot_mark;     /* extent rows, zero between pivots */
} lp_kernel;

/* Eliminates the active submatrix. Fills L (columns, entries by row), U (triplets), pivots, order
 * and slot_row; slots left without a pivot have slot_row -1. Returns the work. */
double lp_kernel_eliminate(lp_kernel *k, int active);

/* Puts column or row i first in the list for this count. */
void lp_link(lp_links *l, int count, int i);

/* Appends one entry to the triplets. */
void lp_triplets_push(lp_triplets *t, int row, int slot, double value);

#endif
