/* Random models for the tests of lp/, the same for the same seed on every machine:
 * small, with every kind of row and bound. */
#ifndef TESTS_LP_SAMPLE_H
#define TESTS_LP_SAMPLE_H

#include "lp/model.h"

typedef enum sample_family {
    SAMPLE_SPARSE, /* every kind of row and bound, small numbers */
    SAMPLE_DENSE,
    SAMPLE_DEGENERATE,      /* entries +-1, sides mostly 0, many ties */
    SAMPLE_COVERING,        /* 0/1 entries, >= 1 rows, infinite upper bounds */
    SAMPLE_NETWORK,         /* node-arc incidence with equality rows: redundant */
    SAMPLE_INFEASIBLE,      /* rows that contradict one another, some by little */
    SAMPLE_UNBOUNDED,       /* few rows, free columns, costs that push outwards */
    SAMPLE_NEARLY_SINGULAR, /* rows that nearly repeat one another */
    SAMPLE_SCALED,          /* rows and columns multiplied by powers of two up to 2^20 */
    SAMPLE_BOXED,           /* all bounds finite */
    SAMPLE_REDUCIBLE,       /* multiples of rows and columns, singletons, short equations; some
                               infeasible */
    SAMPLE_FAMILIES
} sample_family;

const char *sample_family_name(sample_family family);

/* A model of the family with at most the given extents (>= 1; one row more if
 * infeasible). Feasible ones are built around a point, so that most are feasible where
 * the family's name does not say otherwise; nothing is promised. No integers, no names. */
lp_model *sample_model(base_rng *rng, sample_family family, int rows, int cols);

/* Makes some columns integer, gives names to all rows and columns. */
void sample_decorate(base_rng *rng, lp_model *m);

#endif
