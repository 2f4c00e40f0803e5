/* What the files of the factorisation share; see lp/factor.h for the algebra. */
#ifndef LP_FACTOR_INTERNAL_H
#define LP_FACTOR_INTERNAL_H

#include "lp/factor.h"

/* Where the entries of a pivot are: begin..leaf-1 lead to pivots that may have entries
 * of their own, leaf..end-1 to pivots that have none and a diagonal of one, and never get
 * any. Room for space entries from begin on, where lists can grow. */
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

/* Triplets of U as they are found: row, slot of the column, value. */
typedef struct lp_triplets {
    int *row, *slot;
    double *value;
    int count, capacity;
} lp_triplets;

/* A list of pivots in solving order; -1 marks a removed one. */
typedef struct lp_pivot_list {
    int *pivot;
    int count, capacity;
} lp_pivot_list;

struct lp_factor {
    int rows;
    lp_triangle l_cols, l_rows, u_cols, u_rows;
    lp_pivot_list l_order;     /* pivots with a nonempty column of L, first to last */
    lp_pivot_list l_row_order; /* pivots with a nonempty row of L, first to last */
    lp_pivot_list u_order;     /* all pivots; the first u_trivial are logicals */
    int u_trivial;
    int *u_place;  /* extent rows: place of a pivot in u_order */
    double *pivot; /* extent rows: diagonal of U */
    /* row etas: x[eta_row[k]] -= sum eta_value * x[eta_index] */
    int etas, eta_capacity, eta_entry_capacity;
    int updates;
    int *eta_row, *eta_start, *eta_index;
    double *eta_value;
    /* of the update under way: the spike in row space, and row p of U^-1 */
    lp_vector spike, row;
    /* work space */
    char *mark;               /* extent rows, all 0 between calls */
    int *list, *stack, *edge; /* extent rows */
    /* measures */
    double work, build_work;     /* all builds and solves before the last build; the last build */
    double solve_work, eta_work; /* since then: solves, and what updates added to them */
    int u_entries_at_build, basis_entries;
    bool valid;
};

/* lp/triangular.c */
void lp_triangle_init(lp_triangle *t, int rows); /* all pivots without entries */
void lp_triangle_free(lp_triangle *t);
void lp_triangle_reserve(lp_triangle *t, int extra);
void lp_pivot_list_push(lp_pivot_list *l, int pivot);
/* Sorts each pivot's entries into those without and with leaf[index]. O(entries) */
void lp_triangle_partition(lp_triangle *t, int rows, const char *leaf);
/* Solves with t in topological order by a search from the nonzeros of x; without leaves
 * their entries of x stay as they are. Return the entries touched. */
double lp_triangle_solve_sparse(lp_factor *f, const lp_triangle *t, const double *pivot,
                                bool leaves, lp_vector *x);
/* Solves with t over order[from], order[from+step], .. (count steps). */
double lp_triangle_solve_loop(const lp_triangle *t, const double *pivot, bool leaves,
                              const int *order, int from, int count, int step, lp_vector *x);
/* Solves with the listed entries of x whose place is below trivial: such pivots are 1 and
 * never reach one another. */
double lp_triangle_solve_trivial(const lp_triangle *t, const int *place, int trivial, lp_vector *x);

/* lp/markowitz.c: the part of the basis that has no singletons. */
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
    /* columns (rows) of equal count, doubly linked; heads by count */
    int *col_head, *col_next, *col_prev;
    int *row_head, *row_next, *row_prev;
    int heads;
    double *multiplier; /* extent rows, zero between pivots */
    int *pattern;       /* extent rows */
    char *slot_mark;    /* extent rows, zero between pivots */
} lp_kernel;

/* Eliminates the active submatrix; fills L (columns), U (triplets), pivots, order and
 * slot_row. Slots left without a pivot have slot_row -1 on return. Returns work. */
double lp_kernel_eliminate(lp_kernel *k, int active);

/* Appends one entry to the triplets. */
void lp_triplets_push(lp_triplets *t, int row, int slot, double value);

#endif
