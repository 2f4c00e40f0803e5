/* From the windows to a bound for all cells: models that grow. */
#include <math.h>
#include <string.h>

#include "exact/cells/grow.h"
#include "exact/cells/prove.h"
#include "exact/cells/working.h"

/* Growth is long after this number of iterations of the simplex. */
enum { LONG_ITERATIONS = 30000 };
/* Models that start from the slack basis: the first COLD_MODELS for which at least COLD_WANTED
 * cells are wanted, if the model before has at most COLD_COLUMNS columns. */
enum { COLD_WANTED = 20, COLD_COLUMNS = 7500, COLD_MODELS = 2 };
/* A model is idle if its LP takes fewer than IDLE_ITERATIONS and its bound does not rise. Growth
 * ends after IDLE_MODELS idle models in a row. */
enum { IDLE_ITERATIONS = 10, IDLE_MODELS = 3 };
/* Loss of the bound to a larger model, as a part of the bound, that is worth rounds of cuts. */
#define LOST 1e-3

/* The next step of a growing model. */
typedef enum growth_step { PROVE, SOLVE, CUT } growth_step;

typedef struct growth {
    engine *e;
    working *first, *w; /* the model at the start; the last model that was solved */
    growth_step step;
    working *next;     /* the model to be solved, or to get cuts, which may be w */
    cut_rounds rounds; /* of `next` */
    long pivots;       /* simplex iterations of `next` before its cuts */
    uint8_t *mask;     /* scratch */
    uint8_t *wanted;   /* cells */
    bool fresh;        /* nothing was added since the last rounds of cuts */
    int cold, idle;    /* number of models started from the slack basis; idle ones in a row */
    double proven;     /* bound of all schedules by the duals of the last model */
    long iterations;   /* of all models */
    bool over;
} growth;

bool engine_solved(engine *e, const working *w)
{
    return w->status == LP_OPTIMAL && !engine_done(e);
}

/* Columns of e->whole times the share of its cells that is not eliminated. */
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

/* Opens the model with the wanted cells and all residency. Windows lack residency without a source,
 * which a tensor from a wanted cell needs up to its use. A small model that lacks many cells
 * starts from the slack basis. Many sparse pivots then cost less than dense ones from the last
 * basis. Only COLD_MODELS do this, since new duals ask for new cells. */
static working *open_larger(growth *g, int wanted)
{
    engine *e = g->e;
    memcpy(g->mask, g->w->f->mask, engine_cells(e));
    for (size_t c = 0; c < engine_cells(e); c++)
        g->mask[c] |= g->wanted[c] | (e->mask[c] & (MASK_C | MASK_P));
    const bool is_cold =
        wanted >= COLD_WANTED && g->w->f->model->cols <= COLD_COLUMNS && g->cold++ < COLD_MODELS;
    return working_open(e, g->mask, g->w, is_cold ? 0 : wanted);
}

/* Proves with the last model. Then opens the next model; if no cell is wanted, the last model gets
 * cuts once. False: growth ends. */
static bool prove_last(growth *g)
{
    engine *e = g->e;
    if (!engine_solved(e, g->w))
        return false;
    memset(g->wanted, 0, engine_cells(e));
    const int wanted = engine_prove(e, g->w, g->wanted);
    if (engine_done(e) || (wanted == 0 && g->fresh))
        return false;
    g->next = wanted > 0 ? open_larger(g, wanted) : g->w;
    g->step = wanted > 0 ? SOLVE : CUT;
    g->rounds = working_cut_begin(g->w);
    return true;
}

/* Makes `next` the last model. False if growth ends: at a limit, if the wanted cells add no column,
 * after idle models, or after long growth once the bound holds. Then a tree does better. */
static bool accept_next(growth *g)
{
    engine *e = g->e;
    working *next = g->next;
    g->next = NULL;
    g->step = PROVE;
    if (next == g->w) {
        g->fresh = true;
        return working_cuts_raised(next, &g->rounds);
    }
    g->iterations += lp_iterations(next->lp);
    if (next->status != LP_OPTIMAL || next->f->model->cols <= g->w->f->model->cols) {
        working_free(next);
        return false;
    }
    g->idle = g->pivots < IDLE_ITERATIONS && e->extended_bound <= g->proven ? g->idle + 1 : 0;
    g->proven = e->extended_bound;
    const bool settled = g->iterations > LONG_ITERATIONS && !g->fresh;
    if (g->w != g->first)
        working_free(g->w);
    g->w = next;
    return g->idle != IDLE_MODELS && !settled;
}

/* Continues the LP of the next model. If the new cells lowered its bound much, cuts come next.
 * False: growth ends. */
static bool solve_next(growth *g, double work)
{
    working *next = g->next;
    if (!working_solve(g->e, next, work))
        return true;
    g->pivots = lp_iterations(next->lp);
    g->fresh = next->bound < (1 - LOST) * g->w->bound;
    g->rounds = working_cut_begin(next);
    g->step = CUT;
    return (g->fresh && next->f->model->cols > g->w->f->model->cols) || accept_next(g);
}

static bool cut_next(growth *g)
{
    return working_cut_round(g->e, g->next, &g->rounds) || accept_next(g);
}

void engine_growth_begin(engine *e, working *first)
{
    growth *g = e->growth = base_malloc(1, sizeof *g);
    *g = (growth){.e = e, .first = first, .w = first, .fresh = true, .proven = -INFINITY};
    g->mask = base_malloc(engine_cells(e), 1);
    g->wanted = base_malloc(engine_cells(e), 1);
    g->over = first->status != LP_OPTIMAL;
}

void engine_grow(engine *e, double work)
{
    growth *g = e->growth;
    const double end = engine_work(e) + work;
    do
        g->over = !(g->step == PROVE   ? prove_last(g)
                    : g->step == SOLVE ? solve_next(g, end - engine_work(e))
                                       : cut_next(g));
    while (!g->over && g->step != PROVE && engine_work(e) < end);
}

bool engine_growth_over(const engine *e)
{
    return e->growth->over;
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
    if (g->next != last)
        working_free(g->next);
    base_free_all(g->mask, g->wanted, g);
    e->growth = NULL;
    return last;
}
