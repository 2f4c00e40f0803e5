/* Leaving row by dual steepest edge (Forrest and Goldfarb, Math. Prog. 57 (1992)). */
#include <assert.h>
#include <math.h>

#include "lp/simplex/compute.h"
#include "lp/simplex/dual.h"

#define WEIGHT_LOW 1e-4   /* least value of an updated weight */
#define TOP_CANDIDATES 50 /* with fewer candidates all are searched each time */
#define TOP_MERIT 0.1     /* part of the best merit that makes a row one of the top */

/* Returns the position of the largest violation^2 / weight in the list; -1: none. Removes
 * positions that became feasible. */
static int best_of(const lp_solver *s, int *list, int *count, bool *is_listed)
{
    int best = -1, kept = 0;
    double best_violation = 0.0, best_weight = 1.0;
    for (int k = 0; k < *count; k++) {
        int p = list[k];
        double v = s->infeasibility[p];
        if (v == 0.0) {
            is_listed[p] = false;
            continue;
        }
        list[kept++] = p;
        if (v * best_weight > best_violation * s->weight[p]) {
            best = p;
            best_violation = v;
            best_weight = s->weight[p];
        }
    }
    *count = kept;
    return best;
}

/* Lists the candidates with a merit near the best one. */
static void list_top(lp_solver *s, int best)
{
    for (int k = 0; k < s->tops; k++)
        s->is_top[s->top[k]] = false;
    s->tops = 0;
    s->top_least = INFINITY;
    if (best < 0 || s->candidates < TOP_CANDIDATES)
        return;
    s->top_least = TOP_MERIT * s->infeasibility[best] / s->weight[best];
    for (int k = 0; k < s->candidates; k++) {
        const int p = s->candidate[k];
        if (s->infeasibility[p] >= s->top_least * s->weight[p]) {
            s->is_top[p] = true;
            s->top[s->tops++] = p;
        }
    }
}

/* Returns the position of the largest violation^2 / weight; -1: none. Few candidates change from
 * one pivot to the next: as long as a top candidate stays above top_least, only the top is
 * searched. */
static int best_candidate(lp_solver *s)
{
    s->work += s->tops;
    int best = best_of(s, s->top, &s->tops, s->is_top);
    if (best >= 0 && s->infeasibility[best] >= s->top_least * s->weight[best])
        return best;
    s->work += s->candidates;
    best = best_of(s, s->candidate, &s->candidates, s->is_candidate);
    list_top(s, best);
    return best;
}

void lp_dual_choose_row(lp_solver *s, lp_pivot *pivot)
{
    for (;;) {
        int p = best_candidate(s);
        pivot->row = p;
        if (p < 0)
            return;
        lp_engine_btran_unit(s, p);
        const double exact = lp_vector_square(&s->rho);
        double updated = s->weight[p];
        s->weight[p] = exact;
        s->work += s->rho.count;
        if (updated < WEIGHT_TRUST * exact)
            continue;
        pivot->leaving = s->head[p];
        pivot->to_upper = s->xb[p] > s->ub[p];
        return;
    }
}

void lp_dual_ftran_weights(lp_solver *s)
{
    lp_vector_copy(&s->tau, &s->rho);
    lp_factor_ftran_wanted(s->factor, &s->tau, &s->expected.weight, &s->column);
}

void lp_dual_update_weights(lp_solver *s, const lp_pivot *pivot)
{
    const lp_vector *column = &s->column;
    int p = pivot->row;
    double alpha = pivot->alpha_column, leaving = s->weight[p];
    for (int k = 0; k < column->count; k++) {
        int i = column->index[k];
        if (i == p)
            continue;
        double ratio = column->value[i] / alpha;
        double w = s->weight[i] + ratio * (ratio * leaving - 2.0 * s->tau.value[i]);
        s->weight[i] = w > WEIGHT_LOW ? w : WEIGHT_LOW;
    }
    s->weight[p] = lp_max(leaving / (alpha * alpha), WEIGHT_LOW);
    s->work += 2.0 * column->count;
}
