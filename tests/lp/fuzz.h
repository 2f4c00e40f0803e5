/* Random LPs against certificates and other solvers, and the shrinking of what fails. */
#ifndef TESTS_LP_FUZZ_H
#define TESTS_LP_FUZZ_H

#include "tests/lp/reference.h"
#include "tests/lp/sample.h"

typedef struct fuzz_options {
    bool glpk;          /* compare with this program */
    bool exact;         /* ... and with the judge in rational arithmetic */
    int size;           /* largest number of rows and of columns */
    double seconds;     /* that one solve may take; 0: all fail, to test the shrinker */
    const char *folder; /* for temporary files */
} fuzz_options;

typedef struct fuzz_report {
    char failure[256];   /* empty: none. Starts with a word that names its kind */
    lp_status status;    /* of the cold solve */
    bool glpk_differs;   /* while the certificates, and the exact solver if asked, agree with us */
    bool borderline;     /* exact arithmetic says otherwise, by less than the tolerances */
    bool exact_answered; /* the exact solver was asked and gave a verdict */
    bool ill_posed;      /* failed, but on a model that excuses it */
    bool unverified;     /* infeasible with a proof only up to tolerances */
} fuzz_report;

/* The model of a seed. */
lp_model *fuzz_instance(uint64_t seed, int size, sample_family *family);

/* Solves m cold and, after changes drawn from seed, warm, in a process of its
 * own, and checks everything that is said. */
fuzz_report fuzz_check(const lp_model *m, uint64_t seed, const fuzz_options *options);

/* The smallest model found that fails with the same kind of failure; frees m. */
lp_model *fuzz_shrink(lp_model *m, uint64_t seed, const fuzz_options *options);

#endif
