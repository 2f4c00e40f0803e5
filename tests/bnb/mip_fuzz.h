/* The branch and bound on random models, against other solvers and the exact judge. */
#ifndef TESTS_BNB_MIP_FUZZ_H
#define TESTS_BNB_MIP_FUZZ_H

#include "bnb/bnb.h"
#include "tests/bnb/mip_sample.h"

typedef struct mip_fuzz_options {
    bool glpk, cbc;     /* ask these programs, too */
    int size;           /* largest number of rows and of columns, but for a few */
    double points;      /* integer points that are enumerated at most */
    double seconds;     /* time limit of a solve; 0: all fail, to test the shrinker */
    const char *folder; /* for temporary files */
} mip_fuzz_options;

typedef struct mip_fuzz_report {
    char failure[256];     /* empty: none. Starts with a word that names its kind */
    bnb_status status;     /* with default parameters */
    bool solved_by_others; /* ... who know a solution or its absence, where status is none of
                              optimal, infeasible and unbounded */
    bool endless;          /* ... but the relaxation, exactly, is unbounded */
    bool complete;         /* the optimum was known from enumeration */
    bool nearly;           /* our solution meets the rows only within the tolerance */
    bool others_err;       /* another solver's verdict is not true, by the judge */
} mip_fuzz_report;

/* Solves m with default parameters, asks the others, and solves it again with parameters drawn
 * from seed; each in a process of its own. */
mip_fuzz_report mip_fuzz_check(const lp_model *m, uint64_t seed, const mip_fuzz_options *options);

#endif
