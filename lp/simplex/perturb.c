/* Cost perturbation against dual degeneracy (Koberstein, thesis 2005, section 6.3; sizes in
 * proportion to the costs as in HiGHS, but smaller). */
#include <math.h>

#include "lp/simplex/dual.h"

#define PERTURBATION_STALLED 8e-6 /* if steps still stall, relative to the mean of the costs */

static double mean_cost(const lp_solver *s)
{
    double sum = 0.0;
    int count = 0;
    for (int j = 0; j < s->cols; j++) {
        if (s->cost[j] == 0.0)
            continue;
        sum += log(fabs(s->cost[j]));
        count++;
    }
    return count > 0 ? exp(sum / count) : 1.0;
}

/* Returns the sign of the cost shift of nonbasic j, away from zero on the side that suits its
 * bounds; 0: no shift. */
static double direction(const lp_solver *s, int j)
{
    const bool low = s->lower[j] > -INFINITY, high = s->upper[j] < INFINITY;
    if (s->status[j] == LP_BASIC || s->lower[j] == s->upper[j] || (!low && !high))
        return 0.0;
    if (low != high)
        return low ? 1.0 : -1.0;
    return s->status[j] == LP_AT_LOWER || (s->status[j] == LP_FIXED && s->d[j] >= 0.0) ? 1.0 : -1.0;
}

/* If a solve starts from a dual feasible slack basis, larger perturbations save few pivots of the
 * dual, if any. The primal may then take longer to undo them than the dual took in total. If
 * steps still stall, the perturbation is proportional to the geometric mean of the costs: smaller
 * ones vanish in the tolerance of the ratio test. */
void lp_perturb_costs(lp_solver *s, bool stalled)
{
    const lp_tuning *tuning = &s->params.tuning;
    double largest = 0.0;
    for (int j = 0; j < s->cols; j++)
        largest = lp_max(largest, fabs(s->cost[j]));
    double base =
        s->from_nothing && !s->had_phase1 ? tuning->perturbation_cold : tuning->perturbation;
    base *= largest > 100.0 ? sqrt(sqrt(largest)) : fmin(lp_max(largest, 1e-3), 1.0);
    if (stalled)
        base = lp_max(base, PERTURBATION_STALLED * mean_cost(s));
    for (int j = 0; j < s->vars; j++) {
        double size = (1.0 + fabs(s->work_cost[j])) * base * (1.0 + base_rng_double(&s->rng));
        if (j >= s->cols)
            size = base * 1e-3 * base_rng_double(&s->rng);
        double shift = size * direction(s, j);
        if (shift == 0.0)
            continue;
        s->work_cost[j] += shift;
        s->d[j] += shift;
        s->dual_objective += shift * s->value[j];
    }
    s->perturbed = true;
}
