/* How much memory a model takes, counted from its mask. */
#include "formulation/formulation.h"

/* Bytes for each: in the arrays of the model and of the formulation, and while it is built. */
static const double PER_CELL = 24, PER_EDGE = 4, PER_COLUMN = 60, PER_ROW = 40, PER_ENTRY = 24;

typedef struct size_count {
    const problem *p;
    const uint8_t *mask;
    double columns, rows, entries;
} size_count;

static uint8_t bits_at(const size_count *c, int t, int i)
{
    return c->mask[(size_t)t * (size_t)c->p->graph->n + (size_t)i];
}

/* The memory rows of stage t: each event counts the earlier computations and releases of the
 * stage. */
static void count_stage(size_count *c, int t)
{
    const graph *g = c->p->graph;
    double terms = 1;
    for (int k = 0; k <= t; k++) {
        if (k < t && !(bits_at(c, t, k) & MASK_R))
            continue;
        const double inputs = g->input_start[k + 1] - g->input_start[k];
        terms += k < t;
        c->rows += 1 + inputs;
        c->entries += terms + 4 * inputs;
        if (k == t)
            continue;
        terms += inputs; /* a release after k for each */
        c->columns += inputs;
        c->rows += inputs;
        c->entries += 4 * inputs;
    }
}

/* Cells of tensor i, and the rows that say where they come from: a copy from storage rests on all
 * page-outs before. */
static void count_tensor(size_count *c, int i)
{
    double out = 0;
    for (int t = i + 1; t < c->p->graph->n; t++) {
        const uint8_t bits = bits_at(c, t, i);
        const int cells = __builtin_popcount(bits);
        c->columns += cells;
        c->rows += cells;
        c->entries += 3 * cells;
        if (bits & MASK_P)
            c->entries += out;
        out += (bits & MASK_OUT) != 0;
    }
}

double formulation_bytes(const problem *p, const uint8_t *mask)
{
    const graph *g = p->graph;
    const double n = g->n;
    size_count c = {.p = p, .mask = mask};
    for (int t = 0; t < g->n; t++) {
        base_work(4 * (size_t)g->n);
        count_stage(&c, t);
        count_tensor(&c, t);
    }
    return PER_CELL * n * n + PER_EDGE * n * g->edge_count + PER_COLUMN * c.columns +
           PER_ROW * c.rows + PER_ENTRY * c.entries;
}
