/* Entering variable by the bound flipping ratio test with Harris tolerances and breakpoints in
 * groups (Maros, EJOR 2003; Koberstein, thesis 2005; Huangfu and Hall 2015). */
#include <assert.h>
#include <math.h>

#include "lp/simplex/dual.h"

#define NO_SHIFT 1e-12 /* smaller wrong reduced costs are rounding errors */

static inline void consider(lp_solver *s, int *count, int j, double alpha, double zero)
{
    double d = s->d[j];
    switch (s->status[j]) {
    case LP_AT_LOWER:
        break;
    case LP_AT_UPPER:
        alpha = -alpha;
        d = -d;
        break;
    case LP_FREE:
        alpha = fabs(alpha);
        d = 0.0;
        break;
    default:
        return;
    }
    if (alpha <= zero)
        return;
    s->ratio_var[*count] = j;
    s->ratio_alpha[*count] = alpha;
    s->ratio_dual[(*count)++] = d;
}

int lp_dual_collect(lp_solver *s, double sign, double zero)
{
    int count = 0;
    for (int k = 0; k < s->rho.count; k++) {
        int r = s->rho.index[k];
        consider(s, &count, s->cols + r, sign * s->rho.value[r], zero);
    }
    for (int k = 0; k < s->alpha.count; k++) {
        int j = s->alpha.index[k];
        consider(s, &count, j, sign * s->alpha.value[j], zero);
    }
    s->work += s->rho.count + s->alpha.count;
    return count;
}

static inline void swap(lp_solver *s, int a, int b)
{
    int v = s->ratio_var[a];
    double alpha = s->ratio_alpha[a], dual = s->ratio_dual[a];
    s->ratio_var[a] = s->ratio_var[b];
    s->ratio_alpha[a] = s->ratio_alpha[b];
    s->ratio_dual[a] = s->ratio_dual[b];
    s->ratio_var[b] = v;
    s->ratio_alpha[b] = alpha;
    s->ratio_dual[b] = dual;
}

static double slope_change(const lp_solver *s, int k)
{
    int j = s->ratio_var[k];
    return (s->up[j] - s->lo[j]) * s->ratio_alpha[k];
}

/* Keeps the candidates that a step can reach before the slope turns, roughly; returns their
 * number. */
static int keep_reachable(lp_solver *s, int count, double slope)
{
    double step = 1e-7, change = 0.0;
    int kept = 0;
    while (kept < count && change < slope) {
        for (int k = kept; k < count; k++) {
            if (s->ratio_alpha[k] * step >= s->ratio_dual[k]) {
                change += slope_change(s, k);
                swap(s, k, kept++);
            }
        }
        s->work += count - kept;
        step *= 10.0;
    }
    return kept;
}

/* Sorts the candidates into groups of increasing breakpoint, each within the Harris
 * tolerance; group g ends at ends[g]. Stops with the group in which the slope turns
 * negative. Returns the number of groups. */
static int make_groups(lp_solver *s, int count, double slope, int *ends)
{
    double step = 0.0, change = 0.0;
    int groups = 0, done = 0;
    while (done < count && change < slope) {
        double next = INFINITY;
        int begin = done;
        for (int k = done; k < count; k++) {
            double alpha = s->ratio_alpha[k], dual = s->ratio_dual[k];
            if (dual <= step * alpha) {
                change += slope_change(s, k);
                swap(s, k, done++);
            } else if (dual + s->dual_tolerance < next * alpha) {
                next = (dual + s->dual_tolerance) / alpha;
            }
        }
        s->work += count - begin;
        step = next * (1.0 + 4.0 * DBL_EPSILON); /* its own breakpoint must pass */
        if (done > begin)
            ends[groups++] = done;
    }
    return groups;
}

static int largest_alpha(const lp_solver *s, int begin, int end)
{
    int best = begin;
    for (int k = begin + 1; k < end; k++) {
        double a = s->ratio_alpha[k], b = s->ratio_alpha[best];
        if (a > b || (a == b && s->ratio_var[k] < s->ratio_var[best]))
            best = k;
    }
    return best;
}

void lp_dual_choose_column(lp_solver *s, lp_pivot *pivot)
{
    int p = pivot->row, *ends = s->flips; /* free until the flips are known */
    double slope = pivot->to_upper ? s->xb[p] - s->ub[p] : s->lb[p] - s->xb[p];
    pivot->entering = -1;
    pivot->flips = 0;
    int count = lp_dual_collect(s, pivot->to_upper ? 1.0 : -1.0, pivot->alpha_zero);
    if (count == 0)
        return;
    count = keep_reachable(s, count, slope);
    int groups = make_groups(s, count, slope, ends);
    assert(groups > 0);
    /* take the last group with a large enough element */
    int all = ends[groups - 1];
    double large = fmin(1.0, 0.1 * s->ratio_alpha[largest_alpha(s, 0, all)]);
    int group = groups, best = -1;
    while (group-- > 0) {
        best = largest_alpha(s, group > 0 ? ends[group - 1] : 0, ends[group]);
        if (s->ratio_alpha[best] >= large)
            break;
    }
    assert(group >= 0);
    int passed = group > 0 ? ends[group - 1] : 0, q = s->ratio_var[best];
    pivot->entering = q;
    pivot->alpha_row = lp_engine_row_element(s, q);
    for (int k = 0; k < passed; k++)
        s->flips[k] = s->ratio_var[k];
    pivot->flips = passed;
    if (s->ratio_dual[best] < 0.0 || s->status[q] == LP_FREE) {
        /* slightly infeasible: a cost shift makes the step zero instead of backward */
        if (fabs(s->d[q]) > NO_SHIFT) {
            s->work_cost[q] -= s->d[q];
            s->perturbed = true;
        }
        s->dual_objective -= s->d[q] * s->value[q];
        s->d[q] = 0.0;
    }
    pivot->theta_dual = s->d[q] / pivot->alpha_row;
}
