/* lp/sift: linear programmes of which only a working set of columns, and the rows that
 * these need, is explicit (sifting: Bixby, Gregory, Lustig, Marsten and Shanno, Oper.
 * Res. 40 (1992); column generation: Desaulniers, Desrosiers and Solomon, eds. (2005)).
 *
 * Two entries. lp_sift_model has the whole model in memory and keeps rows out of the
 * restricted model too. lp_sift_columns knows the missing columns only through a
 * callback. */
#ifndef LP_SIFT_H
#define LP_SIFT_H

#include "lp/simplex.h"

/* ---- a model in memory ------------------------------------------------------ */

typedef struct lp_sift_params {
    lp_params lp;      /* of the restricted models, without method and cutoff; its limits hold
                          for everything */
    int add_least;     /* a round may add so many columns, 2000, */
    double add_share;  /* or this share of the working ones, if that is more; 0.5; or all columns
                          that improve the point together */
    int drop_after;    /* a column that was not basic in so many rounds leaves; 0: none does */
    double whole_from; /* take all columns once so large a share of them works; 0.6 */
    int round_limit;   /* rounds after which all columns are taken; 200 */
} lp_sift_params;

lp_sift_params lp_sift_params_default(void);

typedef struct lp_sift_result {
    lp_status status;     /* LP_OPTIMAL, _INFEASIBLE, _UNBOUNDED or the limit that was hit */
    double objective;     /* of x, LP_OPTIMAL only */
    double bound;         /* safe lower bound from y (lp_safe_bound); -INFINITY: none yet */
    double *x, *y;        /* extent cols, rows: primal (LP_OPTIMAL) and dual values; when
                             LP_INFEASIBLE y is the proof as lp_farkas gives it, when
                             LP_UNBOUNDED x is the ray */
    unsigned char *basis; /* extent cols + rows: for lp_set_basis, from the last restricted model */
    int rounds;           /* restricted models solved */
    int columns, rows;    /* of the last restricted model */
    long iterations;
} lp_sift_result;

/* Solves the relaxation of m. seed (extent cols, may be NULL) marks the columns to begin
 * with, whose optimum is taken to be near the whole one; the others rest at the finite bound
 * nearest to zero until they price out. A row is explicit when a working column can violate it; the
 * others get dual values by a repair that lets a column's negative reduced cost be paid by what
 * else the row holds.
 *
 * LP_OPTIMAL: x is feasible for m, and the safe bound of y meets its objective within 1e-7,
 * relative: nothing is assumed of how they were found. y is dual feasible but for what that allows.
 * (Where sifting ends with all columns in the restricted model, it is what lp_solve calls optimal.)
 * At a limit bound is the best one that a round gave. The result's arrays belong to it. O(entries)
 * per round beside the restricted solves; once optima have settled, a linear programme of the size
 * of m in each, until two of them have taken more iterations than everything before. */
lp_sift_result lp_sift_model(const lp_model *m, const bool *seed, const lp_sift_params *params);
void lp_sift_result_clear(lp_sift_result *r); /* frees the arrays */

/* ---- columns behind a callback ------------------------------------------------ */

/* Columns as a callback hands them over. Entries are over the rows of the master LP. */
typedef struct lp_column_list lp_column_list; /* opaque */

/* Appends a column; bounds as in lp_add_cols. */
void lp_column_list_add(lp_column_list *list, double cost, double lower, double upper, int count,
                        const int *rows, const double *values);

/* Prices the columns that the master does not have. y: extent lp_rows(master). For a
 * column with entries a the reduced cost is c - y'a, or -y'a when farkas is true (the master
 * is infeasible, y is the proof: a column with a negative one, or with a positive one if it can
 * fall, breaks it). Appends those worth having to out; none: there are none. */
typedef void lp_price_function(void *context, const double *y, bool farkas, lp_column_list *out);

/* Solves the master, asks price for columns and adds them, until there are none to add.
 * LP_OPTIMAL (INFEASIBLE): optimal (infeasible) over all columns, as far as price can be
 * believed; lp_primal, lp_dual and lp_farkas of the master are the answer. Columns are numbered in
 * the order in which they came. Any other status is the master's last. rounds (may be NULL) gets
 * the number of solves. */
lp_status lp_sift_columns(lp_solver *master, lp_price_function *price, void *context, int *rounds);

#endif
