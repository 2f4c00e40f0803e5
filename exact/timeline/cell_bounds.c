/* Lower bounds on schedules that use a cell, from the LP of a coarse timeline. A reduced cost of
 * the LP holds for all cells of an interval and a tensor at once. */
#include <math.h>
#include <string.h>

#include "exact/timeline/cell_bounds.h"
#include "formulation/coarse.h"
#include "lp/safe.h"

/* Bounds from one timeline; model units. */
struct cell_bounds {
    cell_bounds *next; /* bounds of the timeline before */
    int points, *point;
    double *compute, *pagein; /* by interval and node, extent (points + 1) * n */
    double *pageout;          /* extent n */
    int number;               /* returned by the proof listener; -1: reported as used */
};

/* Returns the bound with the action. An action with a column sets it to 1, which adds its reduced
 * cost. An action without a column is not in the bound; its own cost is added. */
static double with_action(double bound, int col, const double *d, double joules, const engine *e)
{
    return bound + (col < 0 ? joules * e->scale : fmax(0, d[col]));
}

/* Stores the bounds of c. bound: proven by the multipliers with the reduced costs d. */
static cell_bounds *create_bounds(engine *e, const coarse *c, double bound, const double *d)
{
    const graph *g = e->p->graph;
    const size_t n = (size_t)g->n, cells = ((size_t)c->points + 1) * n;
    cell_bounds *b = base_malloc(1, sizeof *b);
    *b = (cell_bounds){.next = e->cell_bounds,
                       .points = c->points,
                       .point = base_malloc((size_t)c->points, sizeof *b->point),
                       .compute = base_malloc(cells, sizeof *b->compute),
                       .pagein = base_malloc(cells, sizeof *b->pagein),
                       .pageout = base_malloc(n, sizeof *b->pageout)};
    memcpy(b->point, c->point, (size_t)c->points * sizeof *b->point);
    for (size_t i = 0; i < n; i++)
        b->pageout[i] = with_action(bound, c->out[i], d, g->pageout_joules[i], e);
    for (size_t k = 0; k < cells; k++) {
        const size_t i = k % n;
        b->compute[k] = with_action(bound, c->compute[k], d, g->joules[i], e);
        /* a page-in needs a page-out before it */
        b->pagein[k] = with_action(b->pageout[i], c->pagein[k], d, g->pagein_joules[i], e);
    }
    base_work(2 * cells);
    e->cell_bounds = b;
    e->eliminated_upper = INFINITY;
    return b;
}

void engine_cell_bounds_add(engine *e, const coarse *c, double work)
{
    if (!engine_tuning(e)->coarse_fixing || !(e->features & FORMULATION_CANONICAL))
        return;
    lp_params params = lp_params_default();
    params.tuning = e->params->tuning.lp;
    params.limits = engine_limits(e, work);
    params.seed = e->params->seed;
    lp_solver *lp = lp_solver_create(c->model, &params);
    if (lp_solve(lp) == LP_OPTIMAL) {
        double *y = base_malloc((size_t)c->model->rows + 1, sizeof *y);
        double *d = base_malloc((size_t)c->model->cols + 1, sizeof *d);
        memcpy(y, lp_dual(lp), (size_t)c->model->rows * sizeof *y);
        const double bound = lp_safe_bound_mend(c->model, NULL, NULL, y, d);
        create_bounds(e, c, bound, d)->number =
            engine_proof(e)->cell_bounds(engine_proof(e)->user, c, y);
        base_free(y);
        base_free(d);
    }
    e->result->lp_iterations += lp_iterations(lp);
    lp_solver_free(lp);
}

/* Removes cells of stage t, in interval j, with a bound above `most`. Returns their number. */
static long eliminate_stage(engine *e, const cell_bounds *b, int t, int j, double most)
{
    const size_t n = (size_t)e->p->graph->n;
    /* A page-in in the last stage of an interval arrives in the next interval. */
    const size_t here = (size_t)j * n, next = j < b->points && t == b->point[j] ? here + n : here;
    uint8_t *mask = e->mask + (size_t)t * n;
    long removed = 0;
    for (size_t i = 0; i < (size_t)t; i++) {
        uint8_t never = 0;
        if (b->compute[here + i] > most)
            never |= MASK_R;
        if (b->pagein[next + i] > most)
            never |= MASK_IN;
        if (b->pageout[i] > most)
            never |= MASK_OUT;
        removed += __builtin_popcount(mask[i] & never);
        mask[i] &= (uint8_t)~never;
    }
    return removed;
}

long engine_cell_bounds_eliminate(engine *e)
{
    const double cutoff = engine_elimination_cutoff(e), most = cutoff + 1e-9 * (1 + fabs(cutoff));
    const int n = e->p->graph->n;
    long removed = 0;
    for (cell_bounds *b = e->cell_bounds; b && isfinite(most); b = b->next) {
        const long before = removed;
        base_work((size_t)n * (size_t)n);
        for (int t = 0, j = 0; t < n; t++) {
            j += j < b->points && t > b->point[j];
            removed += eliminate_stage(e, b, t, j, most);
        }
        if (removed > before && b->number >= 0) {
            engine_proof(e)->cells_bounded(engine_proof(e)->user, b->number);
            b->number = -1;
        }
    }
    return removed;
}

void engine_cell_bounds_clear(engine *e)
{
    for (cell_bounds *b = e->cell_bounds, *next; b; b = next) {
        next = b->next;
        base_free_all(b->point, b->compute, b->pagein, b->pageout, b);
    }
    e->cell_bounds = NULL;
}
