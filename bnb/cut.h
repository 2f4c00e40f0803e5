/* bnb/cut: cuts, the pool, and separation.
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
#ifndef BNB_CUT_H
#define BNB_CUT_H

#include <stdatomic.h>

#include "bnb/instance.h"
#include "bnb/tuning.h"

/* Owned arrays of a bnb_rounding; rows are LP rows of the round in which the cut was found. */
typedef struct bnb_derivation {
    double divisor;
    int rows, cols;
    int *row;
    double *weight, *slack;
    bool *upper;
    int *col;
    bnb_side *side;
    double *bound;
} bnb_derivation;

void bnb_derivation_free(bnb_derivation *d); /* NULL allowed */

/* Immutable once shared; lives as long as somebody holds a reference. */
typedef struct bnb_poolcut {
    atomic_int refs;
    long id; /* unique in the run */
    int count;
    double lower, upper;
    double norm; /* Euclidean, of the coefficients */
    uint64_t hash;
    const char *kind; /* "mir", "gomory", "user" */
    bool integral;    /* coefficients and columns integral: so is the slack */
    int row;          /* the model row that this is, -1: a cut */
    long tag;         /* of bnb_cut */
    int *col;         /* extent count, ascending */
    double *value;
    bnb_derivation *derivation; /* until it has been told; NULL: none is wanted */
} bnb_poolcut;

/* One reference held by the caller. Entries in any order, distinct columns. */
bnb_poolcut *bnb_poolcut_create(const lp_model *m, int count, const int *col, const double *value,
                                double lower, double upper, const char *kind);
/* Whether a row of so many entries is of any use: without entries, only when it cannot be met. */
bool bnb_poolcut_says_something(int count, double lower, double upper);
void bnb_poolcut_hold(bnb_poolcut *c);
void bnb_poolcut_release(bnb_poolcut *c); /* frees with the last reference */
double bnb_poolcut_activity(const bnb_poolcut *c, const double *x);
/* Violation over norm, negative when satisfied with a margin. */
double bnb_poolcut_efficacy(const bnb_poolcut *c, const double *x);
/* |cosine| of the angle between two cuts. O(count of both). */
double bnb_poolcut_parallelism(const bnb_poolcut *a, const bnb_poolcut *b);

/* ---- pool --------------------------------------------------------------- */

typedef struct bnb_pool {
    bnb_poolcut **cut;
    int *age; /* rounds without a violation */
    int count, capacity;
} bnb_pool;

void bnb_pool_clear(bnb_pool *p);
/* Takes a reference of its own; false when an equal cut is there. */
bool bnb_pool_add(bnb_pool *p, bnb_poolcut *c);
/* Ages the cuts that x satisfies and drops those older than limit. */
void bnb_pool_age(bnb_pool *p, const double *x, int limit);

/* ---- separation --------------------------------------------------------- */

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
    const bnb_tuning *tuning;
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

/* in and tuning are borrowed. */
void bnb_separation_init(bnb_separation *s, const bnb_instance *in, const bnb_tuning *tuning);
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

/* Substitutes bounds; false when impossible (a free variable) or useless. */
bool bnb_base_substitute(bnb_separation *s);
/* Efficacy of the best rounding of the terms, with its weights and *rhs. */
double bnb_mir_best(bnb_separation *s, bool delta_one, long double *rhs);
/* A double at most `most` that is next to it. */
double bnb_double_below(long double most);
/* Turns weights of the terms and rhs back into x, checks numerics and efficacy, stores. */
bool bnb_base_accept(bnb_separation *s, long double rhs, const char *kind);
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
