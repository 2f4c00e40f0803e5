/* Leaving row by dual steepest edge (Forrest and Goldfarb, Math. Prog. 57 (1992)). */
#include <assert.h>
#include <math.h>

#include "lp/engine.h"

#define WEIGHT_LOW 1e-4   /* updated weights are kept above this */
#define WEIGHT_TRUST 0.25 /* a row whose weight was underestimated more is chosen again */

/* Position of the largest violation^2 / weight; drops candidates that became feasible. */
static int best_candidate(lp_solver *s)
{
    int best = -1, kept = 0;
    double best_violation = 0.0, best_weight = 1.0;
    for (int k = 0; k < s->candidates; k++) {
        int p = s->candidate[k];
        double v = s->infeasibility[p];
        if (v == 0.0) {
            s->is_candidate[p] = false;
            continue;
        }
        s->candidate[kept++] = p;
        if (v * best_weight > best_violation * s->weight[p]) {
            best = p;
            best_violation = v;
            best_weight = s->weight[p];
        }
    }
    s->candidates = kept;
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
        double exact = 0.0;
        for (int k = 0; k < s->rho.count; k++) {
            double v = s->rho.value[s->rho.index[k]];
            exact += v * v;
        }
        double updated = s->weight[p];
        s->weight[p] = exact;
        s->work += s->rho.count + s->candidates;
        if (updated < WEIGHT_TRUST * exact)
            continue;
        pivot->leaving = s->head[p];
        pivot->to_upper = s->xb[p] > s->ub[p];
        return;
    }
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
