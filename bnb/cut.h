/* bnb/cut: cuts and the cut pool. */
#ifndef BNB_CUT_H
#define BNB_CUT_H

#include <stdatomic.h>

#include "bnb/bnb.h"

/* Arrays of a bnb_rounding, owned. Rows are LP rows of the round in which the cut was found. */
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

/* Immutable once shared; freed with the last reference. */
typedef struct bnb_poolcut {
    atomic_int refs;
    long id; /* unique in the run */
    int count;
    double lower, upper;
    double norm; /* Euclidean, of the coefficients */
    uint64_t hash;
    const char *kind; /* "mir", "gomory", "user" */
    bool integral;    /* coefficients and columns are integral, so the activity is, too */
    int row;          /* model row of a lazy row; -1: a cut */
    long tag;         /* bnb_cut.tag */
    int *col;         /* extent count, ascending */
    double *value;
    bnb_derivation *derivation; /* freed once reported; NULL: no proof, or a cut of the caller */
} bnb_poolcut;

/* Creates a cut; the caller holds one reference. Entries in any order, columns distinct. */
bnb_poolcut *bnb_poolcut_create(const lp_model *m, int count, const int *col, const double *value,
                                double lower, double upper, const char *kind);
/* The same for a cut on other columns: from is the column of m for each of them, -1 if it was
 * removed with the value removed[]. NULL: no columns are left, and the sides allow 0. */
bnb_poolcut *bnb_poolcut_project(const lp_model *m, const bnb_cut *cut, const int *from,
                                 const double *removed, const char *kind);
void bnb_poolcut_hold(bnb_poolcut *c);
void bnb_poolcut_release(bnb_poolcut *c); /* frees with the last reference */
double bnb_poolcut_activity(const bnb_poolcut *c, const double *x);
/* Returns violation / norm; negative if satisfied with a margin. */
double bnb_poolcut_efficacy(const bnb_poolcut *c, const double *x);

/* ---- pool --------------------------------------------------------------- */

typedef struct bnb_pooled {
    bnb_poolcut *cut;
    int age; /* rounds without a violation */
} bnb_pooled;

typedef struct bnb_pool {
    bnb_pooled *item;
    int count, capacity;
} bnb_pool;

void bnb_pool_clear(bnb_pool *p);
/* Adds a cut and a reference to it. Returns false if the pool has an equal cut. */
bool bnb_pool_add(bnb_pool *p, bnb_poolcut *c);
/* Ages the cuts that x satisfies and drops old ones. */
void bnb_pool_age(bnb_pool *p, const double *x);

#endif
