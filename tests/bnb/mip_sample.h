/* Random mixed-integer models that are hard to be right about: small, with integer columns that
 * have no bounds or huge ones, equations, rows that repeat others, entries of all sizes. The same
 * for the same seed on every machine. */
#ifndef TESTS_BNB_MIP_SAMPLE_H
#define TESTS_BNB_MIP_SAMPLE_H

#include "lp/model.h"

typedef enum mip_family {
    MIP_FREE,     /* free and one-sided integers, decimals */
    MIP_WHOLE,    /* whole numbers, equations, no upper bounds */
    MIP_REPEATED, /* multiples of rows with sides of their own */
    MIP_HUGE,     /* bounds and sides up to 1e12, switches with large coefficients */
    MIP_SCALED,   /* rows and columns multiplied by powers of 2 or 10 */
    MIP_BOXED,    /* few values: enumeration knows the optimum */
    MIP_RELAXED,  /* a model of tests/lp/sample.h with some columns integer */
    MIP_ENDLESS,  /* a model of tests/bnb/models.h with some bounds dropped */
    MIP_FAMILIES
} mip_family;

const char *mip_family_name(mip_family family);

/* The model of a seed, with at most size rows and columns or a few more (size >= 2). */
lp_model *mip_instance(uint64_t seed, int size, mip_family *family);

#endif
