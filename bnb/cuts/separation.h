/* bnb/cuts/separation: one round of separation, and the separators.
 *
 * Every separator builds a base row
 *
 *     sum_j alpha_j x_j + sum_k g_k t_k = beta,   t_k >= 0 slack of a row's side
 *
 * from rows of the LP, substitutes bounds (x = l + x' or u - x'), rounds (mixed-integer rounding)
 * in the space of the non-negative x', and goes back to x. Coefficients are computed in long
 * double; every rounding error is charged to the cut (coefficients of non-negative terms are
 * lowered, right sides raised), so that a cut holds for every integral point of the rows and the
 * global bounds. */
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
    bool integral; /* activity integral at integral points */
} bnb_row_view;

/* A term of a base row in the space of x' >= 0. */
typedef struct bnb_term {
    int source; /* column, or ~k for slack k */
    bool integer, complemented;
    long double a;
    double range; /* upper bound of x' */
    double at;    /* its value in the LP solution */
} bnb_term;

/* A row of the sum. */
typedef struct bnb_summand {
    int row; /* of the LP */
    double weight;
    bool from_upper;
    int slack; /* -1: none */
} bnb_summand;

typedef struct bnb_slack {
    bnb_row_view row;
    int number;      /* of the LP row */
    bool from_upper; /* t = upper - activity, else activity - lower */
    long double coef;
    double at;
} bnb_slack;

/* One separation round: what is separated, scratch space, and the cuts found. */
typedef struct bnb_separation {
    const bnb_instance *in;
    const double *lower, *upper; /* global bounds, extent cols */
    const double *x;             /* LP solution */
    int rows;                    /* of the LP: core rows, then cuts */
    int all_rows;                /* with the model's lazy rows after them */
    const bnb_row_view *row;     /* extent all_rows */
    const double *activity;      /* extent all_rows */
    const double *dual;          /* extent all_rows; 0 for lazy rows */
    double min_efficacy;
    int max_tableau_rows; /* tried by bnb_separate_gomory */
    bool holds_debug;     /* the debug solution must survive */
    bool derives;         /* cuts say how they follow */
    /* base row */
    long double *alpha, *magnitude; /* extent cols, zero outside `col` */
    int *col, count;
    bool *present;
    bnb_slack *slack;
    int slacks, slack_capacity;
    bnb_summand *summand;
    int summands, summand_capacity;
    long double beta, beta_magnitude;
    int added;  /* rows summed up since the reset */
    bool exact; /* of a cut on its way back to x: all numbers are whole so far */
    /* its terms */
    bnb_term *term;
    int terms, term_capacity;
    long double rhs;
    double divisor;      /* of the last rounding */
    long double *weight; /* extent term_capacity: cut coefficients of the terms */
    /* found */
    bnb_poolcut **cut;
    double *efficacy;
    int cuts, cut_capacity;
} bnb_separation;

/* in is borrowed. */
void bnb_separation_init(bnb_separation *s, const bnb_instance *in);
void bnb_separation_clear(bnb_separation *s);
void bnb_separation_drop_cuts(bnb_separation *s); /* releases and forgets what was found */

/* Where row r of the model stands among s->row. */
int bnb_separation_row(const bnb_separation *s, int r);

/* Base row: reset, add weight times LP row (its slack on the side nearer to the present
 * activity). */
void bnb_base_reset(bnb_separation *s);
void bnb_base_add(bnb_separation *s, int row, double weight);
/* Replaces continuous columns by integer ones through two-entry rows that are at least as
 * tight as their bounds (variable bounds; Van Roy and Wolsey 1986). */
void bnb_base_use_variable_bounds(bnb_separation *s);

/* The best mixed-integer rounding of the base row read as `<=`, kept if efficacious. delta_one: try
 * the unscaled row first (Gomory's mixed-integer cut). kind: for the log. */
bool bnb_base_separate(bnb_separation *s, bool delta_one, const char *kind);

/* Efficacy of the best rounding of the terms, with its weights and *rhs. */
double bnb_mir_best(bnb_separation *s, bool delta_one, long double *rhs);
/* How the cut of the terms, their weights and divisor follows (derive.c). */
bnb_derivation *bnb_base_derivation(const bnb_separation *s);
/* Stores a finished cut (takes the reference) with its efficacy at x. */
void bnb_separation_store(bnb_separation *s, bnb_poolcut *c);

/* The separators: each adds to s->cut. */
void bnb_separate_rows(bnb_separation *s); /* rows and path aggregation */
void bnb_separate_gomory(bnb_separation *s, lp_solver *lp);

/* Orders the found cuts by efficacy and picks at most `limit` of low parallelism: their
 * indices in chosen (extent cuts); returns how many. */
int bnb_separation_choose(const bnb_separation *s, int limit, double max_parallelism, int *chosen);

#endif
