/* Makes the published, the tight and the direct model of an instance, in joules or in units of
 * the overhead. */
#include "benchmarks/model.h"

#include <string.h>

#include "formulation/formulation.h"

const char *bench_form_name(bench_form form)
{
    static const char *const names[] = {"published", "tight", "direct"};
    return names[form];
}

static lp_model *make_direct(const problem *p, bool relax)
{
    const graph *g = p->graph;
    const size_t n = (size_t)g->n;
    uint8_t *mask = formulation_mask_windows(p, FORMULATION_DEFAULT, g->n, 0);
    for (int i = 0; i < g->n; i++)
        for (int t = g->last_user[i] + 1; t < g->n; t++)
            mask[(size_t)t * n + (size_t)i] = 0;
    formulation_mask_propagate(p, FORMULATION_DEFAULT, mask);
    formulation *f = formulation_build(p, FORMULATION_DEFAULT, mask, 1.0);
    lp_model *m = lp_model_copy(f->model);
    m->offset = graph_base_joules(g);
    if (relax)
        memset(m->integer, 0, (size_t)m->cols * sizeof *m->integer);
    base_free(mask);
    formulation_free(f);
    return m;
}

lp_model *bench_model_make(const problem *p, bench_form form, bench_unit unit, bool relax)
{
    lp_model *m = form == FORM_DIRECT ? make_direct(p, relax)
                                      : formulation_export(p, form == FORM_PUBLISHED, relax, false,
                                                           FORMULATION_DEFAULT);
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
