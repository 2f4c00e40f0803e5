/* Other solvers, run as programs on a file: what they say of a model. */
#ifndef TESTS_LP_REFERENCE_H
#define TESTS_LP_REFERENCE_H

#include "lp/simplex.h"

typedef struct reference_answer {
    lp_status status; /* LP_OPTIMAL, LP_INFEASIBLE, LP_UNBOUNDED; LP_UNSOLVED: no verdict */
    double objective; /* offset included; of a model that is optimal */
} reference_answer;

/* True if a program is installed. */
bool reference_installed(const char *program);

/* GLPK's simplex, by glpsol. folder: where to put files (they are removed). */
reference_answer reference_glpk(const lp_model *m, const char *folder);

/* Branch and bound of other solvers, within some seconds: status and x (extent cols, zeros before;
 * their solution, to their tolerances, where they have one). LP_UNSOLVED: no verdict. */
lp_status reference_mip_glpk(const lp_model *m, const char *folder, double *x);
lp_status reference_mip_cbc(const lp_model *m, const char *folder, double *x);

#endif
