/* certificate/vipr: the branch and bound on a model from a file, with its proof in the format VIPR
 * 1.0 (Cheung, Gleixner and Steffy 2017), which other people's checkers read. */
#ifndef CERTIFICATE_VIPR_H
#define CERTIFICATE_VIPR_H

#include "bnb/bnb.h"

typedef enum vipr_outcome {
    VIPR_WRITTEN = 0,
    VIPR_NOTHING,   /* no answer is proven: the model is unbounded, or a limit ended the run */
    VIPR_FAILED,    /* the answer stands, but the format cannot say why: error */
    VIPR_UNWRITABLE /* the file: error */
} vipr_outcome;

/* Runs bnb_solve without callbacks, and without cuts, and writes to path (packed if it ends in
 * .gz) what it proves: infeasibility, or that the objective lies between two values. The model's
 * doubles are taken at their exact values. The least value is what the leaves of the tree prove in
 * rational arithmetic, rounded up where all objectives are multiples of a number; the largest is
 * that of a solution which meets every row and bound exactly, or inf where none is known: the one
 * that was found, or the best with its integers. The result must be cleared. When a limit gives the
 * run up in its middle, the result has the best solution, and the bound, that it had told of.
 * Memory: the tree with its bounds; derivations go to a temporary file. */
vipr_outcome vipr_solve(const char *path, const lp_model *m, const bnb_params *params,
                        bnb_result *result, base_error *error);

#endif
