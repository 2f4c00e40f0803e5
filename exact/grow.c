/* From the windows to a bound for all cells: models that grow. */
#include <string.h>

#include "exact/engine.h"

/* Of the time that is left: for growing. */
#define GROWTH_SHARE 0.5
/* For the coarse timeline's first look, which it has when models have grown for a part of the time.
 */
#define COARSE_QUICK 0.1
#define COARSE_WAIT 0.3
#define LOST 1e-3               /* of the bound, by a model's growth: worth rounds of cuts */
#define SECONDS_PER_COLUMN 3e-4 /* of the first LP over all cells that are left; a guess */

enum {
    PROOF_ROUNDS = 50,
    /* So many simplex iterations are a lot for growing: the coarse timeline has a first, short
     * look, at once when the windows have so many columns; and once the bound stands, growing ends.
     */
    LONG_GROWTH = 30000,
    LARGE_WINDOWS = 20000,
    COARSE_ITERATIONS = 20000, /* that this look may take */
    /* A growing model begins from the slacks when the duals want so many cells, the one before it
     * has at most so many columns, and it is one of the first so many of which that is true. */
    MANY_WANTED = 20,
    COLD_COLUMNS = 7500,
    COLD_MODELS = 2,
    /* Models in a row that took hardly an iteration each and proved no more than before. */
    IDLE_ITERATIONS = 10,
    IDLE_MODELS = 3
};

typedef struct growth {
    engine *e;
    working *first, *w; /* where it began; the last model that was solved */
    uint8_t *mask;      /* scratch */
    uint8_t *wanted;    /* cells */
    bool fresh;         /* nothing was added since the last rounds of cuts */
    int cold, idle;     /* models: from the slack basis, idle ones in a row */
    double lower;       /* proven before the last model */
    double start;
    long iterations; /* the engine's at the start */
} growth;

bool engine_solved(engine *e, const working *w)
{
    return w->status == LP_OPTIMAL && !engine_done(e);
}

bool engine_coarse_allowed(const engine *e)
{
    return (e->params->features & FORMULATION_COARSE) && !e->params->proof;
}

/* Of the columns of e->whole, roughly: as large a part as of its cells no proof has eliminated. */
static double columns_left(const engine *e)
{
    long cells = 0, left = 0;
    for (int kind = 0; kind < CELL_KINDS; kind++)
        for (size_t c = 0; c < engine_cells(e); c++)
            if (e->whole->cell[kind][c] >= 0) {
                cells++;
                left += (e->mask[c] & formulation_kind_bit[kind]) != 0;
            }
    return cells > 0 ? (double)left / (double)cells * e->whole->model->cols : 0;
}

bool engine_last_tree_pays(const engine *e, double share)
{
    const double deadline = e->params->limits.deadline, left = deadline - base_seconds();
    return deadline <= 0 || share * left >= SECONDS_PER_COLUMN * columns_left(e);
}

/* When models stop growing in favour of the coarse timeline and the tree over all cells; 0: never,
 * as when the time that is left for that tree would not see the end of its first LP. */
static double growth_deadline(const engine *e)
{
    const double deadline = e->params->limits.deadline, left = deadline - base_seconds();
    const bool pays = engine_coarse_allowed(e) || engine_last_tree_pays(e, 1 - GROWTH_SHARE);
    return deadline > 0 && pays && !e->params->proof ? deadline - (1 - GROWTH_SHARE) * left : 0;
}

static bool is_long(const growth *g)
{
    return g->e->result->lp_iterations - g->iterations > LONG_GROWTH;
}

/* Whether growing takes so long, or will, that it may end without a bound. */
static bool look_is_due(const growth *g)
{
    const double deadline = g->e->params->limits.deadline;
    return engine_coarse_allowed(g->e) && !g->e->point &&
           (g->first->f->model->cols > LARGE_WINDOWS || is_long(g) ||
            (deadline > 0 && base_seconds() - g->start > COARSE_WAIT * (deadline - g->start)));
}

/* The time for growing, and a part of the whole for the coarse timeline where it is due. */
static void share_time(growth *g, bool more)
{
    engine *e = g->e;
    if (more && look_is_due(g)) {
        engine_coarse(e, COARSE_QUICK, COARSE_ITERATIONS);
        e->lp_deadline = 0;
    }
    if (e->lp_deadline == 0 && !engine_done(e))
        e->lp_deadline = growth_deadline(e);
}

/* The model with the wanted cells. Where much is missing of a small model, many sparse pivots from
 * the slacks cost less than the dense ones from the last basis; but that leads to new duals, and
 * those to new wishes. *shed: it lacks what the one before had. */
static working *larger(growth *g, int wanted, bool *shed)
{
    engine *e = g->e;
    memcpy(g->mask, g->w->f->mask, engine_cells(e));
    *shed = g->w == g->first && engine_shed(e, g->w, g->mask);
    for (size_t c = 0; c < engine_cells(e); c++)
        g->mask[c] |= g->wanted[c] | (g->wanted[c] ? MASK_C | MASK_P : 0);
    bool is_cold = *shed || (wanted >= MANY_WANTED && g->w->f->model->cols <= COLD_COLUMNS &&
                             g->cold++ < COLD_MODELS);
    return working_create(e, g->mask, g->w, is_cold ? 0 : wanted);
}

/* Takes the next model, after cuts for what the new cells took from the bound. False when that is
 * the end: at a limit; when what was wanted is of no use; or after long growth, when the bound
 * stands and what is left to do is better done by the last tree. */
static bool take(growth *g, working *next, bool shed)
{
    engine *e = g->e;
    const long iterations = lp_iterations(next->lp);
    const bool grown = shed || next->f->model->cols > g->w->f->model->cols;
    g->fresh = next->bound < (1 - LOST) * g->w->bound;
    if (grown && g->fresh)
        working_cut(e, next);
    if (next->status != LP_OPTIMAL || !grown) {
        e->grown = next->status == LP_OPTIMAL;
        working_free(next);
        return false;
    }
    g->idle = iterations < IDLE_ITERATIONS && e->lower <= g->lower ? g->idle + 1 : 0;
    g->lower = e->lower;
    const bool settled = is_long(g) && !g->fresh && engine_last_tree_pays(e, 1 - GROWTH_SHARE);
    if (g->w != g->first)
        working_free(g->w);
    g->w = next;
    e->grown = g->idle == IDLE_MODELS || (settled && !e->params->proof);
    return !e->grown;
}

/* One model more; false at the end. */
static bool enlarge(growth *g)
{
    engine *e = g->e;
    memset(g->wanted, 0, engine_cells(e));
    const int wanted = engine_prove(e, g->w, g->wanted);
    if (engine_done(e))
        return false;
    share_time(g, wanted > 0);
    if (engine_done(e))
        return false;
    e->grown = wanted == 0;
    if (wanted == 0) {
        if (g->fresh || !working_cut(e, g->w))
            return false;
        g->fresh = true;
        return true;
    }
    bool shed = false;
    working *next = larger(g, wanted, &shed);
    return take(g, next, shed);
}

working *engine_grow(engine *e, working *first)
{
    growth g = {.e = e,
                .first = first,
                .w = first,
                .mask = base_malloc(engine_cells(e), 1),
                .wanted = base_malloc(engine_cells(e), 1),
                .fresh = true,
                .start = base_seconds(),
                .iterations = e->result->lp_iterations};
    for (int k = 0; k < PROOF_ROUNDS && engine_solved(e, g.w); k++)
        if (!enlarge(&g))
            break;
    e->lp_deadline = 0;
    base_free(g.wanted);
    base_free(g.mask);
    return g.w;
}
