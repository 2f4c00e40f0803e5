/* From the windows to a bound for all cells: models that grow. */
#include <math.h>
#include <string.h>

#include "exact/engine.h"

typedef struct growth {
    engine *e;
    working *first, *w; /* where it began; the last model that was solved */
    uint8_t *mask;      /* scratch */
    uint8_t *wanted;    /* cells */
    bool fresh;         /* nothing was added since the last rounds of cuts */
    int cold, idle;     /* models: from the slack basis, idle ones in a row */
    int rounds;
    double proven;   /* of all schedules, by the duals of the last model */
    long iterations; /* of all models */
    bool over;
} growth;

bool engine_solved(engine *e, const working *w)
{
    return w->status == LP_OPTIMAL && !engine_done(e);
}

/* As large a part of e->whole as of its cells no proof has eliminated. */
double engine_columns_left(const engine *e)
{
    long cells = 0, left = 0;
    for (int kind = 0; e->whole && kind < CELL_KINDS; kind++)
        for (size_t c = 0; c < engine_cells(e); c++)
            if (e->whole->cell[kind][c] >= 0) {
                cells++;
                left += (e->mask[c] & formulation_kind_bit[kind]) != 0;
            }
    return cells > 0 ? (double)left / (double)cells * e->whole->model->cols : 0;
}

static bool is_long(const growth *g)
{
    return g->iterations > engine_tuning(g->e)->growth_long;
}

/* The model with the wanted cells. Where much is missing of a small model, many sparse pivots from
 * the slacks cost less than the dense ones from the last basis; but that leads to new duals, and
 * those to new wishes. */
static working *larger(growth *g, int wanted)
{
    engine *e = g->e;
    memcpy(g->mask, g->w->f->mask, engine_cells(e));
    for (size_t c = 0; c < engine_cells(e); c++)
        g->mask[c] |= g->wanted[c] | (g->wanted[c] ? MASK_C | MASK_P : 0);
    const bool is_cold = wanted >= engine_tuning(e)->cold_wanted &&
                         g->w->f->model->cols <= engine_tuning(e)->cold_columns &&
                         g->cold++ < engine_tuning(e)->cold_models;
    return working_create(e, g->mask, g->w, is_cold ? 0 : wanted);
}

/* Takes the next model, after cuts for what the new cells took from the bound. False when that is
 * the end: at a limit; when what was wanted is of no use; or after long growth, when the bound
 * stands and what is left to do is better done by a tree. */
static bool take(growth *g, working *next)
{
    engine *e = g->e;
    const long iterations = lp_iterations(next->lp);
    const bool larger_one = next->f->model->cols > g->w->f->model->cols;
    g->fresh = next->bound < (1 - engine_tuning(e)->growth_lost) * g->w->bound;
    if (larger_one && g->fresh)
        working_cut(e, next);
    g->iterations += lp_iterations(next->lp);
    if (next->status != LP_OPTIMAL || !larger_one) {
        working_free(next);
        return false;
    }
    g->idle = iterations < engine_tuning(e)->idle_iterations && e->extended_bound <= g->proven
                  ? g->idle + 1
                  : 0;
    g->proven = e->extended_bound;
    const bool settled = is_long(g) && !g->fresh;
    if (g->w != g->first)
        working_free(g->w);
    g->w = next;
    return g->idle != engine_tuning(e)->idle_models && !settled;
}

/* One model more; false at the end. */
static bool enlarge(growth *g)
{
    engine *e = g->e;
    memset(g->wanted, 0, engine_cells(e));
    const int wanted = engine_prove(e, g->w, g->wanted);
    if (engine_done(e))
        return false;
    if (wanted == 0) {
        const bool rose = !g->fresh && working_cut(e, g->w);
        g->fresh = true;
        return rose;
    }
    return take(g, larger(g, wanted));
}

void engine_growth_begin(engine *e, working *first)
{
    growth *g = e->growth = base_malloc(1, sizeof *g);
    *g = (growth){.e = e, .first = first, .w = first, .fresh = true, .proven = -INFINITY};
    g->mask = base_malloc(engine_cells(e), 1);
    g->wanted = base_malloc(engine_cells(e), 1);
    g->over = first->status != LP_OPTIMAL;
}

void engine_grow(engine *e)
{
    growth *g = e->growth;
    g->over =
        g->rounds++ >= engine_tuning(e)->growth_rounds || !engine_solved(e, g->w) || !enlarge(g);
}

bool engine_growth_over(const engine *e)
{
    return e->growth->over;
}

bool engine_growth_is_long(const engine *e)
{
    return e->growth->first->f->model->cols > engine_tuning(e)->windows_large || is_long(e->growth);
}

working *engine_wide(const engine *e)
{
    return e->growth->w;
}

working *engine_growth_end(engine *e)
{
    growth *g = e->growth;
    if (!g)
        return NULL;
    working *last = g->w;
    base_free(g->mask);
    base_free(g->wanted);
    base_free(g);
    e->growth = NULL;
    return last;
}
