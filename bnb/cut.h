/* bnb/cut: cuts and the pool. */
#ifndef BNB_CUT_H
#define BNB_CUT_H

#include <stdatomic.h>

#include "bnb/bnb.h"

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
/* True if a row of so many entries is of any use: without entries, only when it cannot be met. */
bool bnb_poolcut_says_something(int count, double lower, double upper);
void bnb_poolcut_hold(bnb_poolcut *c);
void bnb_poolcut_release(bnb_poolcut *c); /* frees with the last reference */
double bnb_poolcut_activity(const bnb_poolcut *c, const double *x);
/* Violation over norm, negative when satisfied with a margin. */
double bnb_poolcut_efficacy(const bnb_poolcut *c, const double *x);

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

#endif
