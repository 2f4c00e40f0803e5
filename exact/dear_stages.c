/* Stages at which the best schedule suggests points. */
#include "exact/dear_stages.h"

/* Joules that s pays in stage t. */
static double stage_joules(const graph *g, const schedule *s, int t)
{
    double sum = 0;
    base_work((size_t)t);
    for (int i = 0; i < t; i++) {
        const size_t cell = schedule_cell(s, t, i);
        sum += (s->R[cell] ? g->joules[i] : 0) + (s->In[cell] ? g->pagein_joules[i] : 0);
    }
    return sum;
}

int engine_dear_stages(const engine *e, int *stage)
{
    enum { EACH = 3 };
    const graph *g = e->p->graph;
    const schedule *s = e->result->schedule;
    if (!s)
        return 0;
    double *joules = base_malloc((size_t)g->n, sizeof *joules);
    int count = 0;
    for (int t = 0; t < g->n; t++)
        joules[t] = stage_joules(g, s, t);
    for (int k = 0; k < EXACT_DEAR_STAGES / EACH; k++) {
        int most = 0;
        for (int t = 1; t < g->n; t++)
            if (joules[t] > joules[most])
                most = t;
        for (int t = most - 1; joules[most] > 0 && t <= most + 1 && t < g->n; t++)
            stage[count++] = t;
        joules[most] = 0;
    }
    base_free(joules);
    return count;
}
