/* bnb/cuts/separation: one round of separation, and the separators.
 *
 * Every separator sums rows of the LP to a base row
 *
 *     sum_j alpha_j x_j + sum_k g_k t_k = beta,   t_k >= 0 slack of a row's side
 *
 * It substitutes bounds (x = l + x' or u - x'), rounds in the space of the non-negative x'
 * (mixed-integer rounding), and returns to x. Coefficients are computed in long double. Every
 * rounding error weakens the cut: coefficients of non-negative terms are lowered, right sides
 * raised. So a cut holds for every integral point of the rows within the global bounds. */
#ifndef BNB_SEPARATION_H
#define BNB_SEPARATION_H

#include "bnb/cut.h"
#include "bnb/model/instance.h"

/* A row of the LP. */
typedef struct bnb_row_view {
    int count;
    const int *col;
    const double *value;
    double lower, upper;
    bool integral; /* the activity is integral at integral points */
} bnb_row_view;

/* A term of a base row in the space of x' >= 0. */
typedef struct bnb_term {
    int source; /* column, or ~k for the slack of summand k */
    bool integer, complemented;
    long double a;
    double range;       /* upper bound of x' */
    double at;          /* x' in the LP solution */
    long double weight; /* coefficient in the cut */
} bnb_term;

/* A row of the sum. Its slack t is upper - activity if from_upper, else activity - lower; an
 * equation has none. */
typedef struct bnb_summand {
    int row; /* LP row */
    double weight;
    bool from_upper;
} bnb_summand;

/* One separation round: input, scratch space, and the cuts found. */
typedef struct bnb_separation {
    const bnb_instance *in;
    const double *lower, *upper; /* global bounds, extent cols */
    const double *x;             /* LP solution */
    int rows;                    /* number of LP rows: core rows, then cuts */
    int all_rows;                /* the LP rows, then all lazy rows of the model */
    bnb_row_view *row;           /* extent all_rows */
    double *activity;            /* extent all_rows */
    const double *dual;          /* extent all_rows; 0 for lazy rows */
    double min_efficacy;
    bool derives; /* cuts get a derivation, for proofs */
    /* base row */
    long double *alpha, *magnitude; /* extent cols, zero outside `col` */
    int *col, count;
    bool *present;
    bnb_summand *summand;
    int summands, summand_capacity;
    long double beta, beta_magnitude;
    int added;  /* rows and slacks summed up since the reset */
    bool exact; /* of a cut on its way back to x: all numbers so far are integers */
    /* terms of the base row */
    bnb_term *term;
    int terms, term_capacity;
    long double rhs;
    double divisor; /* divisor of the last rounding */
    /* cuts found in this round */
    bnb_poolcut **cut;
    int cuts, cut_capacity;
} bnb_separation;

/* Keeps a reference to in, which must outlive s. */
void bnb_separation_init(bnb_separation *s, const bnb_instance *in);
void bnb_separation_clear(bnb_separation *s);
void bnb_separation_drop_cuts(bnb_separation *s); /* releases all cuts found */

/* Returns the index in s->row of row r of the model. */
int bnb_separation_row(const bnb_separation *s, int r);

/* Base row. The first makes it empty. The second adds weight times LP row `row`, with the slack
 * of the side that is nearer to the present activity. */
void bnb_base_reset(bnb_separation *s);
void bnb_base_add(bnb_separation *s, int row, double weight);
/* Replaces continuous columns by integer ones through variable bounds: two-entry rows that are at
 * least as tight as the column's bounds (Van Roy and Wolsey 1986). */
void bnb_base_use_variable_bounds(bnb_separation *s);

/* Looks for the best mixed-integer rounding of the base row read as `<=`. Keeps the cut and
 * returns true if it is efficacious. delta_one: also tries the unscaled row (Gomory's
 * mixed-integer cut). kind: name of the separator in logs and proofs. */
bool bnb_base_separate(bnb_separation *s, bool delta_one, const char *kind);

/* Finds the best rounding of the terms. Sets their weights and *rhs to its coefficients and right
 * side, and returns its efficacy; 0: none. */
double bnb_mir_best(bnb_separation *s, bool delta_one, long double *rhs);
/* Stores a finished cut; takes over the reference. Drops duplicates. */
void bnb_separation_store(bnb_separation *s, bnb_poolcut *c);

/* The separators: each adds to s->cut. The second tries at most `limit` tableau rows. */
void bnb_separate_rows(bnb_separation *s); /* rows and path aggregation */
void bnb_separate_gomory(bnb_separation *s, lp_solver *lp, int limit);

/* Chooses at most `limit` of the found cuts, most efficacious first, without nearly parallel
 * pairs. Writes their indices to chosen (extent cuts) and returns their number. */
int bnb_separation_choose(const bnb_separation *s, int limit, int *chosen);

#endif
