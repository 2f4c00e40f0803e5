/* What the files of sifting a model in memory share; see lp/sift.h. */
#ifndef LP_SIFT_INTERNAL_H
#define LP_SIFT_INTERNAL_H

#include "lp/sift.h"

/* A row that says "column a <= column b" among the working columns. */
typedef struct lp_sift_link {
    int a, b, row;
} lp_sift_link;

/* The restricted model: working columns that the rows force to be equal are one column. */
typedef struct lp_sift_restriction {
    lp_model *model;
    int *group;  /* extent cols of the whole model: column of the restricted one; -1: absent */
    int *row_of; /* extent rows of the whole model: row of the restricted one; -1: left out */
    int *row;    /* extent rows of the restricted model: row of the whole one */
    int *keeper; /* extent rows of the whole model: of a row left out since another one is a
                    multiple of it and says as much, that one; lp_sift_negative of it where the
                    factor is negative; -1: no such */
    lp_sift_link *link; /* a spanning forest of the groups */
    int links, link_capacity;
} lp_sift_restriction;

/* A reduced cost that a row passed on: column `from` was paid by a column that lacks it now. */
typedef struct lp_sift_debt {
    int debtor, from, next; /* next debt of the same debtor, -1: none */
} lp_sift_debt;

/* A change of a dual value. */
typedef struct lp_sift_move {
    int row;
    double amount;
} lp_sift_move;

typedef struct lp_sift {
    const lp_model *m;
    lp_sift_params params;
    long iteration_limit;     /* of all rounds together */
    int *row_start, *row_col; /* m by rows */
    double *row_value;
    bool *working;           /* extent cols */
    double *rest;            /* extent cols: value of a column that is not working */
    bool complete;           /* all columns work */
    bool rests_at_zero;      /* all of them */
    bool *apart;             /* extent cols: not to be merged with equal columns, so that no row
                                that says so needs repair */
    double *shift;           /* extent rows: activity of the resting columns */
    lp_sift_restriction now; /* model NULL before the first round */
    lp_solver *lp;
    bool had_optimum;        /* the last restricted model */
    double objective;        /* its optimum; INFINITY: it had none */
    bool settled;            /* that is hardly less than the one before, or the first one over
                                columns that the caller named */
    bool seeded;             /* the caller named columns to begin with */
    const int *group_before; /* where the next one goes on from the last basis, the groups it had:
                                columns of different ones are not merged; else NULL */
    unsigned char *status;   /* extent cols + rows: the last basis, as lp_get_basis */
    int *idle;               /* extent cols: rounds in which a working column was not basic */
    bool *dropped;           /* extent cols: left once, will not leave again */
    /* the point of the last restricted model and its duals, extended */
    double *x, *activity, *y, *d;
    /* repair */
    bool *queued; /* extent cols: to be looked at */
    int *seen;    /* extent cols: marks of the searches */
    int *stack;   /* extent cols */
    int waiting, search;
    int *debt_head;  /* extent cols: debts of a column, -1: none */
    int *pass_row;   /* extent cols: the row by which it passed on, -1: none */
    bool *pass_up;   /* extent cols: the direction in which that row's y moved */
    bool *dead_end;  /* extent cols: nothing is passed on to it any more */
    double *y_start; /* extent rows: y when the repair began */
    double *carried; /* extent rows: y of the whole model after the last direction; NULL: none */
    int late_directions; /* that took too long: the next one is among columns within bounds; none is
                            looked for after two */
    lp_sift_debt *debt;
    int debts, debt_capacity;
    lp_sift_move *move;
    int moves, move_capacity;
    int *wanted; /* columns that the repair could not help */
    int wanted_count;
    double work;
    lp_sift_result result;
} lp_sift;

/* ---- sift_group.c ------------------------------------------------------------ */
/* A part of the matrix by rows. */
typedef struct lp_sift_part {
    int *start; /* extent rows + 2, of which rows + 1 are of use */
    int *col;
    double *value;
} lp_sift_part;

/* The working columns. O(entries) */
lp_sift_part lp_sift_working_part(const lp_sift *s);
void lp_sift_part_free(lp_sift_part *w);
/* Whether row r bounds its working part by zero from above (below). */
bool lp_sift_has_zero_side(const lp_sift *s, int r, bool above);
/* Sets of working columns that are equal in every point of the restricted model: out->group
 * gets the number of the set, out->link what proves it. Returns the number of sets. */
int lp_sift_find_groups(const lp_sift *s, const lp_sift_part *w, lp_sift_restriction *out);

/* ---- sift_restrict.c -------------------------------------------------------- */
/* Builds the restricted model of the working columns into s->now, and its solver: with the basis
 * of the one before, for the primal, where that was infeasible or its optimum had settled; else
 * with none, for the dual. */
void lp_sift_restrict(lp_sift *s);
void lp_sift_restriction_clear(lp_sift_restriction *r);
/* A keeper whose row is a negative multiple; its own inverse. */
int lp_sift_negative(int row);

/* ---- sift_basis.c ----------------------------------------------------------- */
/* Sets the basis of the restricted model before (s->status) in the solver of s->now, which has
 * more columns and, for what was merged, more columns and rows: the point of the basis stays the
 * same. O(entries of the whole model) */
void lp_sift_warm_start(lp_sift *s, const lp_sift_restriction *old);
/* Makes s->status a basis of the whole model: what was one column and basic is several basic
 * ones, and the rows that tied them are tight. */
void lp_sift_split_all(lp_sift *s);

/* ---- sift_repair.c ---------------------------------------------------------- */
/* Reduced costs of all columns to s->y into s->d; cost NULL: zeros. */
void lp_sift_price(lp_sift *s, const double *cost);
/* Extends s->y to the rows that are left out so that as few columns as possible have a
 * reduced cost of the wrong sign; needs s->x, s->activity and s->d. Fills s->wanted. False when a
 * limit was hit. */
bool lp_sift_repair(lp_sift *s);
/* How far the sign of d_j is wrong for where x_j is: > 0 lacks, < 0 has too much, 0 right. */
double lp_sift_lack(const lp_sift *s, int j);
/* Whether x_j is at its upper (lower) bound. */
bool lp_sift_is_at(const lp_sift *s, int j, bool upper);
/* Whether row r is at its lower (upper) side or beyond it, so that y_r may be positive (negative).
 */
bool lp_sift_row_is_tight(const lp_sift *s, int r, bool positive);

/* ---- sift_admit.c ------------------------------------------------------------- */
/* Marks the wanted columns with the worst reduced costs, and what passed its lack on to
 * them, as working, or as apart if they are; limit or a few more; once optima have settled some of
 * their neighbours too. Returns how many were not before. */
int lp_sift_admit(lp_sift *s, int limit);
/* Makes j working; if it is, a column of its own. True when it was neither before. */
bool lp_sift_admit_column(lp_sift *s, int j);

/* ---- sift_direction.c --------------------------------------------------------- */
/* Looks for a direction that improves the working point and marks its columns as working, or apart;
 * admitted: how many were not. Needs s->x, s->activity, s->y and s->d, and leaves the best dual
 * values known in s->y and s->d. LP_OPTIMAL: these are the best that the point allows; LP_UNSOLVED:
 * it took too long and nothing was found; else the limit that was reached. One linear programme of
 * the size of the whole model. */
lp_status lp_sift_direct(lp_sift *s, int *admitted);

#endif
