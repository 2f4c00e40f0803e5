/* Shared by the files that write VIPR; not for others. */
#ifndef CERTIFICATE_VIPR_INTERNAL_H
#define CERTIFICATE_VIPR_INTERNAL_H

#include <stdio.h>

#include "certificate/vipr.h"

/* After stdio.h: GMP declares what writes to a FILE only where it knows one. */
#include <gmp.h>

/* Constraints are numbered: those of the model, then the derived ones, each with the assumptions
 * under which it holds. */

/* A bound of a column that a constraint states. */
typedef struct vipr_bound {
    double value; /* infinite: there is none */
    long id;      /* the constraint; -1: none */
} vipr_bound;

typedef struct vipr_change {
    int col;
    bool upper;
    vipr_bound bound;
} vipr_change;

/* What was derived of a node: a bound on the objective, or that it has no solution. */
typedef struct vipr_claim {
    long id; /* of the constraint; -1: nothing yet */
    bool absurd;
    mpq_t bound; /* 0 if absurd */
} vipr_claim;

/* A bound of a node that holds since what lies beyond it costs too much: it is assumed, and so was
 * its contrary, from which the claim was derived. */
typedef struct vipr_fork {
    long near, far;
    vipr_claim claim;
} vipr_fork;

typedef struct vipr_node {
    int parent;   /* -1: the root */
    int child[2]; /* 0: it was not branched */
    long assumed; /* the branching's constraint */
    vipr_change *change;
    int changes, change_capacity;
    vipr_fork *fork;
    int forks, fork_capacity;
    vipr_claim claim;
} vipr_node;

typedef struct vipr_term {
    long id;
    mpq_t y;
} vipr_term;

typedef struct vipr {
    const lp_model *m;
    FILE *out;         /* the derivations */
    const char *fault; /* why there is no certificate, a static text; NULL: nothing so far */
    long given, next;  /* constraints of the model, number of the next one */
    int *row_start, *row_col;
    double *row_value;   /* the model by rows */
    vipr_bound *root[2]; /* lower and upper bounds of the columns, as given or derived */
    long *row_id[2];     /* constraints of the lower and upper sides of the rows; -1 */
    vipr_node *node;
    int nodes, node_capacity;
    int *node_of_id; /* by the tree's number; -1 */
    long ids;
    int at; /* node whose bounds `bound` has */
    vipr_bound *bound[2];
    int crossed;     /* a column whose bounds at this node contradict each other; -1 */
    vipr_term *term; /* of the derivation that is being made */
    int terms, term_capacity;
    mpq_t *reduced; /* extent cols */
    mpq_t sum, a, b;
    bnb_proof hooks;
} vipr;

/* The proof cannot be written; the first reason stays. */
void vipr_give_up(vipr *v, const char *fault);

/* ---- vipr_derive.c: single derivations ---- */

void vipr_term_clear(vipr *v);
void vipr_term_add(vipr *v, long id, const mpq_t y);
/* Writes the terms as a reason of kind "lin" or "rnd", each multiplier times sign, and the end of
 * the line. */
void vipr_write_reason(vipr *v, const char *kind, int sign);
/* The name, sense and side of the next constraint, up to its coefficients. For that of an
 * objective, or of an absurdity (absurd), these too. */
long vipr_begin_line(vipr *v, char sense, const mpq_t side);
long vipr_begin_claim(vipr *v, const vipr_claim *claim);
/* A constraint "column <= value" (upper) or ">= value", assumed. */
vipr_bound vipr_assume(vipr *v, int col, bool upper, double value);

/* Derives a claim within the bounds of the present node from multipliers (rows as in
 * bnb_multipliers): of the objective, or that nothing meets the rows. False, with nothing written,
 * where the multipliers do not give one. */
bool vipr_derive_bound(vipr *v, const double *y, vipr_claim *claim);
bool vipr_derive_absurd(vipr *v, const double *y, vipr_claim *claim);
/* The same from one row within the present bounds, and from bounds that contradict each other. */
bool vipr_derive_empty_row(vipr *v, int row, vipr_claim *claim);
void vipr_derive_crossed(vipr *v, int col, vipr_claim *claim);
/* The bound that the row puts on a column, rounded if it is an integer one, and outward to a
 * double; infinite, with nothing written, where it puts none that is better than `than`. */
vipr_bound vipr_derive_implied(vipr *v, int row, int col, bool upper, double than);
/* A bound of an integer column, rounded. */
vipr_bound vipr_derive_rounded(vipr *v, int col, bool upper, vipr_bound bound);
/* What holds as one of two claims does, which are derived under contrary assumptions. */
vipr_claim vipr_derive_either(vipr *v, const vipr_claim *one, long assumed, const vipr_claim *other,
                              long contrary);
/* Rounds the claim on an objective up to the next multiple of what all its values are multiples of.
 */
void vipr_derive_multiple(vipr *v, vipr_claim *claim);

/* ---- vipr_tree.c: what the tree tells ---- */

void vipr_tree_init(vipr *v);
void vipr_tree_clear(vipr *v);
/* Where presolve saw that nothing is feasible, nobody told. */
void vipr_close_untold(vipr *v);

#endif
