/* What models that grow begin with, once the windows are closed: of their cells, those that matter
 * to the bound. */
#include <math.h>

#include "exact/engine.h"
#include "lp/pick.h"
#include "lp/safe.h"

#define LEAST_GAP 1e-6 /* of the bound */

/* The columns that the LP has at zero, as lp_pick_duals wants them. */
static void find_sides(const working *w, const lp_model *m, signed char *side)
{
    const double *x = lp_primal(w->lp);
    for (int j = 0; j < m->cols; j++)
        side[j] = m->integer[j] && m->lower[j] == 0 && m->upper[j] > 0 && x[j] <= 1e-9;
}

/* Recomputations and transfers whose column has a side and costs more than most leave the mask. */
static int drop(const engine *e, const formulation *f, const signed char *side, const double *d,
                double most, uint8_t *mask)
{
    static const cell_kind action[] = {CELL_R, CELL_IN, CELL_OUT};
    size_t n = (size_t)e->p->graph->n;
    int dropped = 0;
    for (int a = 0; a < 3; a++)
        for (size_t cell = 0; cell < n * n; cell++) {
            int col = f->cell[action[a]][cell];
            if (col < 0 || !side[col] || d[col] <= most)
                continue;
            mask[cell] &= (uint8_t)~formulation_kind_bit[action[a]];
            dropped++;
        }
    return dropped;
}

bool engine_shed(engine *e, const working *w, uint8_t *mask)
{
    double gap = fmax(engine_cutoff(e) - w->bound, LEAST_GAP * fabs(w->bound));
    if (!e->core_closed || !(gap < SMALL_GAP * fabs(w->bound)) || w->status != LP_OPTIMAL ||
        !engine_tuning(e)->shed)
        return false;
    lp_model *m = model_with_cuts(w->f, &w->cuts);
    signed char *side = base_calloc((size_t)m->cols + 1, 1);
    double *y = base_malloc((size_t)m->rows + 1, sizeof *y);
    double *d = base_malloc((size_t)m->cols + 1, sizeof *d);
    int dropped = 0;
    long iterations = 0;
    find_sides(w, m, side);
    if (lp_pick_duals(w->lp, side, engine_tuning(e)->shed_enough * gap, y, &iterations)) {
        lp_safe_bound(m, NULL, NULL, y, d);
        dropped = drop(e, w->f, side, d, engine_tuning(e)->shed_dear * gap, mask);
    }
    e->result->lp_iterations += iterations;
    engine_log(e, 2, "shed      %d cells of the windows, in %ld iterations", dropped, iterations);
    base_free(d);
    base_free(y);
    base_free(side);
    lp_model_free(m);
    return dropped > 0;
}
