/* The stages at which the incumbent suggests points. */
#include "exact/timeline/dear_stages.h"

#include "base/base.h"

/* Joules of the recomputations and page-ins of s in stage t. */
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

dear_stages exact_dear_stages(const graph *g, const schedule *s)
{
    enum { EACH = 3, MOST = EXACT_DEAR_STAGES / EACH };
    int stage[MOST], stages = 0;
    double joules[MOST];
    for (int t = 1; t < g->n; t++) {
        const double own = stage_joules(g, s, t);
        int k = stages;
        for (; k > 0 && joules[k - 1] < own; k--)
            if (k < MOST) {
                stage[k] = stage[k - 1];
                joules[k] = joules[k - 1];
            }
        if (k == MOST || own <= 0)
            continue;
        stage[k] = t;
        joules[k] = own;
        stages += stages < MOST;
    }
    dear_stages found = {0};
    for (int k = 0; k < stages; k++)
        for (int t = stage[k] - 1; t <= stage[k] + 1 && t < g->n; t++)
            found.stage[found.count++] = t;
    return found;
}
