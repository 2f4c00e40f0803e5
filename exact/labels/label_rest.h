/* exact/labels/label_rest: lower bounds on the cost of the stages before a label
 * (exact/labels/label_set.h). Not for others.
 *
 * A bound is `base`, plus `wanted` of each wanted tensor, less `stored` of each tensor with a paid
 * page-out. Number 0 comes from prices (exact/labels/label_price.h), each of the others from an LP
 * of a coarse timeline that ends at the moment of the label: the dual solution for one label, which
 * holds for all labels of the stage. */
#ifndef EXACT_LABEL_REST_H
#define EXACT_LABEL_REST_H

#include "exact/labels/label_price.h"
#include "exact/labels/label_set.h"
#include "formulation/coarse.h"
#include "lp/simplex.h"

/* Timelines of one point: the LP's value in model units for each stage, extent n. */
typedef struct label_points {
    unsigned features; /* formulation/formulation.h */
    double scale;      /* model units per joule */
    double *value;
} label_points;

/* Solves an LP for each stage in which keeping everything exceeds the budget, until a limit is hit
 * (NULL: none); 0 for the others. */
label_points label_points_make(const problem *p, unsigned features, const base_limits *limits);
void label_points_clear(label_points *l);

typedef struct label_rest {
    const problem *p;
    const label_points *points; /* NULL: prices alone */
    int count, space;           /* bounds of the present stage */
    double *base;               /* joules, extent space */
    double *wanted, *stored;    /* joules, extent space * n */
    coarse *timeline;           /* of the present stage; NULL: none */
    lp_solver *lp;
    double *dual, *lower; /* extents: rows, columns */
} label_rest;

/* points: borrowed. */
label_rest label_rest_open(const problem *p, const label_points *points);
void label_rest_close(label_rest *r);

/* Begins stage t with the bound of prices (label_price_before). All bounds of the stage hold from
 * its beginning to the event of t. */
void label_rest_begin(label_rest *r, int t, const label_price *price);

static inline double label_rest_wanted(const label_rest *r, const label *l, int i)
{
    return r->wanted[(size_t)l->rest * (size_t)r->p->graph->n + (size_t)i];
}

static inline double label_rest_stored(const label_rest *r, const label *l, int i)
{
    return r->stored[(size_t)l->rest * (size_t)r->p->graph->n + (size_t)i];
}

/* Sets l->earlier by the bounds from number `from` on, if one is better; from 0: in any case. */
void label_rest_bound(const label_rest *r, const label_set *s, label *l, int from);

/* Adds bounds for the labels with the least bounds, and for some others below the cutoff, joules,
 * until about `work` steps are taken. */
void label_rest_raise(label_rest *r, const label_set *s, double cutoff, double work);

#endif
