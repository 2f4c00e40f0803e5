/* Safe bounds on a model from multipliers of its rows. */
#include "lp/safe.h"

#include <string.h>

#include "lp/safe_duals.h"
#include "lp/safe_repair.h"

double lp_safe_bound_mend(const lp_model *m, const double *lower, const double *upper, double *y,
                          double *d, double *own)
{
    double *own_d = d ? NULL : base_malloc((size_t)m->cols + 1, sizeof *own_d);
    const double bound = lp_duals_prove(m, lower, upper, y, m->cost, m->offset, lp_dual_interior,
                                        d ? d : own_d, own);
    base_free(own_d);
    return bound;
}

double lp_safe_bound(const lp_model *m, const double *lower, const double *upper, const double *y,
                     double *d)
{
    double own, *copy = base_malloc((size_t)m->rows + 1, sizeof *copy);
    memcpy(copy, y, (size_t)m->rows * sizeof *y);
    const double bound = lp_safe_bound_mend(m, lower, upper, copy, d, &own);
    base_free(copy);
    return bound;
}
