#include "benchmarks/model.h"

#include <string.h>

#include "formulation/formulation.h"

const char *bench_form_name(bench_form form)
{
    static const char *const names[] = {"published", "tight", "direct"};
    return names[form];
}

static formulation *build_direct(const problem *p)
{
    const graph *g = p->graph;
    const size_t n = (size_t)g->n;
    uint8_t *mask = formulation_mask_windows(p, FORMULATION_DEFAULT, g->n, 0);
    for (int i = 0; i < g->n; i++)
        for (int t = g->last_user[i] + 1; t < g->n; t++)
            mask[(size_t)t * n + (size_t)i] = 0;
    formulation_mask_propagate(p, FORMULATION_DEFAULT, mask);
    formulation *f = formulation_build(p, FORMULATION_DEFAULT, mask, 1.0);
    base_free(mask);
    return f;
}

static lp_model *make_direct(const problem *p, bool relax)
{
    formulation *f = build_direct(p);
    lp_model *m = lp_model_copy(f->model);
    m->offset = graph_base_joules(p->graph);
    if (relax)
        memset(m->integer, 0, (size_t)m->cols * sizeof *m->integer);
    formulation_free(f);
    return m;
}

/* Marks the columns of places (extent count) that the other model has too. */
static void mark(bool *seed, const int *place, const int *other, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (place[k] >= 0 && other[k] >= 0)
            seed[place[k]] = true;
}

bool *bench_model_windows(const problem *p)
{
    enum { BEFORE = 2, DEPTH = 3 }; /* as the exact engine's */
    const size_t n = (size_t)p->graph->n;
    formulation *f = build_direct(p);
    uint8_t *mask = formulation_mask_windows(p, FORMULATION_DEFAULT, BEFORE, DEPTH);
    for (size_t c = 0; c < n * n; c++)
        mask[c] &= f->mask[c];
    formulation_mask_propagate(p, FORMULATION_DEFAULT, mask);
    formulation *w = formulation_build(p, FORMULATION_DEFAULT, mask, 1.0);
    bool *seed = base_calloc((size_t)f->model->cols + 1, sizeof *seed);
    for (int kind = 0; kind < CELL_KINDS; kind++)
        mark(seed, f->cell[kind], w->cell[kind], n * n);
    mark(seed, f->load_col, w->load_col, n);
    mark(seed, f->early_col, w->early_col, n * n);
    mark(seed, f->free_col, w->free_col, n * (size_t)p->graph->edge_count);
    base_free(mask);
    formulation_free(w);
    formulation_free(f);
    return seed;
}

lp_model *bench_model_make(const problem *p, bench_form form, bench_unit unit, bool relax)
{
    lp_model *m = form == FORM_DIRECT
                      ? make_direct(p, relax)
                      : formulation_export(p, form == FORM_PUBLISHED, relax, FORMULATION_DEFAULT);
    if (unit == UNIT_OVERHEAD) {
        const double scale = formulation_default_scale(p->graph);
        for (int j = 0; j < m->cols; j++)
            m->cost[j] *= scale;
        m->offset = scale * (m->offset - graph_base_joules(p->graph));
    }
    return m;
}

double bench_model_overhead(const problem *p, bench_unit unit, double objective)
{
    return unit == UNIT_OVERHEAD
               ? objective
               : formulation_default_scale(p->graph) * (objective - graph_base_joules(p->graph));
}
